"""Programs that are started in odd ways: by a file with another's ending, as one that spawns, by gin's folders."""

SPAWN = """
import torch
import torch.multiprocessing as mp
def work(rank, size):
    model = torch.nn.parallel.DistributedDataParallel(torch.nn.LSTM(2, 2).to(rank))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        model(1)[0].sum().backward()
        optimizer.step()
size = torch.cuda.device_count()
mp.spawn(work, nprocs=size, args=(size,))
"""


def test_one_process_that_spawns_one_for_each_gpu_leaves_their_number_open(read):
    job = read({"train.py": SPAWN}, "torchrun --nproc_per_node=1 train.py")
    assert (job.is_training, job.num_gpus, job.num_nodes) == (True, None, 1)


TRAIN = """
import sys, torch
model = torch.nn.LSTM(2, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=float(sys.argv[1]))
for epoch in range(3):
    model(1)[0].sum().backward()
    optimizer.step()
"""


def test_a_submitted_file_is_run_by_its_first_line_and_its_partition_may_name_the_card(read):
    script = "#!/bin/bash\n#SBATCH -p gpu_a100\n#SBATCH --gpus=1\npython train.py 0.3\n"
    job = read({"train.py": TRAIN, "job.py": script}, "sbatch job.py")
    assert (job.is_training, job.learning_rate, job.hardware) == (True, 0.3, "A100")


def test_a_partition_of_no_card_names_none(read):
    script = "#!/bin/bash\n#SBATCH -p gpu_long\npython train.py 0.3\n"
    assert read({"train.py": TRAIN, "job.sh": script}, "sbatch job.sh").hardware is None


STEP = """
import gin
import os
import tensorflow as tf
gin.add_config_file_search_path(os.path.join(os.path.dirname(__file__), "settings"))
gin.parse_config_file("base.gin")
gin.parse_config_files_and_bindings([], ["rate = 0.25"])


@gin.configurable
class Learner:
    def __init__(self, strategy, rate=0.1, steps=9):
        self.strategy, self.steps = strategy, steps
        self.optimizer = tf.keras.optimizers.Adam(rate)

    def step(self, batch):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(batch)
        self.optimizer.apply_gradients(zip(tape.gradient(loss, []), []))

    def run(self):
        for step in range(self.steps):
            self.strategy.run(self.step, args=(step,))


def main():
    Learner(tf.distribute.MirroredStrategy()).run()


if __name__ == "__main__":
    main()
"""


def test_gin_looks_in_the_folders_that_it_is_told_and_macros_are_what_was_set_last(read):
    files = {"tool/go.py": STEP, "tool/settings/base.gin": "rate = 0.5\nLearner.rate = %rate\nLearner.steps = 70\n"}
    job = read(files, "python tool/go.py")
    assert (job.is_training, job.total_steps, job.learning_rate, job.optimizer) == (True, 70, 0.25, "Adam")


SETTINGS = """
import json, torch
given = json.load(open("made.json"))
model = torch.nn.LSTM(2, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=given["rate"])
for epoch in range(given["epochs"]):
    model(1)[0].sum().backward()
    optimizer.step()
"""


def test_settings_that_a_script_writes_first_are_those_of_its_program(read):
    script = 'RATE=0.7\ncat > made.json <<EOF\n{\n  "rate": $RATE,\n  "epochs": 4\n}\nEOF\npython train.py\n'
    job = read({"train.py": SETTINGS, "run.sh": script}, "bash run.sh")
    assert (job.epochs, job.learning_rate) == (4, 0.7)


def test_a_program_that_exits_with_what_its_main_gives_back_is_followed_first(read):
    body = TRAIN.lstrip("\n").replace("\n", "\n    ").replace("import sys, torch", "    import sys, torch")
    program = f"def main():\n{body}\nif __name__ == '__main__':\n    raise SystemExit(main())\n"
    job = read({"train.py": program}, "python train.py 0.3")
    assert (job.is_training, job.learning_rate, job.epochs) == (True, 0.3, 3)


RESUMED = """
import os, torch

class Learner:
    def __init__(self, rate):
        self.net = torch.nn.LSTM(2, 2).cuda()
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=rate)
    def step(self, batch):
        self.net(batch)[0].sum().backward()
        self.optimizer.step()

state = torch.load("last.pt") if os.path.exists("last.pt") else None
if state:
    learner = Learner(0.3)
    learner.net.load_state_dict(state)
else:
    learner = Learner(0.3)
for epoch in range(3):
    learner.step(1)
"""


def test_two_ways_that_make_the_same_object_leave_that_object(read):
    job = read({"train.py": RESUMED}, "python train.py")
    assert (job.is_training, job.learning_rate, job.optimizer, job.epochs) == (True, 0.3, "SGD", 3)


def test_two_ways_that_make_different_objects_leave_what_differs_open(read):
    job = read({"train.py": RESUMED.replace("Learner(0.3)\n    l", "Learner(0.4)\n    l")}, "python train.py")
    assert job.learning_rate is None


CHOSEN = """
import torch
from somewhere import Settings, tune

def maker(rate):
    return lambda params: torch.optim.SGD(params, lr=rate)

net = torch.nn.LSTM(2, 2)
if torch.cuda.get_device_properties(0).total_memory > 40e9:
    FIRST
else:
    SECOND
optimizer = LAST
for epoch in range(3):
    net(epoch)[0].sum().backward()
    optimizer.step()
"""


def test_objects_that_look_alike_and_hold_something_else_leave_what_differs_open(read):
    made = "torch.optim.SGD(net.parameters(), lr={})"
    for way, last in (
        ("c = Settings()\n    c.rate = {}", made.format("c.rate")),
        ("c = {{'make': maker({})}}", "c['make'](net.parameters())"),
        ("c = tune({}).get()", made.format("c")),
    ):
        ways = CHOSEN.replace("FIRST", way.format(0.5)).replace("SECOND", way.format(0.01))
        assert read({"train.py": ways.replace("LAST", last)}, "python train.py").learning_rate is None, way
    same = CHOSEN.replace("LAST", made.format("c.rate"))
    for name in ("FIRST", "SECOND"):
        same = same.replace(name, "c = Settings()\n    c.rate = 0.5")
    assert read({"train.py": same}, "python train.py").learning_rate == 0.5


def test_ways_through_many_calls_are_not_compared_to_their_ends(read):
    way = "\n    ".join(["net = torch.relu(net)"] * 600)
    code = CHOSEN.replace("FIRST", way).replace("SECOND", way)
    job = read({"train.py": code.replace("LAST", "torch.optim.SGD([], lr=0.3)")}, "python train.py")
    assert (job.is_training, job.learning_rate, job.epochs) == (True, 0.3, 3)
