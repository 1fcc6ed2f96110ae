"""Trees, tuners, small libraries, other languages and older frameworks."""

from evals.training_logs.run import Run, Told, seconds
from evals.unmet_logs.shapes import at_least, bar, either


def catboost(run: Run) -> Told:
    at_least(run, 0.001, 3)
    lines = []
    for i in range(0, 600, 10):
        total, left = (i + 1) * run.step_s, (999 - i) * run.step_s
        lines.append(
            f"{i}:\tlearn: {run.loss(i):.7f}\ttest: {run.loss(i) + 0.1:.7f}\tbest: {run.loss(i) + 0.1:.7f} ({i})\ttotal: {spaced(total)}\tremaining: {spaced(left)}"
        )
    return Told("catboost", lines, seconds(run.step_s), "", 590, note="total and remaining in two units")


def spaced(value: float) -> str:
    """Write a duration as CatBoost does: its two largest units."""
    if value < 1:
        return f"{value * 1000:.3g}ms"
    if value < 60:
        return f"{value:.3g}s"
    whole = int(value)
    return f"{whole // 60}m {whole % 60}s" if whole < 3600 else f"{whole // 3600}h {whole % 3600 // 60}m {whole % 60}s"


def xgboost_stamped(run: Run) -> Told:
    at_least(run, 0.2)
    lines = [
        f"[{run.clock(i, '%Y-%m-%d:%H:%M:%S')}:INFO] [{i}]#011train-rmse:{run.loss(i):.5f}#011validation-rmse:{run.loss(i) + 0.1:.5f}"
        for i in range(200)
    ]
    return Told("xgboost", lines, seconds(run.step_s), "", 199, note="SageMaker's stamps")


def lightgbm_silent(run: Run) -> Told:
    lines = [
        "[LightGBM] [Info] Total Bins 25500",
        "[LightGBM] [Info] Number of data points in the train set: 120000, number of used features: 100",
        "Training until validation scores don't improve for 50 rounds",
    ]
    lines += [
        f"[{i}]\tvalid_0's binary_logloss: {run.loss(i):.6f}\tvalid_0's auc: 0.8{i}" for i in range(100, 1500, 100)
    ]
    return Told("lightgbm", lines, "null", note="rounds without time")


def sklearn_boosting(run: Run) -> Told:
    at_least(run, 0.1)
    lines = ["      Iter       Train Loss   Remaining Time "]
    for i in [*range(1, 11), *range(20, 91, 10)]:
        left = (100 - i) * run.step_s
        lines.append(f"{i:10d} {run.loss(i):16.4f} {f'{left:.2f}s' if left < 60 else f'{left / 60:.2f}m':>16}")
    return Told("sklearn", lines, either(run.step_s, None), note="what remains of an end that is not named")


def sklearn_mlp(run: Run) -> Told:
    return Told(
        "sklearn", [f"Iteration {i}, loss = {run.loss(i):.8f}" for i in range(1, 120)], "null", "", "", note="no time"
    )


def grid_search(run: Run) -> Told:
    lines = ["Fitting 5 folds for each of 24 candidates, totalling 120 fits"]
    lines += [
        f"[CV {i % 5 + 1}/5; {i // 5 + 1}/24] END ............C=1, gamma=0.{i}, kernel=rbf;, score=0.91{i % 10} total time={run.step_s * 10:6.1f}s"
        for i in range(60)
    ]
    return Told("sklearn", lines, either(None, round(run.step_s * 10, 1)), note="fits of a search")


def hyperopt(run: Run) -> Told:
    at_least(run, 1.1)
    lines = [bar(run, i, total=100, unit="trial", tail=f"best loss: {run.loss(i)}") for i in range(1, 60)]
    return Told("hyperopt", lines, either(run.step_s, None), note="a bar of trials")


def keras_tuner(run: Run) -> Told:
    lines = []
    for i in range(1, 7):
        lines += [
            "",
            f"Trial {i} Complete [00h 01m 12s]",
            "val_accuracy: 0.8121",
            "",
            "Best val_accuracy So Far: 0.8312",
            f"Total elapsed time: 00h {i + 1:02d}m 11s",
            "",
            f"Search: Running Trial #{i + 1}",
            "",
            "Value             |Best Value So Far |Hyperparameter",
            "320               |64                |units",
            "0.001             |0.01              |learning_rate",
        ]
    return Told("keras-tuner", lines, "null|72", note="trials")


def autogluon(run: Run) -> Told:
    lines = []
    for i, name in enumerate(
        ("KNeighborsUnif", "LightGBMXT", "LightGBM", "RandomForestGini", "CatBoost", "XGBoost", "NeuralNetTorch")
    ):
        lines += [
            f"Fitting model: {name} ...",
            f"\t0.8{i}12\t = Validation score   (accuracy)",
            f"\t{3 + i * 2.1:.2f}s\t = Training   runtime",
            "\t0.12s\t = Validation runtime",
        ]
    return Told("autogluon", lines, "null", note="one model after the other")


def keras_verbose_two(run: Run) -> Told:
    at_least(run, 0.002)
    lines = []
    for epoch in range(1, 9):
        lines += [
            f"Epoch {epoch}/40",
            f"469/469 - {run.step_s * 469:.0f}s - loss: {run.loss(epoch * 20):.4f} - accuracy: 0.91 - val_loss: {run.loss(epoch * 20) + 0.1:.4f} - val_accuracy: 0.9 - {run.step_s * 469:.0f}s/epoch - {run.step_s * 1000:.0f}ms/step",
        ]
    return Told("keras", lines, seconds(run.step_s), "", "", "", 8, "one line an epoch")


