"""Programs of JAX and TensorFlow: agents of learners and models, gin's references, packages run from above."""

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


CHAIN = """
import jax
import optax

schedule = optax.cosine_decay_schedule({rate}, 500)
tx = optax.chain(optax.clip_by_global_norm(1.0), optax.scale(1 / 16), optax.scale_by_adam(), {scale}(schedule))
params, state = {{}}, tx.init({{}})
for step in range(500):
    grads = jax.grad(lambda p: p)(params)
    updates, state = tx.update(grads, state)
    params = optax.apply_updates(params, updates)
"""


@pytest.mark.parametrize(("rate", "scale"), [("-0.03", "optax.scale_by_schedule"), ("0.03", "optax.scale_by_schedule")])
def test_a_chain_ends_in_a_schedule_whose_peak_is_the_rate(read, rate, scale):
    found = read({"fit.py": CHAIN.format(rate=rate, scale=scale)}, "python fit.py")
    assert (found.optimizer, found.learning_rate, found.total_steps) == ("Adam", 0.03, 500)


GIN = {
    "agents/base.py": """
        import gin
        import tensorflow as tf

        @gin.configurable
        class Agent:
            def __init__(self, size=3, optimizer=tf.compat.v1.train.RMSPropOptimizer(learning_rate=0.5)):
                self.optimizer = optimizer
                self.size = size

            def learn_step(self, loss):
                return self.optimizer.minimize(loss)
    """,
    "play.py": """
        import gin
        import gym
        import tensorflow as tf
        from absl import app, flags
        from agents.base import Agent

        flags.DEFINE_multi_string("gin_files", [], "")
        flags.DEFINE_multi_string("gin_bindings", [], "")
        FLAGS = flags.FLAGS

        @gin.configurable
        class Runner:
            def __init__(self, rounds=7, round_steps=11):
                self.agent = Agent()
                self.rounds = rounds
                self.round_steps = round_steps
                self.start = 0
                if tf.io.gfile.exists("saved"):
                    self.start = tf.io.gfile.GFile("saved").read()

            def one_round(self, limit):
                step_count = 0
                while step_count < limit:
                    self.agent.learn_step(tf.constant(1.0))
                    step_count += 1

            def run(self):
                for iteration in range(self.start, self.rounds):
                    self.one_round(self.round_steps)

        def main(_):
            gin.parse_config_files_and_bindings(FLAGS.gin_files, bindings=FLAGS.gin_bindings)
            env = gym.make("CartPole-v0")
            Runner().run()

        app.run(main)
    """,
    "deep.gin": """
        import gin.tf.external_configurables
        Agent.optimizer = @tf.train.AdamOptimizer()
        tf.train.AdamOptimizer.learning_rate = 0.0625
        Runner.rounds = 20
        Runner.round_steps = 300
    """,
}


def test_gin_makes_a_librarys_optimizer_with_what_is_bound_to_it(read):
    found = read(GIN, "python -um play --gin_files deep.gin --gin_bindings 'Runner.rounds=30'")
    assert (found.optimizer, found.learning_rate) == ("Adam", 0.0625)
    assert found.total_steps == 30 * 300


SMALL = """
import tensorflow as tf

for step in range(40):
    tf.train.AdamOptimizer().minimize(tf.constant(1.0))
"""


@pytest.mark.parametrize("start", ["-um small", "-msmall", "-u -B -m small", "-Wignore -um small"])
def test_switches_of_python_may_be_written_together(read, start):
    found = read({"small.py": SMALL}, f"python3 {start}")
    assert (found.total_steps, found.optimizer, found.learning_rate) == (40, "Adam", 0.001)


def test_a_package_that_the_repository_itself_is_runs_from_the_folder_above(read):
    files = {
        "__init__.py": "",
        "rates.py": "RATE = 0.375\n",
        "run_it.py": """
            import tensorflow as tf
            from ownname import rates
            from ownname.rates import RATE

            assert rates.RATE == RATE
            for step in range(40):
                tf.train.AdamOptimizer(learning_rate=rates.RATE).minimize(tf.constant(1.0))
        """,
    }
    found = read(files, "python -m ownname.run_it")
    assert (found.learning_rate, found.total_steps) == (0.375, 40)


def test_without_an_init_file_the_repository_is_no_package(read):
    assert read({"small.py": SMALL}, "python -m other.small").is_training is None


PARSER = """
import argparse
import torch

class Words(argparse.ArgumentParser):
    def __init__(self):
        super(Words, self).__init__(description="words")
        self.add_argument("--lr", type=float, default=0.5)
        self.add_argument("-o", "--opt", nargs="*")

    def parse_args(self, argv=None):
        args = super(Words, self).parse_args(argv)
        args.opt = dict(item.split("=") for item in args.opt or [])
        return args

args = Words().parse_args()
net = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=args.lr)
for epoch in range(int(args.opt["epochs"])):
    net(torch.ones(2)).sum().backward()
    optimizer.step()
"""


def test_a_parser_of_the_programs_own_asks_its_ancestor(read):
    found = read({"fit.py": PARSER}, "python fit.py --lr 0.25 -o epochs=9")
    assert (found.learning_rate, found.epochs) == (0.25, 9)


KERAS = """
import argparse
from tensorflow import keras

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=200)
parser.add_argument("--epochs", type=int, default=6)
args = parser.parse_args()
model = keras.Sequential([keras.layers.Dense(4)])
model.compile(optimizer=keras.optimizers.Adam(learning_rate=0.002), loss="mse")
model.fit(None, steps_per_epoch=args.steps{more}, epochs=args.epochs)
"""


@pytest.mark.parametrize(("more", "steps"), [("", 350), (", initial_epoch=2", None), (" // unknown()", None)])
def test_keras_takes_steps_an_epoch_where_they_are_told(read, more, steps):
    found = read({"fit.py": KERAS.format(more=more)}, "python fit.py --steps 50 --epochs 7")
    assert (found.epochs, found.total_steps) == (7, steps)


def test_the_wrapper_of_an_optimizer_is_none(read):
    program = """
        import tensorflow.compat.v1 as tf

        class MixedWrapper(tf.train.Optimizer):
            def __init__(self, inner):
                self.inner = inner

            def minimize(self, loss):
                return self.inner.minimize(loss)

        MixedWrapper({inner}).minimize(1)
    """
    found = read({"fit.py": program.format(inner="tf.train.MomentumOptimizer(0.25, 0.9)")}, "python fit.py")
    assert (found.optimizer, found.learning_rate) == ("SGD", 0.25)
    assert read({"fit.py": program.format(inner="tf.somewhere()")}, "python fit.py").optimizer is None


AGENT = """
    import optax
    import elsewhere

    class Learner:
        def __init__(self, lr=3e-4):
            self.opt = optax.chain(optax.clip(1.0), optax.scale_by_learning_rate(lr))

    learner = Learner()
    elsewhere.go(learner)
    """


def test_an_optimizer_with_its_rate_tells_of_training_though_the_loop_is_out_of_reach(read):
    assert read({"main.py": AGENT}, "python main.py").is_training is True
    assert read({"eval.py": AGENT}, "python eval.py").is_training is not True
