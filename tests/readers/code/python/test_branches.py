"""Follow ways of which it is not known which one the run takes, and merge what they leave behind."""

CHECKED = """
import torch

class Net(torch.nn.Module):
    def check(self):
        wrong = []
        for name, part in self.named_modules():
            if not isinstance(part, torch.nn.Module):
                wrong.append(name)
        if wrong:
            raise RuntimeError(", ".join(wrong))

net = Net().cuda()
net.check()
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
for batch in range(9):
    net(batch).backward()
    optimizer.step()
"""


def test_a_list_that_may_be_empty_ends_no_program(read):
    assert read({"train.py": CHECKED}, "python train.py").is_training is True
