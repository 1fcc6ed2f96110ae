"""Settings that are merged in place, gone over name by name, or may not be changed."""

import pytest

HEAD = "from omegaconf import OmegaConf\nfrom pathlib import Path\n"
FILES = {
    "conf/base.yaml": "rate: 0.5\nrows: 8\nrounds: 60/${every}\nevery: 3\n",
    "conf/tall.yaml": "rate: 0.25\nevery: 2\n",
}
MERGED = (
    HEAD
    + "c = OmegaConf.load('conf/base.yaml')\nc.merge_with(OmegaConf.load('conf/tall.yaml'), OmegaConf.from_cli())\n"
)


@pytest.mark.parametrize(
    ("code", "words", "expected"),
    [
        (MERGED + "x = [c.rate, c.rows, c.every]\n", "", [0.25, 8, 2]),
        (MERGED + "x = [c.rate, c.rows, c.every]\n", "rate=0.75", [0.75, 8, 2]),
        (MERGED + "x = dict(c.items())['rounds']\n", "every=4", "60/4"),
        (MERGED + "x = [v for v in c.values() if isinstance(v, str)]\n", "", ["60/2"]),
        ("from types import MappingProxyType\nx = MappingProxyType({'a': 3}).get('a', 4)\n", "", 3),
        ("from flax.core import freeze\nx = freeze({'a': {'b': 3}})['a']['b']\n", "", 3),
        ("from ml_collections import config_dict\nx = config_dict.create(rate=0.5, rows=8).rows\n", "", 8),
        ("import ml_collections\nx = ml_collections.config_dict.create(rate=0.5).rate\n", "", 0.5),
    ],
)
def test_settings(outcome, code, words, expected):
    assert outcome(code, words, FILES) == expected


def test_what_is_merged_in_place_holds_the_options(read):
    program = MERGED + (
        "import torch\nmodel = torch.nn.Linear(3, 3)\noptimizer = torch.optim.SGD(model.parameters(), lr=c.rate)\n"
        "store = Store(c)\nwhile store.goes_on():\n    model(store.batch()).sum().backward()\n    optimizer.step()\n"
    )
    files = {**FILES, "conf/base.yaml": FILES["conf/base.yaml"] + "batch_size: 12\n"}
    assert read({"go.py": program, **files}, "python go.py rate=0.5").batch_size == 12
