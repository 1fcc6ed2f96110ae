"""Packages whose parts are imported when they are asked for."""

import pytest

PARTS = {
    "go.py": """
        import torch
        import pools
        from pools import Pond
        net = Pond()
        optimizer = torch.optim.SGD(net.parameters(), lr=pools.depths.RATE)
        for epoch in range(4):
            net(epoch).sum().backward()
            optimizer.step()
        """,
    "pools/nets.py": """
        import torch
        class Pond(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.a = torch.nn.LSTM(3, 3)
        """,
    "pools/depths.py": "RATE = 0.03\n",
}
TABLE = """
import lazy_loader as lazy
__getattr__, __dir__, __all__ = lazy.attach(__name__, submodules=["depths"], submod_attrs={"nets": ["Pond"]})
"""
STUB = "import lazy_loader\n__getattr__, __dir__, _ = lazy_loader.attach_stub(__name__, __file__)\n"


@pytest.mark.parametrize(
    "files",
    [
        {"pools/__init__.py": TABLE},
        {"pools/__init__.py": STUB, "pools/__init__.pyi": "from . import depths\nfrom .nets import Pond\n"},
    ],
)
def test_names_of_a_package_are_found_in_the_parts_that_hold_them(read, files):
    job = read({**PARTS, **files}, "python go.py")
    assert (job.model_type, job.learning_rate) == ("rnn", 0.03)


def test_a_stub_that_cannot_be_read_leaves_the_names_open(read):
    job = read({**PARTS, "pools/__init__.py": STUB, "pools/__init__.pyi": "from .nets import (\n"}, "python go.py")
    assert job.model_type is None
