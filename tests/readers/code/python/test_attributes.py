"""Look up attributes of whatever a name stands for."""

import pytest

from tests.readers.code.programs import FIT_BATCHES


def test_members_of_enumerations_are_keys(outcome):
    code = """
        from enum import Enum
        class Size(Enum):
            small = "s"
            large = "l"
        class Kind(str, Enum):
            plain = "p"
        sizes = {Size.small: 1, Size.large: 2}
        kinds = {"p": 3}
        x = [sizes[Size("l")], sizes[Size["small"]], kinds[Kind("p")], Size("l").name, Size.small in sizes]
    """
    assert outcome(code) == [2, 1, 3, "large", True]


def test_sections_that_are_asked_for_are_made(outcome):
    assert outcome("from addict import Dict\nc = Dict(a=1)\nc.run.rounds = 9\nx = [c.a, c.run.rounds]\n") == [1, 9]


ENUMS = {
    "train.py": """
        from enum import Enum

        import torch

        class Kind(str, Enum):
            ADAM: str = "adam"
            SGD: str = "sgd"

        class Mode(Enum):
            FAST = 1
            SLOW = 2

        def optimizer_of(name):
            if name == Kind.ADAM:
                return torch.optim.Adam
            if name in (Kind.SGD,):
                return torch.optim.SGD
            raise ValueError(name)

        model = torch.nn.Linear(3, 3)
        rate = 0.5 if Mode.SLOW is not Mode.FAST and Mode.SLOW == Mode.SLOW else 0.1
        optimizer = optimizer_of("sgd")(model.parameters(), lr=rate)
        for step in range(10):
            for micro_batch in range(4):
                model(1).backward()
            optimizer.step()
        """
}


def test_members_of_enumerations_are_compared(read):
    found = read(ENUMS, "python train.py")
    assert (found.optimizer, found.learning_rate) == ("SGD", 0.5)


OWN_SETTINGS = (
    FIT_BATCHES
    + """
import os
class Settings:
    def __init__(self, given):
        self.held = {{}}
        for key, value in given.items():
            self.held[key] = value
            {keeping}
    def __getitem__(self, key):
        return self.held[key]
    def __setitem__(self, key, value):
        self.held[key] = value
        {keeping}
settings = Settings({{"lr": 0.3, "size": 64}})
settings["world"] = int(os.environ["WORLD_SIZE"])
settings["size"] = settings.size // settings["world"]
fit(settings.lr, 3, batch=settings.size)
"""
)


@pytest.mark.parametrize(
    "keeping", ["self.__setattr__(key, value)", "object.__setattr__(self, key, value)", "setattr(self, key, value)"]
)
def test_an_object_keeps_items_and_attributes_as_its_class_says(read, keeping):
    job = read({"train.py": OWN_SETTINGS.format(keeping=keeping)}, "WORLD_SIZE=4 python train.py")
    assert (job.learning_rate, job.batch_size) == (0.3, 16)


def test_attributes_are_read_by_pythons_own_method(outcome):
    code = """
        import argparse
        class Plain:
            size = 4
        class Own:
            def __getattribute__(self, name):
                return 7
        parser = argparse.ArgumentParser()
        parser.add_argument("--rounds", type=int, default=3)
        args = parser.parse_args()
        known = {name: args.__getattribute__(name) for name in ["rounds"]}
        x = [known["rounds"], Plain().__getattribute__("size"), Own().__getattribute__("size")]
    """
    assert outcome(code) == [3, 4, 7]


def test_an_attribute_whose_name_only_the_run_knows_stays_open(outcome):
    code = """
        import os
        class Plain:
            size = 4
        x = Plain().__getattribute__(os.environ["NAME"])
    """
    assert outcome(code) == "unknown"
