"""Words that stand where data are named and name none: runs, tasks of a loop, defaults that nothing reads."""

import pytest

LOOP = """
net = torch.nn.Linear(8, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(40):
    net(make_rows(a.data)).sum().backward()
    optimizer.step()
"""
OPTIONS = """
import argparse
from pathlib import Path
import torch

p = argparse.ArgumentParser()
p.add_argument("--data", type=Path)
p.add_argument("--dataset", default="imagenet", choices=["imagenet", "cifar100"])
p.add_argument("--weights", default="./imagenet_top.pkl")
p.add_argument("--task_name", default="train")
p.add_argument("--output_dir", default="out")
a = p.parse_args()
"""


@pytest.mark.parametrize(
    ("lines", "words", "name"),
    [
        ("", "--data /scratch/groups/lab/moor_larks", "moor_larks"),
        ("print(a.dataset)", "--data /scratch/groups/lab/moor_larks", "ImageNet"),
        ("", "--data /scratch/groups/lab/moor_larks --dataset cifar100", "CIFAR-100"),
        ("", "--data /data", "ImageNet"),
    ],
)
def test_a_default_that_nothing_reads_beside_the_folder_that_is_told(read, lines, words, name):
    assert read({"fit.py": OPTIONS + lines + LOOP}, f"python fit.py {words}").dataset_name == name


@pytest.mark.parametrize(
    ("lines", "words", "name"),
    [
        ("", "--task_name lark-huge-full", None),
        ("print(a.task_name)", "--task_name lark-huge-full", "lark-huge-full"),
        ("", "--task_name mnli", "MNLI"),
        ("print(a.task_name)", "--task_name lark-huge --output_dir out/lark-huge", "lark-huge"),
    ],
)
def test_a_task_that_nothing_reads_names_the_run(read, lines, words, name):
    program = OPTIONS.replace(', default="imagenet"', "") + lines + LOOP
    assert read({"fit.py": program}, f"python fit.py {words}").dataset_name == name


WORLD = """
import torch

class World:
    def __init__(self, task_name):
        self.task_name = task_name

for env_name in ["reach-shelf", "open-drawer"]:
    print(env_name)
{line}
a = World(task_name="benchmark_{kind}")
print(a.task_name)
a.data = 8
""" + LOOP.replace("{", "{{").replace("}", "}}")


@pytest.mark.parametrize("kind", ["door", "kitchen", "7"])
def test_what_code_alone_calls_a_task_or_a_world_is_no_data_set(read, kind):
    assert read({"fit.py": WORLD.format(kind=kind, line="")}, "python fit.py").dataset_name is None


