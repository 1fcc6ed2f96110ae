"""Libraries of settings that nobody knows yet, own argparse actions, own decoders of records, loops counted beside."""

LOOP = """
def fit(model, optimizer, steps, loader):
    for step in range(steps):
        loss = model(next(loader)).sum()
        loss.backward()
        optimizer.step()
"""
SETTINGS = """
from confetti import SettingsBase

class Opt(SettingsBase):
    n_steps: int = 300
    learning_rate: float = 5e-3

class Slow(Opt):
    learning_rate: float = 2e-4

class All(SettingsBase):
    seed: int = 1
    opt: Opt = Slow()
"""
PROGRAM = (
    "import torch\nfrom settings import All\n"
    + LOOP
    + "net = torch.nn.LSTM(2, 2)\nfit(net, torch.optim.Adam(net.parameters(), lr=cfg.opt.learning_rate),"
    " cfg.opt.n_steps, iter([]))\n"
)


def with_settings(read, made, command="python train.py --opt.n_steps 70"):
    code = PROGRAM.replace("net = ", f"import confetti\ncfg = {made}\nnet = ", 1)
    return read({"settings.py": SETTINGS, "train.py": code}, command)


def test_a_record_that_an_unknown_library_reads_from_the_command_line_is_filled(read):
    job = with_settings(read, "confetti.make_from_cli(All)")
    assert (job.total_steps, job.learning_rate) == (70, 2e-4)


def test_such_a_record_is_given_as_a_mapping(read):
    job = with_settings(read, "confetti.parse(All).to_dict()")
    assert (job.total_steps, job.learning_rate) == (70, 2e-4)


def test_a_function_that_does_not_say_that_it_reads_the_command_line_fills_nothing(read):
    job = with_settings(read, "confetti.describe(All)")
    assert (job.total_steps, job.learning_rate) == (None, None)


def test_an_own_action_reads_a_file_over_the_options(read):
    code = (
        "import argparse, torch, yaml\n" + LOOP + "class FromFile(argparse.Action):\n"
        "    def __call__(self, parser, namespace, values, option_string=None):\n"
        "        if values.name.endswith('yaml'):\n            with values as f:\n"
        "                namespace.__dict__.update(yaml.safe_load(f))\n"
        "        else:\n            raise ValueError('no yaml')\n"
        "p = argparse.ArgumentParser()\np.add_argument('--conf', type=open, action=FromFile)\n"
        "p.add_argument('--lr', type=float, default=0.1)\np.add_argument('--steps', type=int, default=5)\n"
        "a = p.parse_args()\nnet = torch.nn.LSTM(2, 2)\n"
        "fit(net, torch.optim.SGD(net.parameters(), lr=a.lr), a.steps, iter([]))\n"
    )
    files = {"train.py": code, "run.yaml": "lr: 0.25\nsteps: 400\n"}
    job = read(files, "python train.py --conf run.yaml --steps 90")
    assert (job.learning_rate, job.total_steps) == (0.25, 90)
    assert "run.yaml" in str(job.evidence["learning_rate"])


def test_an_own_action_may_split_what_it_is_given(outcome):
    code = (
        "import argparse\nclass Split(argparse.Action):\n"
        "    def __call__(self, parser, namespace, values, option_string=None):\n"
        "        setattr(namespace, self.dest, values.split(','))\n"
        "p = argparse.ArgumentParser()\np.add_argument('--names', action=Split)\nx = p.parse_args().names\n"
    )
    assert outcome(code, "--names a,b") == ["a", "b"]


DECODER = """
import dataclasses

@dataclasses.dataclass
class Opt:
    rate: float = 0.5
    steps: int = 30

@dataclasses.dataclass
class All:
    seed: int = 1
    opt: Opt = dataclasses.field(default_factory=Opt)

def decode(cls, data):
    try:
        kinds = {f.name: f.type for f in dataclasses.fields(cls)}
        return cls(**{name: decode(kinds[name], data[name]) for name in data})
    except:
        return data
"""


