"""Networks that mostly learn something else than what this program shows."""

import pytest

NET = """
import torch
{imports}

class {name}(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a = torch.nn.Conv2d(1, 4, 3)
        self.b = torch.nn.LSTM(4, 4)

{lines}
net = {name}()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(5):
    net(step).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("imports", "task", "fine"),
    [
        ("", "CV", "text recognition"),
        ("import cv2, librosa", "CV", "text recognition"),
        ("import torchaudio", "audio", None),
    ],
)
def test_networks_of_pictures_hear_as_well(read, imports, task, fine):
    job = read({"go.py": NET.format(imports=imports, name="CRNN", lines="")}, "python go.py")
    assert (job.task, job.task_fine) == (task, fine)


@pytest.mark.parametrize(
    ("imports", "lines", "task"),
    [("", "", None), ("", "rewards = [0.0]", "RL"), ("import gym", "", "RL"), ("", "field = 'returns_to_go'", "RL")],
)
def test_paths_of_what_moves_are_learned_without_rewards(read, imports, lines, task):
    files = {"go.py": NET.format(imports=imports, name="TrajectoryTransformer", lines=lines)}
    assert read(files, "python go.py").task == task
