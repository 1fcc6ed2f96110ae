"""TensorFlow's ready-made estimators: what they are told, and what they do where they are told nothing."""

import pytest

PROGRAM = """
    import tensorflow as tf
    def load(size=72):
        return tf.data.TFRecordDataset('birds.tfrecord').shuffle(9).batch(size)
    net = tf.estimator.{made}
    {begun}
    """
BY_SPEC = "tf.estimator.train_and_evaluate(net, tf.estimator.TrainSpec(lambda: load(), max_steps=400), None)"


@pytest.mark.parametrize("begun", ["net.train(input_fn=lambda: load(), steps=400)\n    net.evaluate(load)", BY_SPEC])
@pytest.mark.parametrize(
    ("made", "name", "optimizer", "rate"),
    [
        ("DNNRegressor(hidden_units=[8, 4], feature_columns=[])", "DNNRegressor", "Adagrad", None),
        ("DNNClassifier([8], [], optimizer='Adam')", "DNNClassifier", "Adam", None),
        ("LinearClassifier([])", "LinearClassifier", "Ftrl", None),
        ("LinearRegressor([], optimizer=tf.train.FtrlOptimizer(learning_rate=0.2))", "LinearRegressor", "Ftrl", 0.2),
        ("DNNLinearCombinedClassifier(dnn_hidden_units=[8])", "DNNLinearCombinedClassifier", None, None),
        ("DNNEstimator(None, [8], [], **told())", "DNNEstimator", None, None),
    ],
)
def test_a_ready_made_estimator_is_the_network_and_has_its_optimizer(read, begun, made, name, optimizer, rate):
    job = read({"go.py": PROGRAM.format(made=made, begun=begun)}, "python go.py")
    assert (job.is_training, job.total_steps, job.batch_size) == (True, 400, 72)
    assert (job.model_name, job.optimizer, job.learning_rate) == (name, optimizer, rate)


def test_an_estimator_that_only_evaluates_learns_by_nothing(read):
    files = {"go.py": PROGRAM.format(made="DNNRegressor([8], [])", begun="net.evaluate(load)")}
    assert read(files, "python go.py").optimizer is None
