"""What accelerator a job asks for by name."""

import pytest

LOOP = (
    "import torch\nnet = torch.nn.LSTM(2, 2).cuda()\noptimizer = torch.optim.SGD(net.parameters(), lr=0.1)\n"
    "for step in range(9):\n    net(step).sum().backward()\n    optimizer.step()\n"
)


@pytest.mark.parametrize(("header", "kind"), [("-p gypsum-m40", "M40"), ("--partition=k40", "K40")])
def test_a_partition_is_named_after_its_gpus(read, header, kind):
    script = f"#!/bin/bash\n#SBATCH {header}\npython train.py\n"
    assert read({"train.py": LOOP, "job.sh": script}, "sbatch job.sh").hardware == kind


ENGINE = """
from vllm import LLM, SamplingParams
engine = LLM(model="acme/gemma-2-9b-it"{more})
print(engine.generate(["a"], SamplingParams(temperature=0.5)))
"""


def test_what_only_uses_a_model_asks_for_hardware_too(read):
    script = "#!/bin/bash\n#SBATCH --gres=gpu:rtx2080:1\npython write.py\n"
    files = {"write.py": ENGINE.format(more=""), "job.sh": script}
    assert read(files, "sbatch job.sh").hardware == "RTX2080"


TRAIN = """
import sys, torch
model = torch.nn.LSTM(2, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=float(sys.argv[1]))
for epoch in range(3):
    model(1)[0].sum().backward()
    optimizer.step()
"""


def test_a_partition_of_no_card_names_none(read):
    script = "#!/bin/bash\n#SBATCH -p gpu_long\npython train.py 0.3\n"
    assert read({"train.py": TRAIN, "job.sh": script}, "sbatch job.sh").hardware is None


SPEAKERS = """
import torch
class ECAPA_TDNN(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv1d(80, 512, 5)
class ECAPAModel(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = ECAPA_TDNN().cuda()
        self.optim = torch.optim.Adam(self.parameters(), lr=1e-3)
    def train_network(self, loader):
        for number, data in enumerate(loader):
            self.optim.zero_grad()
            self.encoder(data).sum().backward()
            self.optim.step()
model = ECAPAModel()
for epoch in range(8):
    model.train_network(loader)
"""


@pytest.mark.parametrize(
    ("header", "hardware"),
    [
        ("#SBATCH --account=abc@v100", "V100"),
        ("#SBATCH -p lab_a100nv_8", "A100"),
        ("#SBATCH --account=vivo1000", None),
    ],
)
def test_accounts_and_partitions_name_the_accelerator(read, header, hardware):
    files = {"job.sh": f"#!/bin/bash\n{header}\n#SBATCH --gres=gpu:1\npython train.py\n", "train.py": SPEAKERS}
    assert read(files, "sbatch job.sh").hardware == hardware
