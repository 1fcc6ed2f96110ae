"""Field-wise similarity: unknown fields say nothing, kinds part at the threshold, the index finds what fields find."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedmate.history.similarity.comparing import calibrated, compare, ratio_closeness
from schedmate.history.similarity.fields import parsed
from schedmate.history.similarity.names import NameCloseness, overlap, plain
from schedmate.history.similarity.workload_vectors import DIMENSIONS, canonical_text, workload_vector
from schedmate.models.embedders.built_in import open_built_in
from schedmate.schemas import Workload

TUNING = Workload(
    is_training=True,
    model_name="meta-llama/Llama-3-8B",
    dataset_name="alpaca",
    task_fine="instruction tuning",
    param_size="8B",
    num_gpus=8,
    epochs=3,
)
VISION = Workload(
    is_training=True, model_name="resnet50", dataset_name="imagenet", task_fine="image classification", num_gpus=8
)


@pytest.fixture(scope="module")
def names():
    return NameCloseness(open_built_in())


def test_the_same_job_is_alike_and_another_kind_is_not(names):
    again = TUNING.model_copy(update={"model_name": "Llama-3-8B", "num_gpus": 16})
    alike, unlike = compare(TUNING, again, names), compare(TUNING, VISION, names)
    assert alike.similarity > 0.99
    assert unlike.similarity < 0.1
    assert "model_name" in alike.agrees
    assert {"model_name", "dataset_name"} <= set(unlike.differs)


def test_settings_are_named_where_they_differ(names):
    long = TUNING.model_copy(update={"epochs": 100})
    assert compare(TUNING, long, names).differs == ("epochs",)
    assert compare(TUNING, long, names).raw < compare(TUNING, TUNING, names).raw


def test_what_is_unknown_is_no_evidence(names):
    nothing = Workload()
    assert compare(nothing, nothing, names).similarity < 0.01
    little = Workload(is_training=True, framework="PyTorch")
    assert compare(little, little, names).similarity < 0.90
    part = Workload(model_name="Llama-3-8B", dataset_name="alpaca")
    assert compare(TUNING, part, names).differs == ()


def test_vectors_lie_as_the_fields_say(names):
    again = TUNING.model_copy(update={"model_name": "llama-3-8b-instruct"})
    one, two, three, none = (workload_vector(w, names) for w in (TUNING, again, VISION, Workload()))
    assert one.shape == (DIMENSIONS,)
    assert one.dtype == np.float32
    assert one @ two > 0.85
    assert one @ three < 0.4
    assert np.linalg.norm(none) == pytest.approx(1)


def test_the_text_leaves_out_proof_and_what_is_unknown():
    assert canonical_text(Workload(model_name="GPT")) == '{"model_name":"GPT"}'


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_names_compare_within_bounds(first, second):
    close = NameCloseness(open_built_in())
    assert 0 <= close.closeness(first, second) <= 1
    assert close.closeness(first, second) == close.closeness(second, first)
    assert 0 <= overlap(plain(first), plain(second)) <= 1


@given(st.floats(0, 1e300), st.floats(0, 1e300))
def test_ratios_are_closeness(left, right):
    assert 0 <= ratio_closeness(left, right) <= 1
    assert ratio_closeness(left, right) == ratio_closeness(right, left)


@pytest.mark.parametrize(
    ("text", "number"), [("7B", 7e9), ("1,024", 1024), ("6e-4", 6e-4), ("inf", None), ("-1", None), ("a lot", None)]
)
def test_numbers_are_read_as_people_write_them(text, number):
    assert parsed(text) == number


def test_calibration_rises():
    values = [calibrated(raw) for raw in np.linspace(0, 1, 50)]
    assert values == sorted(values)
    assert values[0] < 0.01
    assert values[-1] > 0.99
