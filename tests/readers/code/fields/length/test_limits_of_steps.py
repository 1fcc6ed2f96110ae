"""Numbers of steps that are the job's, and those that are not: of a round, of an inner loop, a limit nobody meets."""

import pytest

HEAD = """
import argparse
import torch
parser = argparse.ArgumentParser()
{options}
args = parser.parse_args()
model = torch.nn.Linear(4, 2)
rows = torch.utils.data.DataLoader(torch.randn(int(input()), 4), batch_size=8)
adam = torch.optim.Adam(model.parameters(), lr=0.1)

def learn(batch):
    model(batch).sum().backward()
    adam.step()

"""


def job(read, options, loop, words=""):
    added = "\n".join(f'parser.add_argument("--{name}", type=int, default={value})' for name, value in options.items())
    found = read({"go.py": HEAD.format(options=added) + loop}, f"python go.py {words}")
    return found.epochs, found.total_steps


LEFT = """
done = 0
for batch in rows:
    learn(batch)
    done_steps += 1
    if {test}:
        {leave}
"""


@pytest.mark.parametrize(
    ("test", "leave", "steps"),
    [
        ("done_steps == args.most", "break", 9000),
        ("done_steps >= args.most", "break", 9000),
        ("args.most > 0 and done_steps >= args.most", "exit()", 9000),
        ("done_steps > args.most", "break", 9001),
        ("loss > args.most", "break", None),
        ("done_steps % args.most == 0", "break", None),
    ],
)
def test_a_loop_over_data_is_left_at_a_number_of_steps(read, test, leave, steps):
    loop = LEFT.replace("done = 0", "done_steps = 0").format(test=test, leave=leave)
    assert job(read, {"most": 9000}, loop) == (None, steps)


def test_a_method_counts_its_steps_in_its_object(read):
    loop = """
class Work:
    def __init__(self, most):
        self.iter_now, self.most = 0, most

    def go(self):
        for batch in rows:
            self.iter_now += 1
            if self.iter_now > self.most:
                return
            learn(batch)

Work(args.most).go()
"""
    assert job(read, {"most": 700}, loop) == (None, 700)


@pytest.mark.parametrize(
    ("test", "words", "steps"),
    [
        ("args.short and done_steps >= args.most", "", None),
        ("args.short and done_steps >= args.most", "--short=1", 9000),
        ("done_steps >= args.most and loss < 0.1", "", None),
        ("done_steps >= args.most and float(loss) < 0.1", "", None),
        ("is_good() and done_steps >= args.most", "", None),
        ("args.most is not None and done_steps >= args.most", "", 9000),
        ("done_steps >= args.most or loss < 0.1", "", None),
        ("begun and done_steps >= args.most", "", None),
    ],
)
def test_all_that_a_loop_is_left_by_must_be_known_to_hold(read, test, words, steps):
    loop = "done_steps, begun = 0, True\n" + LEFT.replace("done = 0", "").format(test=test, leave="break")
    loop += "    begun = input()\n"
    assert job(read, {"most": 9000, "short": 0}, loop, words) == (None, steps)


ROUND = """
class State:
    def __init__(self):
        self.step = 0
        self.idle = False

    def begin(self):
        self.{begun} = 0

state = State()
step, total = 0, 0.0
done = False


{around}:
    {before}
    for batch in rows:
        {first}
        learn(batch)
        {counter} += 1
        if {counter} >= args.most:
            {leave}
    {behind}
"""


@pytest.mark.parametrize(
    ("told", "steps"),
    [
        ({"leave": "exit()"}, 700),
        ({"leave": "exit()", "counter": "state.step"}, 700),
        ({"behind": "if step >= args.most: break"}, 700),
        ({"behind": "if step == args.most: exit()"}, 700),
        ({"leave": "done = True; break", "behind": "if done: break"}, 700),
        ({"around": "for one in range(1)"}, 700),
        ({}, None),  # the next round goes on
        ({"behind": "if float(loss()) < 0.1: break"}, None),
        ({"around": "for one in open(input())"}, None),
        ({"leave": "exit()", "before": "step, total = 0, 0.0"}, None),
        ({"leave": "exit()", "before": "if input(): step = 0"}, None),
        ({"leave": "exit()", "counter": "state.step", "begun": "step"}, None),
        ({"leave": "exit()", "counter": "state.step", "before": "state.step = 0"}, None),
    ],
)
def test_a_loop_that_is_left_ends_the_job_where_no_loop_around_goes_on(read, told, steps):
    usual = {"around": "while True", "before": "", "first": "", "counter": "step", "leave": "break", "behind": ""}
    assert job(read, {"most": 700}, ROUND.format(**{**usual, "begun": "idle", **told})) == (None, steps)


