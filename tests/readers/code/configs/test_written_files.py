"""What stands in a file when it is read or a program is started: the last write before, whole or put behind."""

import json

import pytest

KEPT = "import json, yaml\nfrom pathlib import Path\n"
READ = "x = yaml.safe_load(open('c.yaml'))\nx = x.get('lr') if isinstance(x, dict) else x\n"


@pytest.mark.parametrize(
    ("text", "rate"),
    [
        ("open('c.yaml', 'w').write('lr: 1\\n')\nopen('c.yaml', 'w').write('lr: 2\\n')\n", 2),
        ("with open('c.yaml', 'w') as f:\n    f.write('batch: 1\\n')\n    f.write('lr: 2\\n')\n", 2),
        ("with open('c.yaml', 'w') as f:\n    f.write('lr: ')\n    f.write('2\\n')\n", 2),
        ("open('c.yaml', 'w').write('batch: 1\\n')\nopen('c.yaml', 'a').write('lr: 2\\n')\n", 2),
        ("Path('c.yaml').write_text('lr: 1\\n')\nPath('c.yaml').write_text('lr: 2\\n')\n", 2),
        ("with Path('c.yaml').open('w') as f:\n    yaml.dump({'lr': 2}, f)\n", 2),
        ("Path('c.yaml').write_text(yaml.dump({'lr': 2}))\n", 2),
        ("with open('c.yaml', 'w') as f:\n    f.write(json.dumps(dict(lr=2), indent=1))\n", 2),
        ("yaml.dump({'lr': 1}, open('c.yaml', 'w'))\nyaml.dump({'lr': 2}, open('c.yaml', 'w'))\n", 2),
        ("for rate in (1, 2):\n    open('c.yaml', 'w').write(f'lr: {rate}\\n')\n", 2),
        ("open('c.yaml', 'w').write('lr: 1\\n')\nx = yaml.safe_load(open('c.yaml'))\n"
         "open('c.yaml', 'w').write('lr: 2\\n')\n", 2),
        ("open('c.yaml', 'w').write('lr: 2\\n')\ntext = open('c.yaml').read()\n"
         "open('d.yaml', 'w').write(text)\nPath('c.yaml').write_text(open('d.yaml').read())\n", 2),
    ],
    ids=["twice", "behind", "in pieces", "appended", "path", "open path", "as YAML", "as JSON", "dumped", "loop",
         "read between", "copied"],
)  # fmt: skip
def test_the_last_write_counts(outcome, text, rate):
    assert outcome(KEPT + text + READ, "", {"c.yaml": "lr: 9\n"}) == rate


@pytest.mark.parametrize(
    "text",
    [
        "open('c.yaml', 'a').write('lr: 2\\n')\n",
        "import random\nif random.random() > 0.5:\n    open('c.yaml', 'w').write('lr: 2\\n')\n",
        "import random\nopen('c.yaml', 'w').write('lr: 1\\n')\n"
        "if random.random() > 0.5:\n    open('c.yaml', 'w').write('lr: 2\\n')\n",
        "import random\nopen('c.yaml', 'w').write('lr: 1\\n')\n"
        "for _ in range(random.randint(0, 9)):\n    open('c.yaml', 'a').write('lr: 2\\n')\n",
        "import render\nopen('c.yaml', 'w').write('lr: 1\\n')\nopen('c.yaml', 'w').write(render.render())\n",
        "import render\nyaml.dump({'lr': 1}, open('c.yaml', 'w'))\nyaml.dump(render.render(), open('c.yaml', 'w'))\n",
        "f = open('c.yaml', 'w')\nyaml.dump({'lr': 1}, f)\nf.write('lr: 2\\n')\n",
    ],
    ids=["behind a file", "condition", "one of two", "loop", "unknown text", "unknown settings", "behind settings"],
)
def test_what_only_the_run_writes_is_not_known(outcome, text):
    assert outcome(KEPT + text + READ, "", {"c.yaml": "lr: 9\n"}) == "unknown"


def test_ways_that_write_the_same_leave_it_known(outcome):
    text = "import random\nif random.random() > 0.5:\n    rate = 'lr: 2\\n'\nelse:\n    rate = 'lr: 2\\n'\n"
    write = "open('c.yaml', 'w').write(rate)\n"
    assert outcome(KEPT + text + write + READ) == 2


def test_an_appended_line_is_quoted_where_it_stands(follow):
    text = KEPT + "f = open('c.yaml', 'w')\nf.write('batch: 1\\n')\n\nf.write('lr: 2\\n')\n" + READ
    assert [spot.line for spot in follow(text)[1]["x"].src] == [6]


TRAIN = """
    import sys
    import torch, yaml

    given = yaml.safe_load(open(sys.argv[1]))
    model = torch.nn.Linear(2, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=given["lr"])
    for step in range(7):
        model(torch.zeros(1, 2)).sum().backward()
        optimizer.step()
"""


def notebook(*cells):
    return json.dumps({"cells": [{"cell_type": "code", "source": cell.splitlines(keepends=True)} for cell in cells]})


@pytest.mark.parametrize(
    ("cells", "rate"),
    [
        (["%%writefile c.yaml\nlr: 1\n", "%%writefile c.yaml\nlr: 2\n", "!python train.py c.yaml\n"], 2),
        (["%%writefile c.yaml\nlr: 2\n", "!python train.py c.yaml\n", "%%writefile c.yaml\nlr: 1\n"], 2),
        (["!echo 'lr: 1' > c.yaml\n", "!echo 'lr: 2' > c.yaml\n", "!python train.py c.yaml\n"], 2),
        (["!echo 'lr: 1' > c.yaml\n", "%%writefile c.yaml\nlr: 2\n", "!python train.py c.yaml\n"], 2),
        (["%%writefile c.yaml\nlr: 1\n", "!echo 'lr: 2' > c.yaml\n", "!python train.py c.yaml\n"], 2),
        (["%%writefile c.yaml\nbatch: 1\n", "%%writefile -a c.yaml\nlr: 2\n", "!python train.py c.yaml\n"], 2),
    ],
    ids=["rewritten", "written after", "by the shell", "after the shell", "shell after it", "put behind"],
)
def test_a_program_reads_what_was_written_last_before_it_starts(read, cells, rate):
    job = read({"a.ipynb": notebook(*cells), "train.py": TRAIN}, "jupyter nbconvert --execute a.ipynb")
    assert job.learning_rate == rate


@pytest.mark.parametrize(
    ("script", "rate"),
    [
        ("echo 'batch: 4' > c.yaml\necho 'lr: 2' >> c.yaml\npython train.py c.yaml\n", 2),
        ("echo 'lr: 2' > c.yaml\npython train.py c.yaml\necho 'lr: 1' > c.yaml\n", 2),
        ("echo 'lr: 1' | tee c.yaml\necho 'lr: 2' | tee c.yaml\npython train.py c.yaml\n", 2),
        ("if nvidia-smi; then\n  echo 'lr: 2' > c.yaml\nfi\npython train.py c.yaml\n", None),
        ("echo 'lr: 2' >> d.yaml\npython train.py d.yaml\n", None),
        ("echo 'lr: 2' > c.yaml\npython make.py > c.yaml\npython train.py c.yaml\n", None),
    ],
    ids=["appended", "before the start", "tee", "condition", "behind a file", "what a program prints"],
)
def test_a_shell_writes_as_programs_do(read, script, rate):
    files = {"run.sh": script, "train.py": TRAIN, "c.yaml": "lr: 9\n", "d.yaml": "lr: 9\n"}
    assert read(files, "bash run.sh").learning_rate == rate
