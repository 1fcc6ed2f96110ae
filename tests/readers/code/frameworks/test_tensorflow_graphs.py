"""Programs of TensorFlow 1: a graph that describes the step, and the session that carries it out."""

import pytest

GRAPH = """
import importlib
import platform
import pathlib
import tensorflow as tf

def find(name):
    parts = name.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            return importlib.import_module(".".join(parts[:cut])), ".".join(parts[cut:])
        except ImportError:
            pass

def named(name):
    thing, rest = find(name)
    for part in rest.split("."):
        thing = getattr(thing, part)
    return thing

def session():
    return tf.get_default_session()

class Updates:
    def __init__(self, kind, rate):
        self.kind, self.rate, self.by_device = named(kind), rate, {}

    def add(self, device, loss, weights):
        if device not in self.by_device:
            self.by_device[device] = [self.kind(learning_rate=self.rate), []]
        made, grads = self.by_device[device]
        grads.append(made.compute_gradients(loss, weights))

    def apply(self):
        steps = []
        for device, (made, grads) in self.by_device.items():
            ok = tf.reduce_all(tf.is_finite(grads[0][0]))
            steps.append(tf.cond(ok, lambda: made.apply_gradients(grads[0]), tf.no_op))
        return tf.group(*steps)

tf.InteractiveSession()
weights = tf.get_variable("w", [4])
updates = Updates("tensorflow.train.MomentumOptimizer", 0.02)
updates.add("/gpu:0", tf.reduce_sum(weights), [weights])
step = updates.apply()
for i in range(700):
    RUN
"""


@pytest.mark.parametrize(
    "run",
    ["session().run(step)", "session().run([step, weights])", "session().run(fetches={'s': step})", "step.run()"],
)
def test_a_step_that_a_graph_describes_is_counted_where_a_session_runs_it(read, run):
    job = read({"go.py": GRAPH.replace("RUN", run)}, "python go.py")
    assert (job.is_training, job.total_steps, job.learning_rate) == (True, 700, 0.02)
    assert "momentum" in job.optimizer.lower() or job.optimizer == "SGD"


@pytest.mark.parametrize("run", ["session().run(weights)", "weights.eval()"])
def test_a_session_that_runs_something_else_counts_no_steps(read, run):
    job = read({"go.py": GRAPH.replace("RUN", run)}, "python go.py")
    assert job.total_steps is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import platform\nx = platform.system()", "Linux"),
        ("import pathlib\nx = str(pathlib.PurePosixPath('a') / 'b')", "a/b"),
        ("import pathlib\nx = str(pathlib.PosixPath('a/b'))", "a/b"),
    ],
)
def test_the_machine_of_a_job_is_one_of_linux(outcome, text, found):
    assert outcome(text) == found


CHOSEN = """
    import sys
    import tensorflow as tf

    class Small:
        def __init__(self, session):
            self.session, self.rate = session, RATE

        def build(self):
            self.x = tf.placeholder(tf.float32, [None, 4])
            loss = tf.reduce_mean(tf.layers.dense(self.x, 1))
            self.step = tf.train.AdamOptimizer(self.rate).minimize(loss)

        def train(self, rows):
            for epoch in range(7):
                self.session.run(self.step, {self.x: rows})

    class Large(Small):
        def build(self):
            self.x = tf.placeholder(tf.float32, [None, 4])
            loss = tf.reduce_mean(tf.layers.dense(self.x, 2))
            self.step = tf.train.AdamOptimizer(0.01).minimize(loss)

        def train(self, rows):
            for epoch in range(7):
                self.session.run(self.step, {self.x: rows})

    net = None
    with tf.Session() as session:
        for kind in (Small, Large):
            if sys.argv[1] == kind.__name__:
                net = kind(session)
        if net is None:
            raise ValueError(sys.argv[1])
        net.build()
        net.train([[0.0] * 4])
"""


def test_what_each_of_several_objects_does_is_seen_where_the_command_leaves_open_which_it_is(read):
    alike = read({"go.py": CHOSEN.replace("RATE", "0.01")}, "python go.py <kind>")
    assert (alike.is_training, alike.optimizer, alike.learning_rate, alike.model_name) == (True, "Adam", 0.01, None)
    chosen = read({"go.py": CHOSEN.replace("RATE", "0.03")}, "python go.py Small")
    assert (chosen.is_training, chosen.learning_rate) == (True, 0.03)


def test_what_they_disagree_on_stays_open(read):
    found = read({"go.py": CHOSEN.replace("RATE", "0.03")}, "python go.py <kind>")
    assert (found.is_training, found.optimizer, found.learning_rate) == (True, "Adam", None)


def test_a_rate_that_a_loop_lowers_is_what_it_begins_with(read):
    source = """
        import tensorflow as tf

        rate = tf.placeholder(tf.float32, [])
        step = tf.train.AdamOptimizer(learning_rate=rate).minimize(tf.get_variable("w", [3]))
        with tf.Session() as session:
            lr = 0.04
            for epoch in range(3):
                session.run(step, {rate: lr})
                lr *= 0.5
    """
    assert read({"go.py": source}, "python go.py").learning_rate == 0.04


RATES = """
    import tensorflow as tf
    from tensorflow.python.platform import flags

    flags.DEFINE_float("base", 0.03, "the rate")
    FLAGS = flags.FLAGS
    place = tf.Variable(0, trainable=False)
    rate = {rate}
    step = {step}
    with tf.Session() as session:
        for batch in range(5):
            session.run(step)
"""
MINIMIZED = "tf.train.AdamOptimizer(rate).minimize(tf.get_variable('w', [3]))"


@pytest.mark.parametrize(
    ("rate", "expected"),
    [
        ("tf.train.exponential_decay(FLAGS.base, place, 500, 0.9, staircase=True)", 0.03),
        ("tf.maximum(tf.train.exponential_decay(FLAGS.base, place, 500, 0.9), 1e-6)", 0.03),
        ("tf.placeholder_with_default(FLAGS.base, ())", 0.03),
        ("tf.Variable(FLAGS.base, name='rate')", 0.03),
        ("tf.divide(1.0, tf.constant(4000.0))", None),
        ("tf.random_uniform([], 0.1, 0.2)", None),
    ],
)
def test_a_rate_in_a_graph_is_what_it_begins_with(read, rate, expected):
    job = read({"go.py": RATES.format(rate=rate, step=MINIMIZED)}, "python go.py")
    assert (job.is_training, job.optimizer, job.learning_rate) == (True, "Adam", expected)


def test_a_loss_that_is_optimized_at_once_names_optimizer_and_rate(read):
    step = "tf.contrib.layers.optimize_loss(tf.get_variable('w', [3]), place, learning_rate=rate, optimizer='SGD')"
    job = read({"go.py": RATES.format(rate="FLAGS.base", step=step)}, "python go.py --base 0.07")
    assert (job.is_training, job.optimizer, job.learning_rate) == (True, "SGD", 0.07)
