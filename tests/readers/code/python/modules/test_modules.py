"""Modules that give a name only when it is asked for: by `__getattr__`, or by a table of what their parts hold."""

import pytest

PARTS = {
    "work/parts/wide.py": "size = 8\nclass Wide:\n    rows = 5\n",
    "work/parts/slim.py": "class Slim:\n    rows = 3\n",
}
ASKED = """
import importlib
TABLE = {"Wide": ("work.parts.wide", "Wide"), "Slim": ("work.parts.slim", "Slim")}

def __getattr__(name):
    if name not in TABLE:
        raise AttributeError(name)
    module, attribute = TABLE[name]
    return getattr(importlib.import_module(module), attribute)
"""
TABLE = """
import sys
from somewhere import _LazyModule
_import_structure = {"wide": ["size", "Wide"], "slim": ["Slim"]}
sys.modules[__name__] = _LazyModule(__name__, __file__, _import_structure)
"""


@pytest.mark.parametrize("made", [ASKED, TABLE])
@pytest.mark.parametrize(
    "asking",
    [
        "from work.parts import Wide, Slim\nx = [Wide.rows, Slim.rows]",
        "import work.parts as parts\nx = [parts.Wide.rows, parts.Slim.rows]",
        "from hydra.utils import instantiate\n"
        "x = [instantiate({'_target_': f'work.parts.{one}'}).rows for one in ('Wide', 'Slim')]",
    ],
)
def test_a_name_is_made_when_it_is_asked_for(outcome, made, asking):
    assert outcome(asking, files={**PARTS, "work/parts/__init__.py": made}) == [5, 3]


@pytest.mark.parametrize("made", [ASKED, TABLE, "def __getattr__(name):\n    return other(name)\n"])
def test_what_it_does_not_know_stays_unknown(outcome, made):
    files = {**PARTS, "work/parts/__init__.py": made}
    assert outcome("from work import parts\nx = parts.Round", files=files) == "unknown"


def test_what_the_module_has_is_not_asked_for(outcome):
    files = {"work/parts/__init__.py": "size = 4\ndef __getattr__(name):\n    return 9\n"}
    assert outcome("from work import parts\nx = [parts.size, parts.more]", files=files) == [4, 9]


def test_a_module_that_asks_itself_in_a_circle_ends(outcome):
    files = {
        "work/parts/__init__.py": "import work.parts\ndef __getattr__(name):\n    return getattr(work.parts, name)\n"
    }
    assert outcome("from work import parts\nx = parts.size", files=files) == "unknown"


@pytest.mark.parametrize("part", ["", "..", "../parts", ".", "./", "/", "../../x", "wide.", ".wide"])
def test_a_table_whose_parts_are_no_names_costs_only_itself(outcome, part):
    files = {**PARTS, "work/parts/__init__.py": f"_import_structure = {{{part!r}: ['size', 'Round']}}\n"}
    assert outcome("import work.parts as parts\ny = parts.Round\nx = 1", files=files) == 1
    assert outcome("from work import parts\nx = parts.Round", files=files) == "unknown"


@pytest.mark.parametrize("name", ["work.parts/", "work.parts//", ".parts//", "work/../work.parts"])
def test_a_module_that_imports_itself_by_an_odd_name_ends(outcome, name):
    text = f"import importlib\nsize = 3\nimportlib.import_module({name!r}, 'work')\n"
    files = {"work/parts/__init__.py": f"{text}other = getattr(importlib.import_module({name!r}), 'Round', None)\n"}
    assert outcome("from work import parts\nx = [parts.size, 2]", files=files)[1] == 2


def test_a_name_that_a_part_takes_back_from_its_package_is_not_lost(outcome):
    files = {
        "work/__init__.py": "from work.kinds import Wide\nfrom work.loop import *\n",
        "work/kinds.py": "class Wide:\n    rows = 5\n",
        "work/loop.py": "from work import Wide\ndef rows():\n    return Wide.rows\n",
    }
    assert outcome("from work import rows, Wide\nx = [rows(), Wide.rows]", files=files) == [5, 5]


def test_a_part_that_lies_here_is_no_library_s_however_its_package_is_called(read):
    files = {
        "datasets/rooms.py": "rows = 5\n",
        "datasets/__init__.py": "",
        "tools/fit.py": """
            import torch
            from datasets.rooms import rows
            net = torch.nn.Linear(2, 2)
            optimizer = torch.optim.SGD(net.parameters(), lr=rows / 10)
            for epoch in range(rows):
                net(torch.ones(2)).sum().backward()
                optimizer.step()
            """,
    }
    found = read(files, "python tools/fit.py")
    assert (found.epochs, found.learning_rate) == (5, 0.5)


TRAIN = """
import sys, torch
model = torch.nn.LSTM(2, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=float(sys.argv[1]))
for epoch in range(3):
    model(1)[0].sum().backward()
    optimizer.step()
"""


def test_a_program_that_exits_with_what_its_main_gives_back_is_followed_first(read):
    body = TRAIN.lstrip("\n").replace("\n", "\n    ").replace("import sys, torch", "    import sys, torch")
    program = f"def main():\n{body}\nif __name__ == '__main__':\n    raise SystemExit(main())\n"
    job = read({"train.py": program}, "python train.py 0.3")
    assert (job.is_training, job.learning_rate, job.epochs) == (True, 0.3, 3)


def test_a_package_goes_before_a_file_of_its_name(follow):
    files = {
        "sieve.py": "size = 1\n",
        "sieve/__init__.py": "size = 2\n",
        "mesh.py": "size = 3\n",
        "mesh/notes.txt": "x\n",
    }
    _, names = follow("import sieve\nimport mesh\nsizes = (sieve.size, mesh.size)\n", files=files)
    assert [size.data for size in names["sizes"].data] == [2, 3]
