"""What one line says, whoever wrote it: values, roles, units."""

import pytest

from schedmate.readers.progress.kinds.shapes import Shapes

LINES = [
    ("Epoch 1:  45%|████▌     | 450/1000 [03:12<03:55,  2.34it/s, loss=0.123]",
     {"epoch": 1, "step": 450, "elapsed": 192, "eta": 235, "steps_rate": 2.34, "loss": 0.123}),
    ("1875/1875 [==============================] - 5s 3ms/step - loss: 0.2023 - val_loss: 0.1",
     {"step": 1875, "elapsed": 5, "step_time": 0.003, "loss": 0.2023, "eval": 0.1}),
    (" iteration   100/  5000 | elapsed time per iteration (ms): 1234.5 | global batch size: 256 | lm loss: 6.5E+00 |",
     {"step": 100, "step_time": 1.2345, "loss": 6.5}),
    ("step   100/19560 | loss 5.2123 (+1.2z)| norm 1.2 (0.3z)| lr 6.00e-04 | 123.45 ms | 425000 tok/s",
     {"step": 100, "loss": 5.2123, "time": 0.12345, "throughput": 425000}),
    ("Epoch [1][50/7330]\tlr: 1.9e-03, eta: 1 day, 14:25:30, time: 0.593, data_time: 0.052, loss: 2.3",
     {"epoch": 1, "step": 50, "eta": 138330, "time": 0.593, "part_time": 0.052, "loss": 2.3}),
    ("Train: 0 [  50/1251 (  4%)]  Loss: 6.94 (6.95)  Time: 0.35s, 2900.2/s  (0.40s, 2560/s)  LR: 1e-5",
     {"epoch": 0, "step": 50, "loss": 6.94, "time": 0.35, "throughput": 2900.2}),
    ("global step 100: loss = 1.2340 (0.345 sec/step)", {"step": 100, "loss": 1.234, "step_time": 0.345}),
    ("| epoch   1 |   200/ 2983 batches | lr 20.00 | ms/batch 12.34 | loss  7.6 | ppl 2000.12",
     {"epoch": 1, "step": 200, "step_time": 0.01234, "loss": 7.6}),
    ("{'loss': tensor(2.3, device='cuda:0'), 'train_speed(iter/s)': 0.123, 'global_step/max_steps': '10/100'}",
     {"loss": 2.3, "steps_rate": 0.123, "step": 10}),
    ("tgs (tokens/gpu/second)=4055.2 step=10 loss=9.8 fwd_bwd_time=6.5",
     {"throughput": 4055.2, "step": 10, "loss": 9.8, "part_time": 6.5}),
    ("12:	learn: 0.5	total: 1.2s	remaining: 2m 3s", {"step": 12, "elapsed": 1.2, "eta": 123}),
    ("Progress:  45.3% words/sec/thread:   12345 lr:  0.027 avg.loss:  2.3 ETA:   0h 1m23s",
     {"throughput": 12345, "loss": 2.3, "eta": 83}),
    ("[Epoch 3][Iter: 20/5005]lr: 0.1, loss: 6.9, batch_cost: 1.2s, ips: 123 samples/s",
     {"epoch": 3, "step": 20, "loss": 6.9, "step_time": 1.2, "throughput": 123}),
    ("step: 7 loss: nan", {"step": 7}),
    ("---Epoch.37 Train loss: .5 at rate .25", {"epoch": 37, "loss": 0.5}),
    ("Train: the time elapse of epoch 007 is: 00: 03: 12", {"epoch": 7, "time": 192}),
    ("Training time of epoch 12: 33.1s", {"epoch": 12, "time": 33.1}),
    ("Epoch: 0 [  512/10000 (5%)] Data (t): 0.050 Batch (t): 1.200, 4000.5/s, 500.1/s/gpu Loss: 5.2 (5.3)",
     {"step_time": 1.2, "part_time": 0.05, "throughput": 4000.5, "loss": 5.2}),
    ("[epoch:  8, iter:  32,000, lr:(1.000e-04,)] l_pix: 2.3e-03", {"epoch": 8, "step": 32000, "loss_part": 0.0023}),
    ("[proc 0][Train] 100 steps take 1.250 seconds", {"step": None, "interval_time": 1.25}),
    ("0 2990 loss - 1.364", {"loss": 1.364}),
    ("Fps is (10 sec: 812.5, 60 sec: 790.1). Total num frames: 4096.", {"throughput": 812.5, "things": 4096}),
    ("Step: 7 | Loss: 2.5 | Tokens/s: 12.5K | Tokens/s/GPU: 1.5K", {"step": 7, "throughput": 12500}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "want"), LINES, ids=lambda value: value[:30] if isinstance(value, str) else "")
def test_values_have_their_roles(text, want):
    shape, numbers = Shapes(()).read_text(text)
    read = {}
    for one in shape.fields:
        read.setdefault(one.role, one.value(numbers))
    assert {role: read.get(role) for role in want} == pytest.approx(want)


@pytest.mark.parametrize(
    ("text", "work"),
    [
        ("Validation DataLoader 0:  45%|████▌     | 45/100 [00:12<00:15,  3.75it/s]", "eval"),
        ("Epoch(val) [1][10/50]  loss: 0.3", "eval"),
        ("Loading checkpoint shards: 100%|██████████| 3/3 [00:05<00:00,  1.83s/it]", "other"),
        ("Downloading data: 45%|████▌     | 45.2M/100M [00:12<00:15, 3.75MB/s]", "other"),
        ("iter 10: loss 2.5, lr 1e-4", "train"),
    ],
)
def test_kind_of_work(text, work):
    assert Shapes(()).read_text(text)[0].work == work


def test_a_template_is_read_once():
    shapes = Shapes(())
    first, _ = shapes.read_text("iter 10: loss 2.5")
    second, numbers = shapes.read_text("iter 11: loss 2.4")
    assert first is second
    assert numbers == ["11", "2.4"]


def test_memory_of_templates_is_bounded():
    shapes = Shapes((), limit=10)
    for place in range(50):
        shapes.read_text(f"name{chr(97 + place % 26) * (place + 1)} 10: loss 2.5")
    assert len(shapes.known) == 10


def test_lines_that_differ_in_names_alone_and_tell_nothing_are_looked_into_a_few_times_only():
    shapes = Shapes(())
    for number in range(1000):
        shapes.read_text(f"copied part{number}x.bin to disk 7")
    assert len(shapes.known) < 50


def test_what_counts_or_tells_a_loss_is_read_however_its_name_changes():
    shapes = Shapes(())
    for number in range(100):
        counted, _ = shapes.read_text(f"worker{number}x: step {number}")
        lost, _ = shapes.read_text(f"worker{number}x: loss 0.5")
        assert counted.stream.counter == "step"
        assert "loss" in {one.role for one in lost.fields}
