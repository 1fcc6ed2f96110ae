"""TensorFlow's estimators: what makes the data is followed, and so is the model's function."""

import pytest

PROGRAM = """
    import tensorflow as tf
    def load(params={{}}):
        return tf.data.TFRecordDataset('birds.tfrecord').shuffle(9).batch({size})
    def model_fn(features, labels, mode, params):
        loss = tf.losses.mean_squared_error(labels, tf.layers.dense(features, 3))
        step = tf.train.AdagradOptimizer(params['rate']).minimize(loss)
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=step)
    estimator = tf.estimator.{kind}(model_fn, params={{'rate': 0.06}}{told})
    {begun}
    """


@pytest.mark.parametrize(
    ("kind", "told", "size", "begun", "batch"),
    [
        ("Estimator", "", "72", "estimator.train(load, max_steps=4000)", 72),
        ("Estimator", "", "72", "estimator.train(input_fn=lambda: load(), steps=4000)", 72),
        (
            "Estimator", "", "72",
            "tf.estimator.train_and_evaluate(estimator, tf.estimator.TrainSpec(load, max_steps=4000), None)", 72,
        ),
    ],
)  # fmt: skip
def test_training_is_followed(read, kind, told, size, begun, batch):
    job = read({"go.py": PROGRAM.format(kind=kind, told=told, size=size, begun=begun)}, "python go.py")
    assert (job.is_training, job.total_steps, job.batch_size) == (True, 4000, batch)
    assert (job.learning_rate, job.optimizer) == (0.06, "Adagrad")


@pytest.mark.parametrize(
    ("begun", "steps"),
    [
        ("estimator.train(load, None, 4000)", 4000),
        ("estimator.train(load, max_steps=None, steps=4000)", 4000),
        ("for _ in range(3): estimator.train(load, steps=4000)", 12000),
        ("for at in range(0, 9000, 500): estimator.train(load, steps=500)", 9000),
        ("for at in range(latest(), 9000, 500): estimator.train(load, steps=500)", None),
        ("while better(): estimator.train(load, steps=4000)", None),
        ("for kind in ('a', 'b'): estimator.train(load, steps=4000)", None),
        ("for _ in range(3): tf.estimator.Estimator(model_fn=go).train(load, steps=4000)", None),
        ("for _ in range(3): estimator.train(load, max_steps=4000)", 4000),
    ],
)
def test_steps_of_each_round_of_a_loop_are_counted_where_the_rounds_are(read, begun, steps):
    job = read({"go.py": PROGRAM.format(kind="Estimator", told="", size="72", begun=begun)}, "python go.py")
    assert (job.is_training, job.total_steps) == (True, steps)


def test_what_a_pod_is_told_of_its_batch_reaches_the_data(read):
    program = """
        import tensorflow as tf
        def load(params):
            return tf.data.TFRecordDataset('birds.tfrecord').batch(params['batch_size'])
        def model_fn(features, labels, mode, params):
            return tf.train.AdamOptimizer(0.01).minimize(features)
        estimator = tf.contrib.tpu.TPUEstimator(model_fn=model_fn, train_batch_size=56)
        estimator.train(input_fn=load, max_steps=30)
        """
    job = read({"go.py": program}, "python go.py")
    assert (job.batch_size, job.total_steps) == (56, 30)
