"""The shell's own commands, and those that start no program of interest."""


def test_a_copied_python_program_is_found(read):
    program = (
        "import torch\nnet = torch.nn.LSTM(2, 2)\noptimizer = torch.optim.SGD(net.parameters(), lr=0.5)\n"
        "for step in range(70):\n    net(step).sum().backward()\n    optimizer.step()\n"
    )
    outer = "cp code/loop.py $SCRATCH/run_me.py\ncd $SCRATCH\npython run_me.py\n"
    job = read({"code/loop.py": program, "outer.sh": outer}, "bash outer.sh")
    assert (job.total_steps, job.learning_rate) == (70, 0.5)
