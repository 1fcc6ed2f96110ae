"""A job begins anew: what only an earlier run of it leaves behind is not there yet."""

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
