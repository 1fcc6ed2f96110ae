"""How long loops run that go by flags and counters, and which part of a configuration is about training."""

from tests.readers.code.programs import TORCH_HEAD

TOP = (
    TORCH_HEAD
    + """
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--rounds", type=int, default=700)
parser.add_argument("--half", action="store_true")
args = parser.parse_args()
model = torch.nn.Linear(3, 1).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
"""
)
FROM_ONE = """
epoch = 0
epoch += 1
while epoch < args.rounds + 1:
    for (data,) in DataLoader(TensorDataset(torch.rand(9, 3)), batch_size=3):
        model(data).sum().backward()
        optimizer.step()
    epoch += 1
"""


def test_epochs_are_counted_from_the_first(read):
    assert read({"train.py": TOP + FROM_ONE}, "python train.py --rounds 25").epochs == 25


def test_a_packages_module_of_a_librarys_name_does_not_stand_in_for_the_library(read):
    """`python -m lab.train` puts the folder above on the path, so `optax` is the library and `lab.optax` the module."""
    program = """
    import jax
    import optax
    import lab.optax as own

    state = own.start()
    optimizer = optax.adamw(learning_rate=0.01)
    updates = optimizer.update(jax.grad(lambda x: x.sum())(state), optimizer.init(state))
    state = optax.apply_updates(state, updates)
    """
    files = {
        "lab/__init__.py": "",
        "lab/train.py": program,
        "lab/optax.py": "import jax\ndef start(): return jax.numpy.zeros(3)\n",
    }
    assert read(files, "python -m lab.train").optimizer == "AdamW"
