"""Libraries' registries (fvcore, MMEngine): names under which a program files its classes, to make one by its name."""

import pytest

from tests.readers.code.programs import FIT_STEPS

REGISTRY = {
    "nets/build.py": "from fvcore.common.registry import Registry\nNETS = Registry('NET')\n"
    "def build(name, width):\n    return NETS.get(name)(width)\n",
    "nets/__init__.py": "from .build import build\nfrom .made import *\n",
    "nets/made.py": "from torch import nn\nfrom .build import NETS\n"
    "@NETS.register()\ndef small_resnet(width):\n    return ResNet(width)\n"
    "class ResNet(nn.Module):\n    def __init__(self, width):\n        super().__init__()\n"
    "        self.conv = nn.Conv2d(3, width, 3)\n",
}


def test_what_a_librarys_registry_holds_is_made_by_its_name(read):
    code = "import torch\nfrom nets import build\n" + FIT_STEPS
    code += "net = build('small_resnet', 8)\nfit(net, torch.optim.SGD(net.parameters(), lr=0.2), 30, iter([]))\n"
    job = read({**REGISTRY, "train.py": code}, "python train.py")
    assert (job.model_name, job.model_type, job.optimizer, job.learning_rate) == ("ResNet", "cnn", "SGD", 0.2)


@pytest.mark.parametrize("library", ["mmengine.registry", "mmcv.utils"])
def test_what_type_names_is_built_with_the_rest_of_its_configuration(read, library):
    code = (
        f"import torch\nfrom torch import nn\nfrom {library} import Registry, build_from_cfg\n"
        "TASKS = Registry('tasks')\n" + FIT_STEPS + "@TASKS.register_module()\nclass Fitting:\n"
        "    def __init__(self, rate, steps=5):\n        self.rate, self.steps = rate, steps\n"
        "    def run(self):\n        net = nn.LSTM(2, 2)\n"
        "        fit(net, torch.optim.Adam(net.parameters(), lr=self.rate), self.steps, iter([]))\n"
        "TASKS.build(dict(type='Fitting', rate=0.03), default_args=dict(steps=70)).run()\n"
    )
    job = read({"train.py": code}, "python train.py")
    assert (job.learning_rate, job.total_steps, job.optimizer) == (0.03, 70, "Adam")
