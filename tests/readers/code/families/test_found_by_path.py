"""Settings and code that are found by paths and names, in all the usual ways."""

import pytest

FILES = {
    "configs/sub/job.yaml": "rate: 0.25\nrows: 8\n",
    "settings/job.json": '{"rate": 0.25, "rows": 8}\n',
    "parts/job_of_mine.py": "RATE, ROWS = 0.25, 8\n",
    "pkg/__init__.py": "",
    "pkg/job.json": '{"rate": 0.25, "rows": 8}\n',
    "pkg/net.py": "class Net:\n    def __init__(self, rows):\n        self.rows = rows\ndef other():\n    pass\n",
}
HEAD = "import glob, json, os, yaml\nfrom enum import Enum\nfrom pathlib import Path\n"
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
    "a resource": "from importlib import resources\nc = json.load(resources.open_text('pkg', 'job.json'))\n",
    "a module beside a path": "import importlib\nos.sys.path.append(os.path.dirname('parts/job_of_mine.py'))\n"
    "made = importlib.import_module('job_of_mine')\nc = {'rate': made.RATE, 'rows': made.ROWS}\n",
    "data of a package": "import pkgutil\nc = json.loads(pkgutil.get_data('pkg', 'job.json').decode('utf-8'))\n",
}


@pytest.mark.parametrize("way", WAYS)
def test_settings_are_found(outcome, way):
    assert outcome(f"{HEAD}{WAYS[way]}x = [c['rate'], c['rows']]\n", "", FILES) == [0.25, 8]


def test_data_that_is_not_here_may_exist(outcome):
    code = HEAD + "x = 0\nif os.path.exists('/data/job.yaml') or os.path.exists('rows.bin'):\n    x = 1\n"
    assert outcome(code, "", FILES) == "unknown"


@pytest.mark.parametrize("path", ["data/words.json", "out/settings.yaml", "weights"])
def test_what_a_program_asks_for_first_may_exist_beside_code_of_that_name(outcome, path):
    files = {"data.py": "", "data/README.md": "", "weights.py": "", "settings.py": ""}
    code = f"import os, sys\nif not os.path.exists({path!r}):\n    sys.exit(1)\nx = 8\n"
    assert outcome(code, "", files) == 8


@pytest.mark.parametrize(
    "guard",
    [
        "if not os.path.exists('configs/own.yaml'):\n    print('copy it first')\n    sys.exit(1)\n",
        "if Path('configs/own.yaml').is_file():\n    pass\nelse:\n    sys.exit(1)\n",
        "from os.path import exists\nif not exists('configs/own.yaml'):\n    sys.exit(1)\n",
        "if not os.path.isfile('configs/own.yaml'):\n    raise SystemExit('copy it first')\n",
        "if not os.path.isfile('configs/own.yaml'):\n    os._exit(1)\n",
    ],
)
def test_a_program_went_on_that_ends_for_want_of_a_file(outcome, guard):
    assert outcome(f"{HEAD}import sys\n{guard}x = 8\n", "", FILES | {"configs/example.yaml": "rate: 1\n"}) == 8


@pytest.mark.parametrize(
    "way",
    [
        "from pydoc import locate\nNet = locate('pkg.net.Net')",
        "import sys\n__import__('pkg.net')\nNet = getattr(sys.modules['pkg.net'], 'Net')",
        "import importlib, inspect\nm = importlib.import_module('pkg.net')\n"
        "Net = [one for name, one in inspect.getmembers(m, inspect.isclass) if name == 'Net'][0]",
    ],
)
def test_classes_are_found(outcome, way):
    assert outcome(f"{way}\nx = Net(rows=8).rows\n", "", FILES) == 8


def test_functions_of_the_program_itself_are_found(outcome):
    code = "import sys\ndef fit():\n    global x\n    x = 8\ngetattr(sys.modules[__name__], sys.argv[1])()\n"
    assert outcome(code, "fit") == 8


def test_what_is_handed_the_work_is_followed(outcome):
    code = "def log(work, path):\n    work()\ndef profile(work, rows):\n    return work(rows)\n"
    code += "def main():\n    global x\n    x = profile(train, 8)\n"
    code += "def train(rows):\n    return rows\nlog(main, 'out.txt')\n"
    assert outcome(code) == 8


def test_what_is_written_into_the_mapping_of_a_namespace_is_in_the_namespace(outcome):
    code = "import argparse\na = argparse.Namespace(rate=1, rows=2)\nm = vars(a)\nm['rate'] = 0.25\n"
    assert outcome(code + "vars(a).update(rows=8)\nx = [a.rate, a.rows]\n") == [0.25, 8]
    code = "import argparse\na = argparse.Namespace(items=1, rows=8)\nx = dict(vars(a).items())['rows']\n"
    assert outcome(code) == 8


def test_managers_that_are_entered_by_a_stack(outcome):
    code = """
        from contextlib import ExitStack, contextmanager
        @contextmanager
        def options():
            yield {"rows": 8}
        with ExitStack() as stack:
            x = stack.enter_context(options())["rows"]
    """
    assert outcome(code) == 8


def test_a_list_is_no_text(outcome):
    code = "import argparse\na = argparse.Namespace(fast='True', sets='A+B')\na.sets = a.sets.split('+')\n"
    code += "for n in vars(a):\n    if vars(a)[n] == 'True':\n        vars(a)[n] = True\n"
    assert outcome(code + "x = [a.fast, a.sets]\n") == [True, ["A", "B"]]
