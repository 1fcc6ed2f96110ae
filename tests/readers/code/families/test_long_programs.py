"""Programs that are long to follow: what lies behind a costly network is reached all the same."""

BLOCK = "def block(x):\n" + "    x = torch.relu(x) + 1\n" * 400 + "    return x\n"
LAYERS = "    block(w)\n" * 200
PROGRAM = f"""
import torch
{BLOCK}
def train():
    w = torch.nn.Parameter(torch.zeros(3))
    optimizer = torch.optim.SGD([w], lr=0.3)
{LAYERS}
    for epoch in range(7):
        (w * 2).sum().backward()
        optimizer.step()
train()
"""


def test_layers_that_show_nothing_new_do_not_use_up_what_the_training_needs(read):
    job = read({"train.py": PROGRAM}, "python train.py")
    assert (job.is_training, job.epochs, job.learning_rate, job.optimizer) == (True, 7, 0.3, "SGD")
