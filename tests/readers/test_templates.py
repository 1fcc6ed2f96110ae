"""Masks take off what varies and leave what is said; no line makes them slow."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedmate.readers import mask_line


@pytest.mark.parametrize(
    ("line", "template"),
    [
        (
            " 45%|████▌     | 450/1000 [01:23<01:40,  5.43it/s, loss=0.123]",
            "<num>%|<bar>| <num>/<num> [<time><<time>, <num>it/s, loss=<num>]",
        ),
        (
            "1563/1563 [=======>......] - 6s 4ms/step - loss: 1.2",
            "<num>/<num> [<bar>] - <num>s <num>ms/step - loss: <num>",
        ),
        (
            "2024-05-06T07:08:09.123Z node-12 kernel: NVRM: Xid (PCI:0000:3b:00.0): 79, pid=1234",
            "<time> node-<num> kernel: NVRM: Xid (PCI:<addr>): <num>, pid=<num>",
        ),
        ("Sun Mar  3 10:11:12 2024 refused by 10.0.3.4:29500", "<time> refused by <addr>"),
        ("saved s3://bucket/x and /data/a/b.pt, ok.", "saved <url> and <path>, ok."),
        ('  File "/opt/x/train.py", line 12, in main', 'File "<path>", line <num>, in main'),
        ("job 550e8400-e29b-41d4-a716-446655440000 at 9f86d081884c7d65", "job <id> at <id>"),
        ("lr 1e-05 seed -3 took 1,234.5 ms, torch 2.1.0", "lr <num> seed <num> took <num> ms, torch <num>"),
        ("bad pointer 0x7f3a00ff", "bad pointer <hex>"),
        ("\x1b[31mred 5\x1b[0m", "red <num>"),
        ("samples/sec it/s train/loss", "samples/sec it/s train/loss"),
        ("-------------------------- 12", "--- <num>"),
        ("eta: 1 day, 2:03:04", "eta: <time>"),
        ("", ""),
    ],
)
def test_masks(line, template):
    assert mask_line(line) == template


@given(st.integers(0, 10**9), st.floats(0, 1e6), st.sampled_from(["a1", "b22", "c3"]))
def test_the_same_statement_has_one_template(step, loss, node):
    assert mask_line(f"{node}: step {step} loss {loss:.4f}") == mask_line(f"{node}: step 7 loss 0.5")


@given(st.text(max_size=300))
def test_any_text_has_a_template_and_masking_twice_changes_little(text):
    template = mask_line(text)
    assert len(template) <= 6 * len(text) + 1
    assert "\n" not in template


HOSTILE = [
    "a", "0", "0a", "a0", "/", "a/", "a:", "0:", "[=", "[", "=", "%|", "0.0", "a.", "f", "ff0f", "a-", "0-", "http:",
    "http://", "Mon ", "Jan 0 ", "\x1b[", "a@", "a+", "x/a+", "0 days ", "<num> ", "-0", "...", "1,", "é", "█", "\t",
]  # fmt: skip


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_lines_cost_no_more_than_others(piece):
    for line in (piece * 100_000, piece * 400 + "!", "x" + piece * 400 + "_"):
        started = time.process_time()
        mask_line(line)
        assert time.process_time() - started < 2
