"""The training call and the loader that feeds it: the likeliest among those on the path."""


def test_a_session_carries_out_what_the_graph_describes(read):
    workload = read(
        {
            "train.py": """
            import tensorflow as tf
            import argparse

            parser = argparse.ArgumentParser()
            parser.add_argument("--rounds", type=int, default=700)
            args = parser.parse_args()
            loss = tf.reduce_mean(tf.layers.dense(tf.placeholder(tf.float32, [None, 4]), 1))
            update = tf.train.AdamOptimizer(0.002).minimize(loss)
            with tf.Session() as session:
                session.run(tf.global_variables_initializer())
                step = 0
                while step < args.rounds:
                    value, _ = session.run([loss, update])
                    step += 1
            """
        },
        "python train.py --rounds 900",
    )
    assert (workload.total_steps, workload.optimizer, workload.learning_rate) == (900, "Adam", 0.002)


COMPILED = """
import keras.backend as K
from keras.layers import Dense, Input
from keras.models import Model
from keras.optimizers import RMSprop

rows = Input((4,))
net = Model(rows, Dense(2)(rows))
changes = RMSprop(lr=0.002).get_updates(net.trainable_weights, [], K.mean(net.output))
step = K.function([net.input], [], updates=UPDATES)
for step_number in range(700):
    step([batch()])
"""


def test_a_compiled_function_with_updates_takes_the_steps(read):
    job = read({"train.py": COMPILED.replace("UPDATES", "changes")}, "python train.py")
    assert (job.is_training, job.optimizer, job.learning_rate, job.total_steps) == (True, "RMSprop", 0.002, 700)


def test_a_compiled_function_without_updates_takes_none(read):
    assert read({"train.py": COMPILED.replace("UPDATES", "[]")}, "python train.py").total_steps is None
