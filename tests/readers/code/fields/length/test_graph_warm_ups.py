"""Rounds before a CUDA graph is recorded are not how long a job trains."""

import pytest

HEAD = """
import torch

net = torch.nn.Linear(8, 2).cuda()
adam = torch.optim.Adam(net.parameters(), lr=0.01)
rows = torch.randn(64, 8, device="cuda")


def step():
    adam.zero_grad()
    net(rows).sum().backward()
    adam.step()
"""
WARM = """
    for _ in range(3):
        net(rows).sum().backward()
        adam.step()
"""
RECORDED = """
def record():
    {warm}
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        net(rows).sum().backward()
        adam.step()
    return graph


graph = record()
for number in range(900):
    graph.replay()
"""
BESIDE = """
def main():
    for number in range(700):
        if number == 5:
            graph = torch.cuda.CUDAGraph()
        net(rows).sum().backward()
        adam.step()


main()
"""
AFTER = """
net = torch.cuda.make_graphed_callables(net, (rows,))
for number in range(400):
    net(rows).sum().backward()
    adam.step()
"""


@pytest.mark.parametrize(
    ("code", "steps"),
    [(RECORDED.replace("{warm}", WARM.strip()), None), (BESIDE, 700), (AFTER, 400)],
)
def test_rounds_before_a_recording_are_none_of_the_training(read, code, steps):
    assert read({"go.py": HEAD + code}, "python go.py").total_steps == steps
