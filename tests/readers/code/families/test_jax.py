"""Programs of JAX: agents whose learners and models hold optimizers, and states that each step makes anew."""

import pytest

LEARNER = {
    "settings/calm.py": """
        import ml_collections

        def get_config():
            config = ml_collections.ConfigDict()
            config.algo = "redq"
            config.actor_lr = 0.002
            return config
    """,
    "rl/learner.py": """
        import jax
        import flax
        import optax
        from flax import linen as nn

        class Policy(nn.Module):
            @nn.compact
            def __call__(self, x):
                return nn.Dense(4)(x)

        @flax.struct.dataclass
        class Model:
            params: dict
            tx: optax.GradientTransformation

            @classmethod
            def create(cls, definition, tx):
                params = definition.init(1)
                state = tx.init(params) if tx is not None else None
                return cls(params, tx)

            def apply_gradient(self, loss):
                grads = jax.grad(loss)(self.params)
                updates, state = self.tx.update(grads, None, self.params)
                return self.replace(params=optax.apply_updates(self.params, updates))

        class REDQLearner:
            def __init__(self, actor_lr=0.5):
                self.actor = Model.create(Policy(), optax.adamw(learning_rate=actor_lr))

            def update(self, batch):
                self.actor = self.actor.apply_gradient(lambda p: 0)
    """,
    "train.py": """
        import gym
        import tqdm
        from absl import app, flags
        from ml_collections import config_flags
        from rl.learner import REDQLearner

        FLAGS = flags.FLAGS
        flags.DEFINE_string("env_name", "Ant-v2", "")
        flags.DEFINE_integer("batch_size", 96, "")
        flags.DEFINE_integer("max_steps", int(2e5), "")
        config_flags.DEFINE_config_file("config", "settings/calm.py")

        def main(_):
            kwargs = dict(FLAGS.config)
            kwargs.pop("algo")
            env = gym.make(FLAGS.env_name)
            agent = REDQLearner(**kwargs)
            for i in tqdm.tqdm(range(1, FLAGS.max_steps + 1)):
                if i > 1000:
                    agent.update(env.sample(FLAGS.batch_size))

        if __name__ == "__main__":
            app.run(main)
    """,
}


def test_a_learner_of_flax_models_trains_with_its_configurations_rate(read):
    found = read(LEARNER, "python train.py --env_name=Hopper-v2")
    assert found.is_training is True
    assert (found.optimizer, found.learning_rate, found.batch_size) == ("AdamW", 0.002, 96)
    assert (found.total_steps, found.dataset_name, found.precision) == (200_000, "Hopper-v2", "fp32")
    assert str(found.model_name).lower() == "redq"


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
