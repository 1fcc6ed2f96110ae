"""`os.path` and `pathlib`, on paths that are known."""

import pytest

HEAD = "import os, sys\nfrom pathlib import Path\n"


@pytest.mark.parametrize(
    ("code", "words", "expected"),
    [
        ("x = 3\nif os.path.isfile('out/last.ckpt'):\n    x = load()\n", "", 3),
        ("x = 3\nplace = Path('out') / 'checkpoints'\nif place.exists():\n    x = 4\nelse:\n    x = 5\n", "", 5),
        ("x = 3\nif os.path.exists(sys.argv[1]):\n    x = 4\n", "runs/last.ckpt", "unknown"),
        ("x = 3\nif os.path.exists('words.bin'):\n    x = 4\n", "", "unknown"),
        ("x = 3\nif os.path.exists('data/elastic/blast.bin'):\n    x = 4\n", "", "unknown"),
        ("x = 3\nif os.path.exists('out/last.pt'):\n    x = 4\nelse:\n    sys.exit(1)\n", "", 4),
        ("x = 3\nif os.path.isfile(''):\n    x = 4\n", "", 3),
        ("x = 3\nif not os.path.exists('out/checkpoint.pt'):\n    sys.exit(1)\nx = 4\n", "", 4),
    ],
)
def test_state_of_an_earlier_run(outcome, code, words, expected):
    assert outcome(HEAD + code, words) == expected


def test_options_that_a_resumed_run_would_change(read):
    program = HEAD + (
        "import argparse, glob, torch, yaml\nparser = argparse.ArgumentParser()\n"
        "parser.add_argument('--base', nargs='*')\nparser.add_argument('--name')\ntold = parser.parse_args()\n"
        "state = os.path.join('logs', told.name, 'last.ckpt')\n"
        "if os.path.isfile(state):\n    told.base = sorted(glob.glob(os.path.join('logs', '*.yaml'))) + told.base\n"
        "settings = [yaml.safe_load(open(one)) for one in told.base][0]\nmodel = torch.nn.Linear(3, 3)\n"
        "optimizer = torch.optim.SGD(model.parameters(), lr=settings['rate'])\n"
        "for epoch in range(4):\n    model(torch.zeros(2, 3)).sum().backward()\n    optimizer.step()\n"
    )
    job = read({"go.py": program, "plan.yaml": "rate: 0.25\n"}, "python go.py --name tall --base plan.yaml")
    assert job.learning_rate == 0.25


FILES = {
    "configs/sub/job.yaml": "rate: 0.25\nrows: 8\n",
    "settings/job.json": '{"rate": 0.25, "rows": 8}\n',
    "parts/job_of_mine.py": "RATE, ROWS = 0.25, 8\n",
    "pkg/__init__.py": "",
    "pkg/job.json": '{"rate": 0.25, "rows": 8}\n',
    "pkg/net.py": "class Net:\n    def __init__(self, rows):\n        self.rows = rows\ndef other():\n    pass\n",
}
FOUND_HEAD = "import glob, json, os, yaml\nfrom enum import Enum\nfrom pathlib import Path\n"
WAYS = {
    "a member of an enumeration": "class Place(Enum):\n    FILE = Path('configs/sub/job.yaml')\n"
    "c = yaml.safe_load(open(Path(__file__).parent / Place.FILE.value))\n",
    "the first that exists": "ends = ('.yml', '.yaml')\n"
    "places = [os.path.join(f, 'job' + e) for f in ('conf', 'configs/sub') for e in ends]\n"
    "def find():\n    for one in places:\n        if os.path.exists(one):\n            return one\n"
    "c = yaml.safe_load(open(find()))\n",
    "the next that exists": "places = [Path('job.yaml'), Path('configs/sub') / 'job.yaml']\n"
    "c = yaml.safe_load(next(one for one in places if one.exists()).open())\n",
    "another ending": "c = yaml.safe_load(Path('configs').joinpath('sub', 'job').with_suffix('.yaml').read_text())\n",
    "another name": "c = yaml.safe_load(Path('configs/sub/x.py').with_name('job.yaml').open())\n",
    "a pattern": "c = yaml.safe_load(open(glob.glob('configs/**/job.yaml', recursive=True)[0]))\n",
    "a folder": "c = {n[:-5]: json.load(open(os.path.join('settings', n))) for n in os.listdir('settings')}['job']\n",
    "entries of a folder": "c = {f.stem: json.loads(f.read_text()) for f in Path('settings').iterdir()}['job']\n",
    "one that may be missing": "try:\n    c = yaml.safe_load(open('configs/sub/own.yaml'))\n"
    "except FileNotFoundError:\n    c = yaml.safe_load(open('configs/sub/job.yaml'))\n",
    "the word itself or a name in a folder": "def place(word):\n    if os.path.exists(word):\n"
    "        return os.path.abspath(word)\n"
    "    for end in ('.yml', '.yaml'):\n        if os.path.exists(os.path.join('configs/sub', word + end)):\n"
    "            return os.path.join('configs/sub', word + end)\n    raise FileNotFoundError(word)\n"
    "c = yaml.safe_load(open(place('job')))\n",
    "the folder of a path's folder": "above = os.path.dirname(Path('configs/sub/x.py').parent)\n"
    "c = yaml.safe_load(open(os.path.join(above, './sub/job.yaml')))\n",
    "a resource": "from importlib import resources\nc = json.load(resources.open_text('pkg', 'job.json'))\n",
    "a module beside a path": "import importlib\nos.sys.path.append(os.path.dirname('parts/job_of_mine.py'))\n"
    "made = importlib.import_module('job_of_mine')\nc = {'rate': made.RATE, 'rows': made.ROWS}\n",
    "data of a package": "import pkgutil\nc = json.loads(pkgutil.get_data('pkg', 'job.json').decode('utf-8'))\n",
}


@pytest.mark.parametrize("way", WAYS)
def test_settings_are_found(outcome, way):
    assert outcome(f"{FOUND_HEAD}{WAYS[way]}x = [c['rate'], c['rows']]\n", "", FILES) == [0.25, 8]


KEPT = """
import os, torch
net = torch.nn.Linear(2, 2)
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for kind in ("thin", "wide"):
    if os.path.exists(f"nets/{kind}.ENDING"):
        print("there already")
        continue
    net(torch.ones(2)).sum().backward()
    optimizer.step()
    torch.save(net, f"nets/{kind}.ENDING")
"""


@pytest.mark.parametrize(("ending", "trains"), [("pth", True), ("csv", False)])
def test_a_network_that_lies_in_the_repository_may_be_what_the_job_leaves(read, ending, trains):
    files = {f"nets/{kind}.{ending}": "x" for kind in ("thin", "wide")}
    assert read({"go.py": KEPT.replace("ENDING", ending), **files}, "python go.py").is_training is trains


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("os.path.isdir('configs/sub')", True),
        ("Path('settings').is_dir()", True),
        ("os.path.isfile('configs')", False),
        ("os.path.exists('./configs/')", True),
        ("os.path.isdir('outputs')", "unknown"),
        ("os.path.isdir('configs/other')", "unknown"),
    ],
)
def test_a_folder_of_settings_is_there(outcome, asked, told):
    files = {**FILES, "outputs/last.txt": "x"}
    assert outcome(f"import os\nfrom pathlib import Path\nx = {asked}\n", "", files) == told