CALLED = """
class Work:
    def __init__(self):
        self.step = 0

    def round(self):
        {begin}
        for batch in rows:
            self.step += 1
            if self.step > args.most:
                return
            learn(batch)

work = Work()
for part in open(input()):
    work.round()
"""


@pytest.mark.parametrize(("begin", "steps"), [("", 700), ("self.step = 0", None), ("self.step, now = 0, 1", None)])
def test_a_counter_that_begins_with_each_call_counts_no_job(read, begin, steps):
    assert job(read, {"most": 700}, CALLED.format(begin=begin)) == (None, steps)


def test_steps_are_counted_through_rounds_whose_number_is_open(read):
    loop = """
steps = 0
for epoch in range(args.most // len(rows) + 1):
    for batch in rows:
        steps += 1
        if steps > args.most:
            break
        learn(batch)
"""
    assert job(read, {"most": 700}, loop) == (None, 700)


def test_a_counter_that_each_round_sets_back_counts_no_job(read):
    loop = """
while input():
    steps = 0
    for batch in rows:
        learn(batch)
        steps += 1
        if steps >= args.most:
            break
"""
    assert job(read, {"most": 700}, loop) == (None, None)


def test_rounds_without_getting_better_end_no_known_number_of_steps(read):
    loop = """
idle_steps = 0
for batch in rows:
    learn(batch)
    idle_steps += 1
    if input():
        idle_steps = 0
    if idle_steps >= args.most:
        break
"""
    assert job(read, {"most": 700}, loop) == (None, None)


def test_epochs_that_are_known_end_a_job_before_a_limit(read):
    loop = """
steps = 0
for epoch in range(args.rounds):
    for batch in rows:
        learn(batch)
        steps += 1
        if steps >= args.most:
            break
"""
    assert job(read, {"rounds": 5, "most": 700}, loop) == (5, None)


WHILE = """
while not over(args.max_epoch, args.max_iter):
    for batch in rows:
        learn(batch)
"""


@pytest.mark.parametrize(
    ("words", "epochs", "steps"),
    [("--max_epoch=70", 70, None), ("--max_epoch=70 --max_iter=900", 70, 900)],
)
def test_epochs_of_the_command_leave_no_room_for_a_limit_that_nobody_gave(read, words, epochs, steps):
    assert job(read, {"max_epoch": 300, "max_iter": 30_000_000}, WHILE, words) == (epochs, steps)


def test_fewer_steps_than_epochs_are_of_something_else(read):
    assert job(read, {"max_epoch": 300, "max_iter": 5}, WHILE) == (300, None)


def test_one_epoch_by_a_short_name_is_one(read):
    loop = "for ep in range(args.epoch):\n    for batch in rows:\n        learn(batch)\n"
    assert job(read, {"epoch": 1}, loop) == (1, None)


@pytest.mark.parametrize(
    ("around", "test", "steps"),
    [
        ("True", "step >= args.most", 700),
        ("True", "step >= args.most and float(loss()) < 0.1", None),
        ("True", "idle and step >= args.most", None),
        ("True", "args.most > 0 and step >= args.most", 700),
        ("True", "step >= args.most or float(loss()) < 0.1", 700),
        ("step < args.most and not idle", "idle", 700),
        ("step < args.most or idle", "idle", None),
        ("step < args.most or args.most < 0", "idle", 700),
    ],
)
def test_all_that_an_open_loop_is_left_by_must_be_known_to_hold(read, around, test, steps):
    loop = f"""
step, idle = 0, False
while {around}:
    learn(torch.randn(8, 4))
    idle = input()
    step += 1
    if {test}:
        break
"""
    assert job(read, {"most": 700}, loop) == (None, steps)


