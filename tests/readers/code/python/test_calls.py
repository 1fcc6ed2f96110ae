"""Follow calls: into the repository's own code, through the models of libraries, or only noting that they happen."""

META = """
import torch

class Meta(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Linear(4, 2)
        self.adam = torch.optim.Adam(self.net.parameters(), lr=0.02)

    def forward(self, x):
        loss = self.net(x).sum()
        {work}
        return loss

meta = Meta()
for epoch in range(9):
    for x in torch.utils.data.DataLoader(torch.randn(int(input()), 4), batch_size=6):
        meta(x)
"""


def test_a_forward_pass_that_takes_steps_trains(read):
    found = read({"go.py": META.format(work="loss.backward()\n        self.adam.step()")}, "python go.py")
    assert (found.is_training, found.epochs, found.batch_size, found.learning_rate) == (True, 9, 6, 0.02)
    assert read({"go.py": META.format(work="pass")}, "python go.py").is_training is not True
