"""Progress is known in the styles of the frameworks people train with, and in nothing else."""

import pytest

from schedmate.readers.failures.lines.steps import HINT, counts_of, is_progress, last_marks, marks_of_counters, step_of
from schedmate.readers.lines import clean
from schedmate.tools.logfile import open_log

STEPS = """\
05/02 11:20:31 - mmengine - INFO - Epoch(train)  [3][250/1200]  lr: 5.0000e-04  eta: 9:40:02  time: 0.2214  loss: 1.1022
05/02 11:20:31 - mmengine - INFO - Iter(train) [  900/40000]  lr: 5.0e-04  eta: 2:40:11  time: 0.4153  loss: 0.7132
[2025-05-02 11:20:31,204] [INFO] [logging.py:96:log_dist] [Rank 0] step=340, skipped=1, lr=[3e-05], mom=[[0.9, 0.999]]
|    total_timesteps      | 61440       |
2025-05-02 11:20:31,204 - INFO - trainer - step 5/33 loss 7.7159 error_rate 0.1929 failed_samples 0
Train: 4 [ 200/2502 (  8%)]  Loss: 5.912 (6.20)  Time: 0.411s, 620.2/s  (0.4s, 612/s)  LR: 2.0e-04
[batch=31/4800]: Train loss/train/total: 7.1234
I0502 11:20:31.10 77 logging_writer.py:48] [3400] steps_per_sec=5.1, train_loss=3.4
Epoch: [2]  [  40/625]  eta: 0:20:00  lr: 0.02  img/s: 402.2  loss: 4.1 (4.4)
iter 400: loss 3.1, time 88.45ms, mfu 41.2%
batch 81 | loss 1.7 | failed: 2
epoch 3 loss 0.21, mean corruption error: 20.280
{"at":"2026-06-28T13:00:10Z","event":"fit","step":1,"of":90,"loss":0.746,"errors_total":0,"timeouts_total":3}
11:59:31 update 0000007  policy 2.697  value 0.129  entropy 1.100  died_early 0.52  failed_jumps 57
02:19:27 rank 0 ended update 524 of 900 in 2.29 seconds, loss now 1.660
[00:20:05] e4 b1854  mse 0.02578  wind 7.3  | 52.9 smp/s  io 6%  bad 0
LOG Mon Jan 1 12:00:00 2029 - (12, 345) step_loss : 2.3412 learning_rate : 1.00e-4 grad_norm : 0.812
11:20:31:slot 2:core 7:Completed 1250 out of 250000 steps  (0%)
finished 12 of 400 epochs""".splitlines()
OTHERS = """\
subprocess.CalledProcessError: Command '['python', '-m', 'fit', '--eval-every=20', '--step-time=3.1', '--lr=0.5']' died
launching: fit.py --epochs 30 --lr 0.01 --batch 64 --loss 0.5
[3/12] Building CUDA object csrc/gather.cu.o
05/02 11:20:31 - mmengine - INFO - Saving checkpoint at 3 epochs
| rollout/                |             |
args: lr=[0.1] seed=3
| fps | unknown |
wandb: Synced 6 files
Completed 3 of 10 uploads
completed 3 of 10 steps, failed at the fourth
Step 4 failed with loss scale 0.0 error""".splitlines()


@pytest.mark.parametrize("raw", STEPS)
def test_a_training_step_is_progress(raw):
    assert HINT.search(raw.encode())
    assert is_progress(clean(raw).text)


@pytest.mark.parametrize("raw", OTHERS)
def test_another_line_is_none(raw):
    assert not is_progress(clean(raw).text)


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("iteration 1,000/ 2,000 loss 0.3", [(1000.0, 2000.0)]),
        ("step 5 10 loss 0.3", [(5.0, None)]),
        ("fit.py:12 [rank 5/40] step=7310 loss=1.9", [(7310.0, None)]),
        ("step 5//10 loss 0.3", [(5.0, 10.0)]),
        ("epoch: 2/3 step: 7 loss: 0.1", [(2.0, 3.0), (7.0, None)]),
    ],
)
def test_counters_tell_how_far_they_are(text, counts):
    assert counts_of(step_of(text)) == counts


def test_what_was_printed_for_a_step_is_counted_together_but_not_with_that_of_another_epoch(tmp_path):
    lines = [
        f"mmengine - INFO - Epoch(train)  [{epoch}][{step}/100]  lr: 1e-4  time: 1.2"
        for epoch in (1, 2)
        for step in (20, 40)
    ]
    lines += [lines[-1].replace("time: 1.2", "time: 1.3")]
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    with open_log(tmp_path / "job.log") as log:
        marks = last_marks(log)
    assert [mark.length for mark in marks] == [len(lines[0]), 2 * len(lines[0])]


def test_lines_that_say_of_layer_by_layer_what_does_not_fit_count_nothing(tmp_path):
    said = "in layer {0} a shape of [{1}, {2}] is in the file, expected [{2}, {1}]"
    wavers = [said.format(layer, 128 + layer % 3, 64 + layer % 2) for layer in range(30)]
    (tmp_path / "job.log").write_text("\n".join(wavers) + "\n")
    with open_log(tmp_path / "job.log") as log:
        assert marks_of_counters(log) == []
    (tmp_path / "job.log").write_text("\n".join(line.replace("expected", "as is") for line in wavers) + "\n")
    with open_log(tmp_path / "job.log") as log:
        assert len(marks_of_counters(log)) == len(wavers)


def test_pods_that_speak_in_turn_count_nothing_though_their_numbers_rise_evenly(tmp_path):
    said = "Normal BackOff pod/crawl-worker-{0} back-off of {1} s, 12 nodes of 16 ready"
    turns = [said.format(3 + turn % 5, 10 + turn % 4) for turn in range(60)]
    (tmp_path / "job.log").write_text("\n".join(turns) + "\n")
    with open_log(tmp_path / "job.log") as log:
        assert marks_of_counters(log) == []
    counted = [said.format(turn, 10 + turn % 4).replace("crawl-worker-", "crawl-step-") for turn in range(60)]
    (tmp_path / "job.log").write_text("\n".join(counted) + "\n")
    with open_log(tmp_path / "job.log") as log:
        assert len(marks_of_counters(log)) == len(turns)


def test_what_goes_round_the_cards_of_a_host_counts_nothing(tmp_path):
    said = "card {}, {} C, 81.0 W, {} MiB"
    turns = [said.format(turn % 8, 40 + turn % 3, 700 + turn * 7 % 5) for turn in range(60)]
    (tmp_path / "job.log").write_text("\n".join(turns) + "\n")
    with open_log(tmp_path / "job.log") as log:
        assert marks_of_counters(log) == []
    epochs = [f"part {turn % 20}, {40 + turn % 3} C, 81.0 W, {700 + turn * 7 % 5} MiB" for turn in range(60)]
    (tmp_path / "job.log").write_text("\n".join(epochs) + "\n")
    with open_log(tmp_path / "job.log") as log:
        assert len(marks_of_counters(log)) == len(epochs)