INITIALS = """
import torch
from torch.utils.data import DataLoader, Dataset

class {name}(Dataset):
    def __init__(self, rows):
        self.rows = rows

net = torch.nn.Linear(8, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for rows in DataLoader({name}(open_rows()), batch_size=4, shuffle=True):
    net(rows).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("cifar10/dataset.py", "CIFAR-10"),
        ("alaska2/data.py", "ALASKA2"),
        ("cifar10/shapes.py", None),
        ("moor/dataset.py", None),
    ],
)
def test_the_folder_of_a_plain_file_names_the_class_of_data(read, path, found):
    module = INITIALS.partition("net =")[0].format(name="TrainingValidationDataset")
    package = path.replace("/", ".").removesuffix(".py")
    loop = "net =" + INITIALS.partition("net =")[2].format(name="TrainingValidationDataset")
    program = f"import torch\nfrom torch.utils.data import DataLoader\nfrom {package} import *\n{loop}"
    files = {path: module, path.partition("/")[0] + "/__init__.py": "", "fit.py": program}
    assert read(files, "python fit.py").dataset_name == found


UNNAMED = OPTIONS.replace(', default="imagenet"', "").replace("a = p.", 'p.add_argument("--domain_name")\na = p.')


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("--domain_name ENZYMES", "ENZYMES"),
        ("--domain_name cifar10", "CIFAR-10"),
        ("--domain_name wikitext", "WikiText"),
        ("--domain_name resnet_on_cifar10", None),
        ("--domain_name iris", None),
        ("--weights cifar10", None),
    ],
)
def test_a_known_set_to_the_letter_names_the_data_under_any_option(read, words, name):
    program = UNNAMED.replace('default="./imagenet_top.pkl"', 'default=""') + LOOP
    assert read({"fit.py": program}, f"python fit.py {words}").dataset_name == name


DRAWN = INITIALS.replace("def __init__(self, rows):", "def __init__(self, {hint}):").replace(
    "self.rows = rows", "self.rows = 1\n\n    def __getitem__(self, place):\n        return torch.randn(4)"
)


@pytest.mark.parametrize(
    ("hint", "found"),
    [
        ("id2sound: dict[int, np.ndarray]", None),
        ("meta: pl.DataFrame", None),
        ("where: Path", None),
        ("many: int", "synthetic data (LarkDataset)"),
    ],
)
def test_what_a_class_of_data_is_given_is_not_made_up(read, hint, found):
    program = DRAWN.format(name="LarkDataset", hint=hint)
    assert read({"fit.py": program}, "python fit.py").dataset_name == found


@pytest.mark.parametrize(("name", "found"), [
    ("path_to_dataset_root", None), ("your_data", None), ("larks", "larks"), ("PathMNIST", "PathMNIST"),
    ("birds/name-the-larks", "birds/name-the-larks"), ("lark/to-be-or-not", "lark/to-be-or-not"),
    ("birds/my_set", None),
])  # fmt: skip
def test_a_word_to_be_filled_in_names_no_data(read, name, found):
    program = """
    import yaml, torch
    told = yaml.safe_load(open("plan.yaml"))
    net = torch.nn.Linear(8, 2)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for step in range(40):
        net(make_rows(told["dataset"])).sum().backward()
        optimizer.step()
    """
    assert read({"fit.py": program, "plan.yaml": f"dataset: {name}\n"}, "python fit.py").dataset_name == found


@pytest.mark.parametrize(("told", "found"), [("plans/my_plan", None), ("lark/songs", "lark/songs")])
def test_a_path_that_is_to_be_filled_in_names_no_data(read, told, found):
    program = (
        "import argparse\nimport torch\nparser = argparse.ArgumentParser()\nparser.add_argument('--dataset')\n"
        "told = parser.parse_args()\nmodel = torch.nn.Linear(3, 3)\n"
        "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\nfor batch in load(told.dataset):\n"
        "    model(batch).sum().backward()\n    optimizer.step()\n"
    )
    assert read({"fit.py": program}, f"python fit.py --dataset {told}").dataset_name == found


MASKED = """
import random
import torch
class LarkDataset(torch.utils.data.Dataset):
    def __init__(self, flights, many):
        {put}
    def __len__(self):
        return 90
    def __getitem__(self, place):
        row = {taken}
        return row if random.random() < 0.5 else 0
loader = torch.utils.data.DataLoader(LarkDataset(all_flights(), 3), batch_size=4)
net = torch.nn.Linear(2, 2)
sgd = torch.optim.SGD(net.parameters(), lr=0.1)
for batch in loader:
    net(batch).sum().backward()
    sgd.step()
"""


@pytest.mark.parametrize(
    ("put", "taken", "name"),
    [
        ("self.rows = sorted(flights)", "self.rows[place]", None),
        ("self.rows = torch.randn(many, 2)", "self.rows[place]", "synthetic data (LarkDataset)"),
        ("self.many = many", "torch.randn(self.many)", "synthetic data (LarkDataset)"),
    ],
)
def test_chance_that_hides_parts_of_samples_does_not_make_them(read, put, taken, name):
    assert read({"go.py": MASKED.format(put=put, taken=taken)}, "python go.py").dataset_name == name


TABLE = """
import argparse
import pandas
import torch

p = argparse.ArgumentParser()
p.add_argument("--data_dir", default="../data/")
p.add_argument("--data_name", default="Qz")
a = p.parse_args()
rows = pandas.read_csv(a.data_dir + {file})
colours = open(a.data_dir + a.data_name + "_colours.json").read()
"""


@pytest.mark.parametrize(
    ("file", "words", "name"),
    [
        ('"meadow_walks.csv"', "", "meadow_walks"),
        ('"meadow_walks.csv"', "--data_name heron", "heron"),
        ('a.data_name + ".csv"', "", "Qz"),
        ('"train.csv"', "", "Qz"),
    ],
)
def test_a_default_that_the_one_table_which_is_read_is_not_called_by(read, file, words, name):
    program = TABLE.format(file=file) + LOOP.replace("a.data", "rows")
    assert read({"fit.py": program}, f"python fit.py {words}").dataset_name == name
