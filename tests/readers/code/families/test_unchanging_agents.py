"""Agents and states of Flax that do not change: each step gives another one, made by `replace`."""

import pytest

FILES = {
    "parts/state.py": """
        import flax
        import jax
        import optax
        from flax.training import train_state

        {state}
            @classmethod
            def start(cls, definition, tx):
                params = definition.init(1)
                return cls({made})

            def towards(self, loss):
                grads = jax.grad(loss)(self.params)
                {step}
    """,
    "learn.py": """
        import chex
        import flax
        import flax.linen as nn
        import jax
        import optax
        from absl import app, flags
        from parts.state import State

        FLAGS = flags.FLAGS
        flags.DEFINE_integer("rounds", 10, "")
        flags.DEFINE_integer("rows", 32, "")

        class Net(nn.Module):
            @nn.compact
            def __call__(self, x):
                return nn.Dense(4)(x)

        {agent}
            def improved(agent, rows, seed=None):
                def loss(params):
                    return (agent.state.params - rows) ** 2

                return agent.replace(state=agent.state.towards(loss)), seed
            improved = jax.jit(improved, static_argnames=("seed",))

        def with_key(f):
            def inner(*args, **kwargs):
                return f(*args, seed=jax.random.PRNGKey(0), **kwargs)
            return inner

        def main(_):
            state = State.start(Net(), optax.chain(optax.zero_nans(), optax.nadam(learning_rate=4e-4)))
            state = state.replace(params={{**state.params, "target": 1}})
            agent = Agent(state=state)
            for _ in range(1, FLAGS.rounds + 1):
                agent, told = with_key(agent.improved)(sample(batch_size=FLAGS.rows))

        app.run(main)
    """,
}
NODE = (
    "class State(flax.struct.PyTreeNode):\n            params: dict\n            tx: object = None\n",
    "params=params, tx=tx",
    "updates, _ = self.tx.update(grads, None, self.params)\n"
    "                return self.replace(params=optax.apply_updates(self.params, updates))",
)
RECORD = (
    "@flax.struct.dataclass\n        class State:\n            params: dict\n            tx: object = None\n",
    *NODE[1:],
)
TRAIN_STATE = (
    "class State(train_state.TrainState):\n            rows: int = 0\n",
    "step=0, apply_fn=definition.apply, params=params, tx=tx, opt_state=tx.init(params)",
    "return self.apply_gradients(grads=grads)",
)


@pytest.mark.parametrize("state", [NODE, RECORD, TRAIN_STATE])
@pytest.mark.parametrize(
    "agent",
    [
        "class Agent(flax.struct.PyTreeNode):\n            state: State\n",
        "@flax.struct.dataclass\n        class Agent:\n            state: State\n",
        "@chex.dataclass(frozen=True)\n        class Agent:\n            state: State\n",
    ],
)
def test_what_replace_gives_is_followed_on(read, state, agent):
    files = {
        "parts/state.py": FILES["parts/state.py"].format(state=state[0], made=state[1], step=state[2]),
        "learn.py": FILES["learn.py"].format(agent=agent),
    }
    found = read(files, "python learn.py --rounds 7000 --rows 48")
    assert (found.is_training, found.optimizer, found.learning_rate) == (True, "NAdam", 4e-4)
    assert (found.total_steps, found.precision) == (7000, "fp32")


REPLACED = """
class Fixed(NamedTuple):
    rows: int = 2

class Own:
    rows = 3
    def replace(self, rows):
        return 9

x = [{asked}]
"""


@pytest.mark.parametrize(
    ("asked", "told"),
    [("Fixed()._replace(rows=5).rows", 5), ("Own().replace(rows=4)", 9), ("'a-b'.replace('-', '+')", "a+b")],
)
def test_other_ways_to_replace_stay_as_they_are(outcome, asked, told):
    assert outcome(f"from typing import NamedTuple\n{REPLACED.format(asked=asked)}") == [told]
