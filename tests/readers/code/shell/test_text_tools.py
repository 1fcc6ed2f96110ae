"""What a script has printed into a name: `$(...)` of plain commands and of pipes that count."""

import pytest

TRAIN = """
import torch
model = torch.nn.parallel.DistributedDataParallel(torch.nn.LSTM(2, 2).cuda())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
torch.distributed.init_process_group("nccl")
for epoch in range(3):
    model(1)[0].sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("counting", "number"),
    [
        ("echo $gpus | awk -F ',' '{print NF}'", 3),
        ('echo "$gpus" | awk -F, "{ print NF }"', 3),
        ("echo $gpus | tr ',' '\\n' | wc -l", 3),
        ("echo $gpus | tr -d '[]' | tr ',' ' ' | wc -w", 3),
        ("echo $gpus | awk '{print NF}'", 1),
        ("echo $gpus | awk -F ',' '{print $2}'", 1),
        ("nvidia-smi -L | wc -l", None),
    ],
)
def test_processes_are_counted_as_the_script_counts_them(read, counting, number):
    script = f"gpus='[0,1,2]'\nn=$({counting})\ntorchrun --nproc_per_node=$n train.py\n"
    assert read({"train.py": TRAIN, "run.sh": script}, "bash run.sh").num_gpus == number
