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


ESTIMATOR = {
    "run_it.py": """
        import argparse
        import tensorflow.compat.v1 as tf
        from tensorflow.contrib import tpu as contrib_tpu
        import rules

        parser = argparse.ArgumentParser()
        parser.add_argument("--epochs", type=int, default=3)
        args = parser.parse_args()

        def model_fn(features, labels, mode, params):
            if mode == tf.estimator.ModeKeys.TRAIN:
                return rules.create(0.03)

        estimator = contrib_tpu.TPUEstimator(model_fn=model_fn, train_batch_size=64)
        estimator.train(input_fn=None, max_steps=900)
    """,
    "rules.py": """
        import tensorflow.compat.v1 as tf

        class AdamWeightDecayOptimizer(tf.train.Optimizer):
            def __init__(self, learning_rate):
                self.learning_rate = learning_rate

        def create(rate):
            return AdamWeightDecayOptimizer(learning_rate=rate).minimize(1)
    """,
}


def test_an_estimators_function_is_asked_in_the_names_that_it_uses(read):
    found = read(ESTIMATOR, "python run_it.py")
    assert (found.optimizer, found.learning_rate) == ("AdamW", 0.03)


def test_no_epoch_asked_for_is_no_training(read):
    assert read(ESTIMATOR, "python run_it.py --epochs 0").is_training is False


def test_tensorflow_on_a_mesh_is_no_single_process(read):
    files = {
        "train.py": """
            import mesh_tensorflow as mtf
            import tensorflow.compat.v1 as tf
            from tensorflow.python.tpu import tpu_estimator

            class WeightDecayOptimizer(mtf.optimize.Optimizer):
                pass

            def model_fn(features, labels, mode, params):
                mesh = mtf.simd_mesh_impl.SimdMeshImpl(params["mesh_shape"], params["layout"])
                if mode == tf.estimator.ModeKeys.TRAIN:
                    optimizer = mtf.optimize.AdafactorOptimizer(learning_rate=params["lr"])
                    return optimizer.apply_grads([], [])

            params = {"mesh_shape": "x:4", "layout": "batch:x", "lr": 2e-4, "train_steps": 900}
            estimator = tpu_estimator.TPUEstimator(model_fn=model_fn, params=params, train_batch_size=64)
            estimator.train(input_fn=None, max_steps=params["train_steps"])
            """
    }
    found = read(files, "python train.py")
    assert (found.is_training, found.num_gpus, found.optimizer) == (True, None, "Adafactor")
    assert found.distributed == "Mesh TensorFlow data and tensor parallel"
