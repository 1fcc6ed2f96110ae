"""DeepMind's K-FAC for JAX."""

import pytest

CODE = """
import argparse
from dataclasses import dataclass, field, fields, is_dataclass
from enum import Enum

import jax
import kfac_jax
import optax


class Kind(Enum):
    plain = "plain"
    curved = "curved"


@dataclass
class Rate:
    first: float = 0.04

    def at(self, t):
        return self.first / (1.0 + t / 500.0)


@dataclass
class Settings:
    kind: Kind | None = Kind.KIND
    rate: Rate = field(default_factory=Rate)


def made(cls, told):
    kinds = {one.name: one.type for one in fields(cls)}
    return cls(**{key: made(kinds[key], told[key]) if is_dataclass(kinds[key]) else told[key] for key in told})


settings = made(Settings, {"kind": Kind.KIND, "rate": {"first": 0.04}})
if settings.kind == Kind.plain:
    adam = optax.adam(learning_rate=settings.rate.at)
    state = adam.init(weights)
    for step in range(50):
        updates, state = adam.update(jax.grad(loss)(weights), state)
        weights = optax.apply_updates(weights, updates)
else:
    curved = kfac_jax.Optimizer(jax.value_and_grad(loss), learning_rate_schedule=settings.rate.at, multi_device=False)
    state = curved.init(weights, key, rows)
    for step in range(50):
        weights, state, stats = curved.step(weights, state, key, batch=rows)
"""


@pytest.mark.parametrize(("kind", "optimizer", "rate"), [("curved", "K-FAC", 0.04), ("plain", "Adam", None)])
def test_the_one_that_the_settings_choose_is_taken(read, kind, optimizer, rate):
    found = read({"go.py": CODE.replace("KIND", kind)}, "python go.py")
    assert found.optimizer == optimizer
    assert rate is None or found.learning_rate == rate
