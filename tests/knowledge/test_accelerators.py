"""Accelerators' names as sites and people write them."""

import pytest

from schedmate.knowledge.accelerators import accelerators_in, only_accelerator


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("queue-a30", "A30"),
        ("gpu:rtx_2080_ti:8", "RTX 2080 TI"),
        ("gpu:3090:1", "RTX 3090"),
        ("1080ti", "GTX 1080TI"),
        ("gpuv100", "V100"),
        ("TeslaM40", "M40"),
        ("v100l", "V100"),
        ("lab_a100nv_8", "A100"),
        ("NVIDIA GeForce RTX 4090 GPU", "RTX 4090"),
        ("titan_rtx", "TITAN RTX"),
        ("volta32gb", "V100 32GB"),
        ("gpu_long", None),
        ("vivo1000", None),
        ("a100|h100", None),
    ],
)
def test_one_accelerator(text, kind):
    assert only_accelerator(text) == kind


def test_several_accelerators_in_order():
    assert accelerators_in("two H100 or four A100 or H100") == ["H100", "A100"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("fold_3070", None),
        ("blocks-l4", None),
        ("walk_hopper", None),
        ("gpu-3070", "RTX 3070"),
        ("3080_card", "RTX 3080"),
        ("tesla_k80", "K80"),
        ("2070gpu", None),
        ("tune_4_t4_small", "T4"),
        ("tune_4_3070_small", None),
        ("tune_7_t4_small", None),
        ("rig_3080ti", "RTX 3080TI"),
        ("rig_l40s", "L40S"),
    ],
)
def test_names_that_may_be_something_else_need_a_word_beside_them(text, kind):
    assert only_accelerator(text, asked=False) == kind
