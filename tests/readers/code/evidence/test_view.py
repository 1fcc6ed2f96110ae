"""A view of what following a program showed: a reading that could not see all says so by its gaps."""

import pytest

from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.follow_program import follow, guarded
from schedmate.readers.code.launchers.started_programs import programs_of
from schedmate.readers.code.open_reasons import EndKind, trail_ends
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.leaving import BudgetSpent
from schedmate.tools.repository import Repository

LOADS = """
import torch
import yaml
settings = yaml.safe_load(open("{path}"))
model = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(9):
    model(torch.ones(2)).sum().backward()
    optimizer.step()
"""


@pytest.fixture
def view_of(write):
    def view(files):
        repository = Repository(write(files))
        (launch, *_), _ = programs_of(repository, "python train.py", ".")
        return View(follow(repository, launch, "python train.py"))

    return view


@pytest.mark.parametrize(
    ("path", "text", "is_partial"),
    [
        ("conf.yaml", "lr: 1\nsteps: 3\n", False),
        ("conf.yaml", "lr: 1\nsteps: [1, 2\nepochs: {3\n", True),
        ("conf.yaml", "lr: 1\n\0\n", True),
        ("too long/cannot be parsed.yaml", "lr: 1\n", False),
    ],
)
def test_settings_of_which_a_part_cannot_be_read_leave_a_gap(view_of, path, text, is_partial):
    assert view_of({"train.py": LOADS.format(path=path), path: text}).is_partial == is_partial


def test_a_file_that_is_not_here_is_no_gap_in_the_path_whatever_its_name(view_of):
    view = view_of({"train.py": LOADS.format(path="data/too long/conf.yaml")})
    assert any("too long" in note for note in view.run.notes)
    assert not view.is_partial
    assert trail_ends(view)["epochs"].ending == EndKind.NO_CONFIGURATION


@pytest.mark.parametrize("end", [BudgetSpent(), RecursionError(), ValueError("a fault")])
def test_a_program_that_is_left_before_its_end_is_seen_in_part(view_of, end):
    view = view_of({"train.py": "print(1)\n"})
    assert not view.is_partial

    def stop():
        raise end

    guarded(view.program, stop)
    assert view.is_partial
    assert trail_ends(view)["batch_size"].what == view.run.notes[-1]


@pytest.mark.parametrize("text", ["x = 1\n" * 600_000, "def (:\n" * 40])
def test_code_that_is_not_read_leaves_a_gap(view_of, text):
    assert view_of({"train.py": "import big\nprint(big.x)\n", "big.py": text}).is_partial


LOOP = (
    "net = {net}\noptimizer = torch.optim.SGD(net.parameters(), lr=0.1)\n"
    "for batch in DataLoader(Words('x'), batch_size=4):\n    net(batch).sum().backward()\n    optimizer.step()\n"
)
DATA = (
    "import argparse, torch\nfrom torch.utils.data import DataLoader, Dataset\n"
    "class Words(Dataset):\n    def __init__(self, root):\n        self.rows = open(root).read().split()\n"
    "p = argparse.ArgumentParser()\np.add_argument('--train_data_dir')\n"
    "p.add_argument('--pretrained_model_name_or_path')\na = p.parse_args()\n"
)


def test_a_folder_that_the_command_tells_names_the_data_before_a_class_of_ones_own(read):
    code = (DATA + LOOP.format(net="torch.nn.LSTM(2, 2)")).replace("Words", "EpicSceneDataset")
    told = read({"train.py": code}, "python train.py --train_data_dir images/epic_large_scenes")
    assert told.dataset_name == "epic_large_scenes"
    assert read({"train.py": code}, "python train.py").dataset_name is None


@pytest.mark.parametrize(("place", "size"), [("parts/metrics/quality.py", None), ("parts/quality.py", 48)])
def test_what_only_a_measure_of_quality_takes_is_none_of_the_training(read, place, size):
    module = place.removesuffix(".py").replace("/", ".")
    program = f"""
        import torch
        from {module} import quality
        model = torch.nn.Linear(4, 2)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for x in open("rows"):
            model(x).sum().backward()
            optimizer.step()
        quality(model)
    """
    files = {"go.py": program, place: "def quality(model, batch_size=48):\n    return model(batch_size)\n"}
    assert read(files, "python go.py").batch_size == size


TWO_BATCHES = """
    import sys
    import torch

    class Net:
        def __init__(self):
            self.batch_size = 1

        def fit(self):
            batch_size = self.batch_size
            weights = torch.zeros(4, requires_grad=True)
            step = torch.optim.SGD([weights], lr=0.1)
            for place in range(0, int(input()), batch_size):
                weights.sum().backward()
                step.step()

    def measure(net, batch_size=500):
        for place in range(0, 10, batch_size):
            print(place)

    net = Net()
    for word in sys.argv[1:]:
        name, _, text = word.partition("=")
        setattr(net, name, int(text))
    net.fit()
    measure(net)
"""


def test_of_the_values_under_one_name_the_command_s_counts(read):
    assert read({"go.py": TWO_BATCHES}, "python go.py batch_size=24").batch_size == 24


def test_many_calls_of_training_are_gone_through_once(read, monkeypatch):
    def compare(one, other):
        raise AssertionError("each call is held against each other")

    monkeypatch.setattr(Event, "__eq__", compare)
    calls = "".join(f"bird.fit({number})\n" for number in range(50))
    assert read({"go.py": f"import herons\nbird = herons.Bird()\n{calls}"}, "python go.py").is_training is True
