"""What a configuration describes is made: by `_target_`, with what stands below it made first."""

import pytest

from tests.readers.code.programs import TORCH_HEAD

HEAD = "from hydra.utils import instantiate, get_class\n"
OWN = {
    "own.py": "class Net:\n    def __init__(self, depth=1, inner=None):\n"
    "        self.depth = depth\n        self.inner = inner\n"
    "def rate(a, b=2):\n    return a * b\n"
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = instantiate({'_target_': 'own.rate', 'a': 3})", 6),
        ("x = instantiate({'_target_': 'own.rate', 'a': 3}, b=5)", 15),
        ("x = instantiate({'_target_': 'own.rate', '_args_': [3, 4]})", 12),
        ("x = instantiate({'_target_': 'own.rate', '_partial_': True, 'b': 7})(2)", 14),
        ("x = instantiate({'_target_': 'own.Net', 'inner': {'_target_': 'own.rate', 'a': 4}}).inner", 8),
        ("x = instantiate({'_target_': 'own.Net', '_recursive_': False, 'inner': {'k': 1}}).inner", {"k": 1}),
        ("x = instantiate({'a': {'_target_': 'own.rate', 'a': 1}})['a']", 2),
        ("x = instantiate({'class': 'own.rate', 'params': {'a': 5}})", 10),
        ("x = get_class('own.Net')(depth=9).depth", 9),
    ],
)
def test_what_a_node_describes_is_made(outcome, text, expected):
    assert outcome(f"{HEAD}{text}\n", "", OWN) == expected


def test_a_librarys_class_is_noted_as_called(follow):
    run, _ = follow(f"{HEAD}instantiate({{'_target_': 'torch.optim.Adam', 'lr': 0.1}})\n")
    assert [event.kwargs["lr"].data for event in run.events if event.name == "torch.optim.Adam"] == [0.1]


LAZY = {
    "train.py": TORCH_HEAD
    + """
from detectron2.config import LazyConfig, instantiate
from detectron2.engine import default_argument_parser

def main(args):
    cfg = LazyConfig.load(args.config_file)
    cfg = LazyConfig.apply_overrides(cfg, args.opts)
    model = instantiate(cfg.model)
    cfg.optimizer.params = model.parameters()
    optimizer = instantiate(cfg.optimizer)
    for step in range(cfg.train.max_iter):
        model(torch.randn(4)).sum().backward()
        optimizer.step()

main(default_argument_parser().parse_args())
""",
    "net.py": "import torch\nclass Ebb(torch.nn.Module):\n    def __init__(self, width):\n        super().__init__()\n"
    "        self.conv = torch.nn.Conv2d(3, width, 3)\n",
    "configs/common.py": "import torch\nfrom detectron2.config import LazyCall as L\n"
    "optimizer = L(torch.optim.AdamW)(lr=0.5)\ntrain = dict(max_iter=1000)\n",
    "configs/small.py": "from detectron2.config import LazyCall as L\nfrom net import Ebb\n"
    "from .common import optimizer, train\nmodel = L(Ebb)(width=8)\noptimizer.lr = 0.25\n",
}


def test_lazy_configurations_are_overridden_and_made(read):
    job = read(LAZY, "python train.py --config-file configs/small.py train.max_iter=70 optimizer.lr=0.125")
    assert (job.model_name, job.optimizer, job.learning_rate, job.total_steps) == ("Ebb", "AdamW", 0.125, 70)