def test_a_decoder_that_goes_by_the_fields_of_records_makes_them(outcome):
    code = (
        DECODER + "made = decode(All, {'seed': 3, 'opt': {'rate': 0.25, 'steps': 8}})\nx = [made.seed, made.opt.rate]"
    )
    assert outcome(code) == [3, 0.25]


def test_records_in_records_are_mappings_when_they_are_asked_for(outcome):
    code = DECODER + "x = [dataclasses.asdict(All()), dataclasses.is_dataclass(All), dataclasses.is_dataclass(3)]"
    assert outcome(code) == [{"seed": 1, "opt": {"rate": 0.5, "steps": 30}}, True, False]


def counted(read, loop):
    code = (
        "import torch, itertools\nfrom tqdm.auto import tqdm, trange\nnet = torch.nn.LSTM(2, 2)\n"
        f"optimizer = torch.optim.SGD(net.parameters(), lr=0.1)\nn = 1200\n{loop}:\n"
        "    net(batch).sum().backward()\n    optimizer.step()\n"
    )
    return read({"train.py": code}, "python train.py").total_steps


def test_a_progress_bar_beside_the_batches_counts_the_steps(read):
    assert counted(read, "for step, batch in zip(tqdm(list(range(1, n + 1))), make_batches())") == 1200
    assert counted(read, "batch = 0\nfor step in trange(n, desc='training')") == 1200


def test_a_range_beside_batches_that_may_end_sooner_counts_nothing(read):
    assert counted(read, "for i, batch in zip(range(10**9), make_batches())") is None
    assert counted(read, "for i, j, batch in zip(range(n * n), range(n), make_batches())") == 1200
    for loop in ("for i, batch in zip(range(n), batches)", "for i, batch in enumerate(zip(range(n), batches))"):
        assert counted(read, f"batches = make_batches()\nfor epoch in range(10):\n  {loop}") is None


def test_steps_that_are_made_of_epochs_leave_the_epochs_known(read):
    code = (
        "import argparse, torch\np = argparse.ArgumentParser()\n"
        "p.add_argument('--num_epochs', type=int, default=30)\na = p.parse_args()\nnet = torch.nn.LSTM(2, 2)\n"
        "optimizer = torch.optim.SGD(net.parameters(), lr=0.1)\nsteps = 50 * a.num_epochs\n"
        "for step in range(steps):\n    net(step).sum().backward()\n    optimizer.step()\n"
    )
    job = read({"train.py": code}, "python train.py")
    assert (job.epochs, job.total_steps) == (30, 1500)


def test_steps_beside_epochs_and_epochs_that_are_steps_leave_the_epochs_open(read):
    start = "import torch\nnet = torch.nn.LSTM(2, 2)\noptimizer = torch.optim.SGD(net.parameters(), lr=0.1)\n"
    body = "    net(step).sum().backward()\n    optimizer.step()\n"
    code = start + "c = dict(epochs=4, max_steps=1000)\nfor step in range(c['max_steps']):\n" + body
    job = read({"train.py": code}, "python train.py")
    assert (job.epochs, job.total_steps) == (None, 1000)
    asked = "import argparse\np = argparse.ArgumentParser()\np.add_argument('--epochs', type=int, default=5000)\n"
    job = read({"train.py": asked + start + "for step in range(p.parse_args().epochs):\n" + body}, "python train.py")
    assert (job.epochs, job.total_steps) == (None, 5000)


def test_an_object_that_is_shown_to_a_function_about_arguments_keeps_what_it_holds(read):
    for name in ("print_args", "check_args", "run_cmd", "parse_again"):
        made = f"All()\nconfetti.{name}(cfg)"
        job = with_settings(read, made, "python train.py --opt.n_steps 70 --opt.learning_rate 0.9")
        assert (job.total_steps, job.learning_rate) == (300, 2e-4), name
