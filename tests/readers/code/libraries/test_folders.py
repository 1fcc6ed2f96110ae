"""What programs find in the repository's folders."""

from itertools import product

import pytest

from schedmate.readers.code.adapters import new_run
from schedmate.readers.code.python.modules.modules import execute_module
from schedmate.readers.code.values.nested import plain
from schedmate.readers.code.values.scopes import Module
from schedmate.tools.repository import Repository

WIDE, DEEP = 3, 4


class Counting(Repository):
    """Counts the folders that are listed."""

    listed = 0

    def list_folder(self, path=".", most=10_000):
        self.listed += 1
        return super().list_folder(path, most)


def test_a_pattern_of_many_stars_looks_at_each_folder_once(write):
    leaves = ["/".join(names) for names in product("abc"[:WIDE], repeat=DEEP)]
    files = {f"{leaf}/train.yaml": "lr: 1" for leaf in leaves}
    stars = "/".join(["**", "*"] * 5)
    text = (
        f"import glob\nplain = glob.glob('**/*.yaml')\nmany = glob.glob('**/**/**/*.yaml')\nodd = glob.glob('{stars}')"
    )
    repository = Counting(write({"main.py": text, "top.yaml": "lr: 1", **files}))
    module = Module("main", "main.py", ".", is_main=True)
    execute_module(new_run(repository, []), module)
    found = plain(module.vars["plain"])
    assert sorted(found) == sorted(["top.yaml", *(f"{leaf}/train.yaml" for leaf in leaves)])
    assert plain(module.vars["many"]) == found
    folders = sum(WIDE**level for level in range(DEEP + 1))
    assert repository.listed < folders * 15


SEARCH = """
import importlib
import pkgutil
from os.path import join

def search(folder, name, package):
    for _, module, is_package in pkgutil.iter_modules([folder]):
        if not is_package:
            found = importlib.import_module(package + "." + module)
            if hasattr(found, name):
                return getattr(found, name)
    for _, module, is_package in pkgutil.iter_modules([folder]):
        if is_package:
            found = search(join(folder, module), name, package + "." + module)
            if found is not None:
                return found
    return None
"""
TRAINER = """
import torch

class Trainer:
    def __init__(self):
        self.rate = 0.01
        self.rounds = 20

    def optimizer(self, net):
        return torch.optim.SGD(net.parameters(), self.rate)

    def run(self):
        net = torch.nn.Conv2d(1, 1, 3)
        optimizer = self.optimizer(net)
        for epoch in range(self.rounds):
            for image in torch.utils.data.DataLoader([], batch_size=2):
                net(image).sum().backward()
                optimizer.step()
"""
VARIANT = """
import torch
from seg.trainers.plain import Trainer

class TrainerSlow(Trainer):
    def __init__(self):
        super().__init__()
        self.rate = 0.0003

    def optimizer(self, net):
        return torch.optim.AdamW(net.parameters(), lr=self.rate)
"""


def test_a_trainer_class_is_searched_through_packages(read):
    files = {
        "pyproject.toml": '[project]\nname = "seg"\n[project.scripts]\nseg_train = "seg.run:main"\n',
        "seg/__init__.py": "",
        "seg/find.py": SEARCH,
        "seg/run.py": """
            import argparse
            import seg
            from seg.find import search
            from os.path import join

            def main():
                parser = argparse.ArgumentParser()
                parser.add_argument("data")
                parser.add_argument("-tr", default="Trainer")
                args = parser.parse_args()
                trainer = search(join(seg.__path__[0], "trainers"), args.tr, "seg.trainers")
                trainer().run()
        """,
        "seg/trainers/__init__.py": "",
        "seg/trainers/plain.py": TRAINER,
        "seg/trainers/variants/__init__.py": "",
        "seg/trainers/variants/broken.py": "raise RuntimeError('what does not hold the name is not followed')\n",
        "seg/trainers/variants/slow.py": VARIANT,
    }
    job = read(files, "seg_train 4")
    assert (job.learning_rate, job.optimizer, job.epochs) == (0.01, "SGD", 20)
    job = read(files, "seg_train 4 -tr TrainerSlow")
    assert (job.learning_rate, job.optimizer, job.epochs) == (0.0003, "AdamW", 20)


RESUMES = """
import os
import torch

kept = "saved/runs"
os.makedirs({made}, exist_ok=True)
{before}
found = [os.path.join(kept, name) for name in os.listdir(kept)]
if found:
    model = torch.load(max(found, key=os.path.getctime))
    rate = 1e-5
else:
    model = torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3), torch.nn.Flatten(), torch.nn.Linear(8, 2))
    rate = 0.05
optimizer = torch.optim.SGD(model.parameters(), lr=rate)
for epoch in range(4):
    for rows in load():
        model(rows).sum().backward()
        optimizer.step()
"""


@pytest.mark.parametrize(
    ("made", "before", "rate"),
    [
        ("kept", "", 0.05),
        ("kept", "import shutil; shutil.copy('old.pt', 'saved/runs/old.pt')", None),
        ("'elsewhere'", "", None),
    ],
)
def test_a_folder_that_the_program_has_just_made_is_empty_at_the_first_run(read, made, before, rate):
    job = read({"go.py": RESUMES.format(made=made, before=before), "old.pt": ""}, "python go.py")
    assert job.learning_rate == rate


def test_a_folder_that_is_here_holds_what_only_the_run_knows(read):
    files = {"go.py": RESUMES.format(made="kept", before=""), "saved/runs/a.bin": ""}
    assert read(files, "python go.py").learning_rate is None
