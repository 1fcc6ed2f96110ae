"""Jsonnet, and the jobs of AllenNLP that it configures."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedmate.readers.code.configs.jsonnet import read_jsonnet
from schedmate.readers.code.configs.jsonnet_values import MOST_TOKENS
from schedmate.readers.code.values.value import Unknown

CONFIG = """
// what the variables stand for
local model = "roberta-base";
local batch(size) = {"type": "bucket", "batch_size": size};
{
  "dataset_reader": {"type": "snli"},
  "train_data_path": std.extVar("DATA"),
  "model": {
    "type": "basic_classifier",
    "text_field_embedder": {"token_embedders": {"tokens": {"type": "pretrained_transformer", "model_name": model}}},
  },
  "data_loader": {"batch_sampler": batch(if model == "bert" then 64 else 4 * 4)},
  "trainer": {
    "num_epochs": 5, # not more
    "optimizer": {"type": "huggingface_adamw"} + {"lr": 2.5e-1},
  },
}
"""


def plain(value):
    """Give the values without their places; what is not known as None of its own kind."""
    data = value.data
    if isinstance(data, Unknown):
        return ...
    if isinstance(data, dict):
        return {key: plain(item) for key, item in data.items()}
    return [plain(item) for item in data] if isinstance(data, list) else data


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{a: 1, 'b': -2.5, \"c\": [true, null, 'x',],}", {"a": 1, "b": -2.5, "c": [True, None, "x"]}),
        ("local x = 2, y = x + 1; {a: x * y, b: 'n' + y, c: y == 3 && !false}", {"a": 6, "b": "n3", "c": True}),
        ("/* a\n b */ {local z = 4, [if true then 'k']: z, hidden:: 1}", {"k": 4, "hidden": 1}),
        ("local base = {o: {lr: 1, wd: 2}}; base {o+: {lr: 3}, n: base.o.wd}", {"o": {"lr": 3, "wd": 2}, "n": 2}),
        ("local f(a, b=1) = {v: a}; {r: f(5), s: f(a=6).v, t: [1, 2][1]}", {"r": {"v": 5}, "s": 6, "t": 2}),
        ("{a: std.length([1]), b: $.a, c: 1 / 0, d: if std.x then 1 else 2}", {"a": ..., "b": ..., "c": ..., "d": ...}),
        ("{a: [x for x in [1, 2]], b: 1, c: {[k]: 1 for k in ['a']}}", {"a": ..., "b": 1, "c": ...}),
    ],
)
def test_what_is_read(text, expected):
    value = read_jsonnet(text, "a.jsonnet")
    assert value is not None
    assert plain(value) == expected


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "{a: }", "local x = 1", "{a: 1} /* open", "'open", "1", "{a: `}", "[" * 500, "local f() = f(); f()"),
        *("[" + "1," * MOST_TOKENS + "]", "local f(x) = f(x) + f(x); {a: f(1)}"),
    ],
)
def test_what_is_broken_or_too_much_ends(text):
    value = read_jsonnet(text, "a.jsonnet")
    assert value is None or isinstance(value.data, dict)


@given(st.text(alphabet="{}[]()'\":;,.+-*/ \nlocal xif1=$!", max_size=60))
def test_no_text_breaks_the_reader(text):
    value = read_jsonnet(text, "a.jsonnet")
    assert value is None or isinstance(value.data, (dict, list))


def test_a_job_of_allennlp(read):
    job = read({"snli.jsonnet": CONFIG}, "allennlp train snli.jsonnet -s out --include-package mine")
    assert (job.is_training, job.model_name, job.model_type) == (True, "roberta-base", "transformer")
    assert (job.batch_size, job.epochs, job.learning_rate, job.optimizer) == (16, 5, 0.25, "AdamW")
    assert (job.distributed, job.precision, job.num_gpus) == ("none", "fp32", None)
    assert read({"snli.jsonnet": CONFIG}, "allennlp evaluate model.tar.gz data.jsonl").is_training is False
