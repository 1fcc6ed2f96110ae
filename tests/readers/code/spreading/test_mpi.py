"""Programs that MPI starts and that add their gradients up by it; agents that keep how much they learn from."""

import pytest

PROGRAM = """
    import argparse
    import gym
    import numpy as np
    import tensorflow as tf
    from mpi4py import MPI

    class SummedAdam(tf.train.AdamOptimizer):
        def __init__(self, comm, **kwargs):
            self.comm = comm
            tf.train.AdamOptimizer.__init__(self, **kwargs)

        def compute_gradients(self, loss, names):
            found = tf.train.AdamOptimizer.compute_gradients(self, loss, names)
            flat = tf.concat([tf.reshape(one, (-1,)) for one, _ in found], axis=0)

            def summed(mine):
                {work}
                return whole / self.comm.Get_size()

            return tf.split({call}, [3, 4], axis=0)

    class PpoAgent:
        def __init__(self, nsteps, nminibatches, comm):
            self.nsteps, self.nminibatches = nsteps, nminibatches
            self.best = SummedAdam(comm, learning_rate=2e-4)
            self.train = self.best.apply_gradients(self.best.compute_gradients(loss_of(nsteps), ["a"]))

    parser = argparse.ArgumentParser()
    parser.add_argument("--num_env", type=int, default=16)
    args = parser.parse_args()
    env = gym.make("Hopper-v2")
    if MPI.COMM_WORLD.rank == 0 and MPI.COMM_WORLD.size > 0:
        print(args)
    agent = PpoAgent(nsteps=64, nminibatches=4, comm=MPI.COMM_WORLD if MPI.COMM_WORLD.Get_size() > 1 else None)
    session = tf.Session()
    while True:
        session.run(agent.train)
"""
SUMMED = "whole = np.zeros(7)\n                self.comm.Allreduce(mine, whole, op=MPI.SUM)"
FOUR = "mpirun -np 4 python play.py --num_env 32"
IN_GRAPH = "tf.py_func(summed, [flat], tf.float32)"


@pytest.mark.parametrize(
    ("command", "work", "call", "spread", "batch"),
    [
        (FOUR, SUMMED, IN_GRAPH, "MPI data parallel", 4 * 512),
        (
            FOUR,
            "whole = self.comm.allreduce(mine)",
            IN_GRAPH,
            "MPI data parallel",
            4 * 512,
        ),
        (FOUR.replace("4", "1"), SUMMED, IN_GRAPH, "none", 512),
        (FOUR, "whole = mine", IN_GRAPH, None, None),
        (FOUR, SUMMED, "tf.identity(flat)", None, None),
    ],
)
def test_gradients_that_mpi_adds_up_spread_the_work(read, command, work, call, spread, batch):
    found = read({"play.py": PROGRAM.format(work=work, call=call)}, command)
    assert (found.is_training, found.distributed) == (True, spread)
    assert (found.batch_size, found.global_batch_size) == (32 * 64 // 4, batch)
    assert (found.optimizer, found.learning_rate, found.num_nodes) == ("Adam", 2e-4, 1)


def test_an_agent_of_one_process_learns_from_what_it_keeps(read):
    found = read({"play.py": PROGRAM.format(work="whole = mine", call=IN_GRAPH)}, "python play.py")
    assert (found.batch_size, found.global_batch_size, found.distributed) == (16 * 64 // 4, 256, "none")


STEPS = """
    import torch
    from mpi4py import MPI

    comm = MPI.COMM_WORLD
    net = torch.nn.Linear(2, 2)
    best = torch.optim.SGD(net.parameters(), lr=0.1)
    loader = torch.utils.data.DataLoader(rows, batch_size=6)
    for epoch in range(3):
        for batch in loader:
            loss = net(batch).sum()
            loss.backward()
            {each_step}
            best.step()
        {each_epoch}
    {at_last}
"""
PARTS = "[comm.Allreduce(MPI.IN_PLACE, one.grad.numpy(){how}) for one in net.parameters()]"


@pytest.mark.parametrize(
    ("each_step", "each_epoch", "at_last", "spread"),
    [
        (PARTS.format(how=", op=MPI.SUM"), "", "", "MPI data parallel"),
        (PARTS.format(how=""), "", "", "MPI data parallel"),
        (PARTS.format(how=", MPI.SUM"), "", "comm.allreduce(float(loss), op=MPI.MIN)", "MPI data parallel"),
        (PARTS.format(how=", op=MPI.MAX"), "", "", None),
        ("", "", "print(comm.allreduce(float(loss), op=MPI.MIN))", None),
        ("", "", "print(comm.allreduce(float(loss)))", None),
        ("", "", PARTS.format(how=""), None),
        ("", "print(comm.allreduce(told, op=MPI.SUM))", "", None),
        ("comm.allreduce(loss.item())", "", "", None),
        ("comm.allreduce(float(loss), op=MPI.SUM)", "", "", None),
    ],
)
def test_only_sums_of_gradients_in_each_step_spread_the_work(read, each_step, each_epoch, at_last, spread):
    program = STEPS.format(each_step=each_step, each_epoch=each_epoch, at_last=at_last)
    found = read({"learn.py": program}, "mpirun -np 4 python learn.py")
    assert (found.distributed, found.global_batch_size) == (spread, 24 if spread else None)
    assert (found.batch_size, found.epochs) == (6, 3)