def keras_samples(run: Run) -> Told:
    at_least(run, 0.1)
    sample_s, lines = run.step_s / 128, []
    for epoch in range(1, 6):
        lines += [
            f"Epoch {epoch}/12",
            f"60000/60000 [==============================] - {sample_s * 60000:.0f}s {per_sample(sample_s)}/sample - loss: {run.loss(epoch * 20):.4f} - acc: 0.91 - val_loss: 0.41 - val_acc: 0.92",
        ]
    return Told("keras", lines, either(sample_s, run.step_s, None), "", "", "", 5, "time of a sample")


def per_sample(value: float) -> str:
    return f"{value * 1e3:.0f}ms" if value >= 1e-3 else f"{value * 1e6:.0f}us"


def chainer(run: Run) -> Told:
    at_least(run, 0.01)
    lines = ["epoch       iteration   main/loss   validation/main/loss  main/accuracy  elapsed_time"]
    lines += [
        f"{i:<10d}  {i * 600:<10d}  {run.loss(i * 20):<10.6g}  {run.loss(i * 20) + 0.1:<20.6g}  0.91{i}         {i * 600 * run.step_s:<12.6g}"
        for i in range(1, 15)
    ]
    return Told("chainer", lines, seconds(run.step_s), "", "8400", note="a table with an elapsed clock")


def char_rnn(run: Run) -> Told:
    lines = [
        f"{i}/17800 (epoch {i / 356:.3f}), train_loss = {run.loss(i):.8f}, grad/param norm = 3.2121e-01, time/batch = {run.took(i + 2):.4f}s"
        for i in range(1, 300)
    ]
    return Told("char-rnn", lines, seconds(run.step_s), "", 299, 17800)


def lasagne(run: Run) -> Told:
    lines = []
    for epoch in range(1, 9):
        lines += [
            f"Epoch {epoch} of 500 took {run.took(epoch + 2) * 60:.3f}s",
            f"  training loss:\t\t{run.loss(epoch * 20):.6f}",
            f"  validation loss:\t\t{run.loss(epoch * 20) + 0.1:.6f}",
            "  validation accuracy:\t\t91.21 %",
        ]
    return Told("lasagne", lines, either(run.step_s * 60, None), note="epochs")


def gluon_cv(run: Run) -> Told:
    lines = ["INFO:root:Namespace(batch_size=32, dataset='coco', lr=0.001, num_workers=8, epochs=280)"]
    lines += [
        f"INFO:root:[Epoch 2][Batch {i}], Speed: {32 / run.took(i + 2):.3f} samples/sec, ObjLoss={run.loss(i):.3f}, BoxCenterLoss=3.1, ClassLoss=2.1"
        for i in range(99, 3600, 100)
    ]
    return Told("gluoncv", lines, seconds(run.step_s), "", 3599, "", 2, "samples a second; the batch is in the options")


def tf_benchmarks(run: Run) -> Told:
    lines = [
        "TensorFlow:  1.15",
        "Model:       resnet50",
        "Batch size:  512 global",
        "             64 per device",
        "Num batches: 1000",
        "Step\tImg/sec\ttotal_loss",
    ]
    lines += [
        f"{i}\timages/sec: {512 / run.took(i + 2):.1f} +/- 1.2 (jitter = 2.1)\t{run.loss(i):.3f}"
        for i in range(10, 500, 10)
    ]
    return Told(
        "tf-benchmarks", lines, seconds(run.step_s), "", 490, note="images a second; two batch sizes in the preamble"
    )


def dllogger(run: Run) -> Told:
    at_least(run, 0.05)
    lines = [
        f"DLL {run.clock(i, '%Y-%m-%d %H:%M:%S.%f')} - Epoch: 0 Iteration: {i}  train.loss : {run.loss(i):.5f}  train.total_ips : {256 / run.step_s:.2f} images/s train.compute_time : {run.step_s * 0.9:.4f} s train.data_time : {run.step_s * 0.05:.4f} s"
        for i in range(10, 800, 10)
    ]
    return Told("dllogger", lines, either(run.step_s, run.step_s * 0.95), "", 790)


def dgl(run: Run) -> Told:
    at_least(run, 0.002)
    lines = [
        f"Epoch {i:05d} | Time(s) {run.step_s:.4f} | Loss {run.loss(i):.4f} | Accuracy 0.8121 | ETputs(KTEPS) {10 / run.step_s:.2f}"
        for i in range(3, 200)
    ]
    return Told("dgl", lines, seconds(run.step_s), run.loss(199), note="full batches: an epoch is a step")


def pyg(run: Run) -> Told:
    return Told(
        "pyg",
        [f"Epoch: {i:03d}, Loss: {run.loss(i):.4f}, Train: 0.9121, Val: 0.7812, Test: 0.7912" for i in range(1, 150)],
        "null",
        note="no time",
    )


PROGRAMS = [
    catboost, xgboost_stamped, lightgbm_silent, sklearn_boosting, sklearn_mlp, grid_search, hyperopt, keras_tuner, autogluon, keras_verbose_two, keras_samples,
    chainer, char_rnn, lasagne, gluon_cv, tf_benchmarks, dllogger, dgl, pyg,
]  # fmt: skip
