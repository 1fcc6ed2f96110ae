"""Numbers that the standard library and numpy work out of known ones."""

import pytest

from tests.readers.code.programs import FIT_BATCHES, WITH_OPTIONS


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("np.sum([1, 2, 3])", 6),
        ("np.max((4, 9, 2))", 9),
        ("np.amin([4, 9, 2])", 2),
        ("np.mean([1.0, 2.0])", 1.5),
        ("math.gcd(12, 18)", 6),
        ("np.lcm(4, 6)", 12),
    ],
)
def test_numbers_of_known_rows_are_worked_out(outcome, code, expected):
    assert outcome(f"import math\nimport numpy as np\nx = {code}") == expected


@pytest.mark.parametrize("code", ["np.sum([1, open('n')])", "np.max([[1, 2], [3, 4]], axis=0)", "np.sum(np.ones(3))"])
def test_of_others_nothing_is_said(follow, code):
    value = follow(f"import numpy as np\nx = {code}")[1]["x"]
    assert not isinstance(value.data, (int, float))


def test_a_function_that_is_pickled_for_another_process_is_followed(read):
    code = FIT_BATCHES + (
        "import cloudpickle, subprocess, sys\ndef call(thunk, **given):\n    def whole():\n        thunk(**given)\n"
        "    subprocess.check_call([sys.executable, 'entry.py', cloudpickle.dumps(whole)])\n"
        "call(fit, lr=0.7, steps=3)\n"
    )
    assert read({"train.py": code}, "python train.py").learning_rate == 0.7


@pytest.mark.parametrize("folder", ["..", "../", "Path(__file__).parent.parent", "work"])
def test_a_command_is_started_in_the_folder_that_the_program_names(read, folder):
    told = folder if "(" in folder else repr(folder)
    inner = "train.py" if folder != "work" else "../train.py"
    files = {
        "train.py": "print('not this one')",
        "work/train.py": "print('nor this one')",
        "jobs/train.py": WITH_OPTIONS,
        "jobs/work/notes.txt": "a folder",
        "jobs/sh/start.py": f"""
            import subprocess
            from pathlib import Path

            subprocess.run(["python", "{inner}", "--batch", "6"], cwd={told}, check=True)
            """,
    }
    workdir = "jobs" if folder == "work" else "jobs/sh"
    found = read(files, "python sh/start.py" if folder == "work" else "python start.py", workdir)
    assert (found.is_training, found.batch_size) == (True, 6)


def test_a_folder_above_the_repository_is_counted_from_the_script(read):
    files = {
        "train.py": WITH_OPTIONS,
        "sh/train.py": "print('not this one')",
        "sh/start.py": """
            import subprocess

            subprocess.call(["python", "train.py", "--batch", "6"], cwd="../")
            """,
    }
    assert read(files, "python sh/start.py").batch_size == 6


@pytest.mark.parametrize("name", ["shlex.quote", "pipes.quote", "six.moves.shlex_quote"])
def test_quoted_words_start_what_they_name(read, name):
    start = "import os\nimport pipes\nimport shlex\nimport six.moves\nwords = ['train.py', '--lr', str(0.25)]\n"
    start += f"os.system('python ' + ' '.join({name}(word) for word in words))\n"
    job = read({"start.py": start, "train.py": QUOTED}, "python start.py")
    assert (job.is_training, job.learning_rate) == (True, 0.25)


QUOTED = """
import argparse
import torch
p = argparse.ArgumentParser()
p.add_argument("--lr", type=float)
net = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=p.parse_args().lr)
net(torch.ones(2)).sum().backward()
optimizer.step()
"""
