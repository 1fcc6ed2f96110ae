"""Whatever text stands in scripts, configurations and programs: no exception but ours, in bounded time."""

import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from schedmate.readers.code.configs.yaml_text import read_yaml
from schedmate.readers.code.launchers.started_programs import programs_of
from schedmate.readers.code.reader import read_code
from schedmate.readers.code.shell.tokens import tokenize
from schedmate.tools.repository import Repository

SHELL_PIECES = [
    "python train.py", "--lr ", "0.1", "$X", "${X:-", "${X%%*}", "${A[@]:1}", "${!X}", "}", "$((", "))", "$(", "`",
    ")", "(", "{ ", "};", "if ", "then ", "else ", "fi;", "for i in ", "do ", "done;", "while ", "case $1 in ",
    "esac;", ";;", "*)", "\"", "'", "\\", "\n", ";", "&&", "", "", "", "&", "<<EOF\n", "EOF\n", "<<< ", "> f ", "X=",
    "A=(", "A[k]=", "f() {", "f ", "[ ", " ]", "[[ ", " ]]", "-gt ", "set -- a b;", "shift 9;", "getopts ab: o;",
    "eval ", "exec ", "source run.sh", "bash -c ", "bash run.sh", "sbatch ", "srun ", "torchrun --nproc_per_node=",
    "xargs ", "parallel ", "::: ", "env ", "export ", "declare -A ", "return;", "exit;", "# ", "\t", "\x00", "é",
    "$@", "\"$@\"", "$#", "$1", "~/", "((", "select x in ", "! ", "cat ", "tee f", "echo ", "cd ..;", "make ",
    "just ", "kubectl apply -f c.yaml", "sky launch c.yaml",
]  # fmt: skip
SHELL = st.lists(st.sampled_from(SHELL_PIECES), max_size=40).map("".join)
YAML_PIECES = [
    "a: ", "b: ", "- ", "\n", "  ", "    ", "&x ", "*x", "<<: ", "[", "]", "{", "}", "\"", "'", ">\n",
    "!!python/object:os.x ", "!new:a.b ", "1", "0x1f", "1_0", "null", "~", "${a}", "${b.c}", "_base_: c.yaml\n",
    "defaults:\n", "run: python train.py\n", "command: [python, train.py]\n", "containers:\n", "replicas: 2\n",
    "spec:\n", "---\n", "#", ":", "\t", "%", "? ", "kind: PyTorchJob\n", "entrypoint: x\n", "nvidia.com/gpu: 8\n",
]  # fmt: skip
YAML = st.lists(st.sampled_from(YAML_PIECES), max_size=40).map("".join)
PYTHON_PIECES = [
    "import torch\n", "import yaml\n", "c = yaml.safe_load(open('c.yaml'))\n", "for i in ", "range(3):\n", " ",
    "    ", "\n", "x", "= ", "(", ")", "[", "]", "{", "}", "'", ":", "lambda ", "if ", "else ", "def f(", "class A(",
    "return ", "yield ", "*", "**", "%", "+", "-", "@", ".", "f'", "{x!r:>1000}", "1e999", "10**9", "print x\n",
    "eval('x')", "torch.optim.SGD(", "lr=", "c['a']", "while True:\n", "try:\n", "except:\n", "with ", "del ",
    "from y import *\n", "import train\n", "match x:\n", "case ", ":=", "\x00", "é",
]  # fmt: skip
PYTHON = st.lists(st.sampled_from(PYTHON_PIECES), max_size=50).map("".join)
QUICK = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture
def bounded():
    started = time.process_time()
    yield
    assert time.process_time() - started < 30


@QUICK
@given(script=SHELL, configuration=YAML, command=st.one_of(SHELL, st.sampled_from(["bash run.sh", "sbatch run.sh"])))
def test_any_shell(tmp_path, bounded, script, configuration, command):
    (tmp_path / "run.sh").write_text(script)
    (tmp_path / "c.yaml").write_text(configuration)
    launches, notes = programs_of(Repository(tmp_path), command, ".")
    assert all(launch.kind in ("none", "tool", "script", "module", "code") for launch in launches)
    assert all(isinstance(note, str) for note in notes)


@QUICK
@given(program=PYTHON, configuration=YAML)
def test_any_program(tmp_path, bounded, program, configuration):
    (tmp_path / "train.py").write_text(program)
    (tmp_path / "c.yaml").write_text(configuration)
    reading = read_code(Repository(tmp_path), "python train.py --config c.yaml")
    assert not [note for note in reading.notes if "a fault of the reader" in note]
    workload = reading.workload
    assert set(workload.evidence) >= {
        name for name in ("optimizer", "learning_rate") if getattr(workload, name) is not None
    }


@QUICK
@given(text=st.one_of(SHELL, st.text(max_size=300)))
def test_tokens_stand_where_they_say(text):
    lines = text.count("\n") + 1
    for token in tokenize(text):
        assert 1 <= token.line <= lines + 1
        assert token.text == "\n" or token.text in text


@QUICK
@given(text=st.one_of(YAML, st.text(max_size=300)))
def test_values_of_a_configuration_know_their_lines(text):
    value = read_yaml(text, "c.yaml")
    assert value is None or all(1 <= spot.line <= text.count("\n") + 2 for spot in value.src)