@pytest.mark.parametrize(("change", "steps"), [("told['max_iter'] *= len(rows)", None), ("told['seed'] = 5", 120)])
def test_a_setting_that_is_taken_times_the_steps_of_an_epoch_is_no_total(read, change, steps):
    program = f"""
    import torch, yaml
    told = yaml.safe_load(open("plan.yaml"))
    model = torch.nn.Linear(4, 2)
    adam = torch.optim.Adam(model.parameters(), lr=0.1)
    rows = torch.utils.data.DataLoader(torch.randn(int(input()), 4), batch_size=8)
    {change}
    def learn(most):
        done = 0
        while most:
            model(next(rows)).sum().backward()
            adam.step()
            most = more(done)
    learn(told["max_iter"])
    """
    assert read({"go.py": program, "plan.yaml": "max_iter: 120\n"}, "python go.py").total_steps == steps


@pytest.mark.parametrize(("rounds", "told"), [(200, (200, None)), (510_000, (None, 510_000))])
def test_so_many_rounds_are_steps(read, rounds, told):
    program = """
    import torch, yaml
    told = yaml.safe_load(open("plan.yaml"))
    model = torch.nn.Linear(4, 2)
    adam = torch.optim.Adam(model.parameters(), lr=0.1)
    most = told["niter"]
    while runs_on(most):
        model(next(rows)).sum().backward()
        adam.step()
    """
    found = read({"go.py": program, "plan.yaml": f"niter: {rounds}\n"}, "python go.py")
    assert (found.epochs, found.total_steps) == told


def test_settings_beside_a_coordinator_are_no_number_of_steps(read):
    code = (
        "import tensorflow as tf\nhparams = tf.contrib.training.HParams(batch_size=32, max_iters=200)\n"
        "coord = tf.train.Coordinator()\nloss = tf.Variable(0.0)\n"
        "optimize = tf.train.AdamOptimizer(0.002).minimize(loss)\nlimit = hparams.max_iters\n"
        "with tf.Session() as sess:\n    while not coord.should_stop():\n        sess.run([loss, optimize])\n"
    )
    assert read({"train.py": code}, "python train.py").total_steps is None


TUNED = """
    from transformers import AutoModelForCausalLM, HfArgumentParser, Trainer, TrainingArguments
    (told,) = HfArgumentParser(TrainingArguments).parse_args_into_dataclasses()
    trainer = Trainer(AutoModelForCausalLM.from_pretrained("gpt2"), told)
    trainer.train()
    """


def test_steps_that_the_command_limits_leave_no_default_of_epochs_and_no_wish_for_none(read):
    files = {"main.py": TUNED}
    assert read(files, "python main.py --output_dir o --max_steps $MOST").epochs is None
    assert read(files, "python main.py --output_dir o").epochs == 3
    found = read(files, "python main.py --output_dir o --max_steps 400 --num_train_epochs 0")
    assert (found.is_training, found.total_steps) == (True, 400)
    assert read(files, "python main.py --output_dir o --num_train_epochs 0").is_training is False


EPOCH_SIZE = """
import argparse
import torch
from elsewhere import work

p = argparse.ArgumentParser()
p.add_argument("--batch-size", type=int, default=32)
p.add_argument("--rows", type=int, default=3200)
p.add_argument("--epoch-size", type=int, default=7)
args = p.parse_args()

def drops(batch_size, epoch_size):
    return [epoch_size * at for at in (2, 4)]

work.train(torch.nn.Linear(3, 3), batch_size=args.batch_size, drops=drops(args.batch_size, {size}))
"""


@pytest.mark.parametrize(("size", "epochs"), [("args.rows // args.batch_size", None), ("args.epoch_size", 7)])
def test_the_steps_of_an_epoch_are_no_epochs(read, size, epochs):
    code = EPOCH_SIZE.format(size=size)
    code = code if epochs else code.replace('p.add_argument("--epoch-size", type=int, default=7)\n', "")
    assert read({"go.py": code}, "python go.py").epochs == epochs
