"""apex: what it is handed comes back, so that the loop behind it is followed."""

import pytest

PROGRAM = """
import torch
from apex import amp
from scalers import ApexScaler
model = torch.nn.Linear(4, 4).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.25)
model, optimizer = amp.initialize(model, optimizer, opt_level="{level}")
scaler = ApexScaler()
for epoch in range(6):
    loss = model(torch.zeros(4).cuda()).sum()
    scaler(loss, optimizer, parameters=model.parameters())
"""


@pytest.mark.parametrize(("level", "precision"), [("O1", "fp16"), ("O0", "fp32")])
def test_model_and_optimizer_come_back(read, level, precision):
    job = read({"train.py": PROGRAM.format(level=level)}, "python train.py")
    assert (job.is_training, job.optimizer, job.learning_rate, job.epochs) == (True, "SGD", 0.25, 6)
    assert job.precision == precision


def test_the_level_of_mixed_precision_of_mindspore_is_a_precision(read):
    code = (
        "import argparse\nimport mindspore as ms\nparser = argparse.ArgumentParser()\n"
        "parser.add_argument('--amp_level', default='O0')\nargs = parser.parse_args()\n"
        "from mindcv.utils import create_trainer\ntrainer = create_trainer(ms.nn.Dense(3, 2), args.amp_level)\n"
        "trainer.train(3, ms.dataset.ImageFolderDataset('/data'))\n"
    )
    assert read({"train.py": code}, "python train.py --amp_level O2").precision == "fp16"
