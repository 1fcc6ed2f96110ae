"""What is counted beside training is no training: data, downloads, layers, evaluation in the format of training."""

import pytest

from schedmate import Tracker


def read(text):
    tracker = Tracker("job.log")
    tracker.feed(text.encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


def bar(step, total, words, took=2.1):
    done = f"{step * took // 60:02.0f}:{step * took % 60:02.0f}"
    return f"{words}: {100 * step // total}%|{'█' * (step // 4)}| {step}/{total} [{done}<00:10,  {took:.2f}s/it]\r"


NOTHING = {
    "a bar without an end": "".join(f"{n * 731}it [00:{n:02}, {98 + n % 5}.21it/s]\r" for n in range(1, 40)),
    "examples without an end": "".join(
        f"Generating train split: {n * 731} examples [00:{n:02}, {98 + n % 5}.21 examples/s]\r" for n in range(1, 40)
    ),
    "documents": "".join(f"Processed {n * 1000} documents ({532 + n % 9}.2 docs/s, 3.1 MB/s).\n" for n in range(1, 30)),
    "steps of data": "".join(f"step {n}: tokenized {n * 5000} docs in {n * 3.2:.1f}s\n" for n in range(1, 20)),
    "shards": "".join(bar(n, 30, "Loading checkpoint shards") for n in range(31)),
    "graphs": "".join(bar(n, 35, "Capturing CUDA graph shapes") for n in range(36)),
    "a download": "".join(f" {n * 50}K .......... .......... {n}% 12.3M {90 - n}s\n" for n in range(1, 60)),
    "a download that Keras draws": "Downloading data from https://example.org/digits.npz\n"
    + "".join(f"{n * 287260:8}/11490434 {'━' * 20} {40 - n}s 5us/step\r" for n in range(1, 41)),
    "a prediction": "".join(f"{n * 10}/400 {'━' * 20} {n}s 31ms/step\r" for n in range(1, 41)),
    "layers": "     from  n    params  module\n"
    + "".join(f"{n:3}     -1  1    {n * 1760 + 31}  models.common.Conv    [32, 64, 3, 2]\n" for n in range(25)),
    "a summary": " Layer (type)      Output Shape     Param #\n"
    + "".join(f" conv2d_{n} (Conv2D)  (None, {26 - n}, {26 - n}, 32)  {320 * n}\n" for n in range(1, 20)),
    "an evaluation": "".join(f"Test: [{n * 10:4}/1563]  time: 0.1{n % 9}  acc1: 71.2\n" for n in range(60)),
    "settings": "  max_steps: 1000\n  time_limit: 3600\n  loss_weight: 1.0\n  save_steps: 500\n" * 6,
}


@pytest.mark.parametrize("name", NOTHING)
def test_nothing_is_read_where_there_is_nothing(name):
    found = read(NOTHING[name])
    assert found.step_time_s is None
    assert found.step is None


def test_a_bar_without_an_end_that_learns_is_training():
    found = read("".join(f"{n}it [00:{n // 2:02}, 2.0{n % 9}it/s, loss={9 / n:.3f}]\r" for n in range(1, 60)))
    assert (found.step, found.step_time_s) == (59, pytest.approx(0.5, rel=0.05))


def test_validation_in_the_format_of_training_is_validation():
    text = ""
    for epoch in range(3):
        text += f"Epoch {epoch}\n"
        text += "".join(f"[{n}/100] loss: {9 / (n + 1):.4f} time: 0.82{n % 9}s/it\n" for n in range(0, 100, 10))
        text += "Validation:\n"
        text += "".join(f"[{n}/50] loss: {9 / (n + 1):.4f} time: 0.21{n % 9}s/it\n" for n in range(0, 50, 10))
    found = read(text)
    assert (found.step, found.total_steps, found.step_time_s) == (90, 100, pytest.approx(0.82, rel=0.02))


def test_a_heading_alone_ends_no_training():
    text = "".join(
        f"[{n}/1000] loss: {9 / (n + 1):.4f} time: 0.82{n % 9}s/it\n" + ("Evaluating\n" if n % 50 == 0 else "")
        for n in range(0, 400, 10)
    )
    assert read(text).step == 390


def test_what_learns_nothing_is_no_measure_of_what_trains():
    text = "".join(f"[{n}/5000] time: 0.021s/it\n" for n in range(0, 5000, 1000)) + "Evaluation set is ready\n"
    text += "".join(f"[{n}/100] loss: {9 / (n + 1):.4f} time: 0.82{n % 9}s/it\n" for n in range(0, 100, 10))
    found = read(text)
    assert (found.step, found.total_steps, found.step_time_s) == (90, 100, pytest.approx(0.82, rel=0.02))


def test_a_download_that_keras_draws_is_not_taken_for_its_training_in_noise():
    drawn = "━" * 20
    text = f"11490434/11490434 {drawn} 56s 5us/step\n"
    for epoch in (1, 2):
        text += f"Epoch {epoch}/2\n" + "  adding 'score/scorer.py'\n" * 400
        text += f"375/375 {drawn} 4s 10ms/step - accuracy: 0.9654 - loss: 0.1207\n"
    found = read(text)
    assert (found.total_steps, found.step_time_s, found.loss) == (375, pytest.approx(0.010), 0.1207)


@pytest.mark.parametrize(
    "line",
    ["  adding 'score/validation.py'", "  --eval_on_start False", "copying build/validation", "validation=None,"],
)
def test_code_paths_and_options_head_no_evaluation(line):
    text = "".join(f"[{n}/100] loss: {9 / (n + 1):.4f} time: 0.82{n % 9}s/it\n" for n in range(0, 100, 10))
    text += line + "\n"
    text += "".join(f"[{n}/500] loss: {4 / (n + 1):.4f} time: 0.61{n % 9}s/it\n" for n in range(0, 250, 10))
    found = read(text)
    assert (found.step, found.total_steps, found.step_time_s) == (240, 500, pytest.approx(0.61, rel=0.02))


def test_words_of_evaluation_beat_a_formats_default():
    line = "Epoch: [0][{:4}/5005]\tTime 0.3{} ( 0.52)\tData  0.01 ( 0.12)\tLoss 6.9{}e+00 (7.0021e+00)\n"
    train = "".join(line.format(n, n % 9, n % 9) for n in range(0, 900, 10))
    val = "".join("Validation " + line.format(n, n % 9, n % 9).replace("5005", "390") for n in range(0, 390, 10))
    found = read(train + val)
    assert (found.step, found.total_steps) == (890, 5005)


def test_rows_of_another_table_are_not_the_headers():
    rows = "step  loss    s/it\n"
    for n in range(1, 25):
        rows += f"{n * 10:4}  {9 / n:.4f}  0.52{n % 9}\n" + (
            "rank  gpu     mem\n   0  3       80\n" if n % 7 == 3 else ""
        )
    found = read(rows)
    assert (found.step, found.step_time_s) == (240, pytest.approx(0.524, rel=0.02))


@pytest.mark.parametrize(
    "heading",
    [
        "Running tokenizer on train dataset",
        "Tokenize train",
        "Encoding training data",
        "Truncating train dataset",
        "Get train features",
        "Training set statistics",
        "Evaluating on train",
    ],
)
def test_work_on_what_is_trained_on_is_no_training(heading):
    assert read("".join(bar(step, 900, heading) for step in range(40, 700, 40))).step_time_s is None


@pytest.mark.parametrize(
    "heading",
    [
        "Training on train dataset",
        "Running training",
        "Train batch",
        "Fine-tuning",
        "Learning on training data",
        "Ranking model training",
        "Train set epoch 2",
    ],
)
def test_a_bar_may_name_what_is_trained_on(heading):
    assert read("".join(bar(step, 900, heading) for step in range(40, 700, 40))).step_time_s


def test_what_layers_lose_by_quantizing_is_no_training():
    form = "10:{:02}:{:02} INFO quantizing layer {}/48: attn.q_proj avg loss: {:.4f}, duration 11.{}s\n"
    text = "".join(form.format(n * 12 // 60, n * 12 % 60, n, 3 / n, n % 9) for n in range(1, 40))
    assert read(text).step_time_s is None
