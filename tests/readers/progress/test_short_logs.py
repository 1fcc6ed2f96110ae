"""What a line or three of a log nobody has described say of the step time; None where they do not say it."""

import pytest

from schedmate import Tracker

LOGS = [
    ("Step 812     [2.345 sec/step, loss=0.16315, avg_loss=0.17145]",2.345),
    ("iteration 120, loss 0.512, seconds/iteration 1.234567",1.234567),
    ("Training: 100%|█| 150/150 [22:03<00:00,  8.83s/epoch, loss=0.5405, val=0.0202, ce=0.3459, train_ρ=0.66",8.83),
    (
        "2031-05-27 00:36:34,620 - INFO - __main__ - Epoch 1, Step 100, Loss: 6.49\n"
        "2031-05-27 00:41:33,238 - INFO - __main__ - Epoch 1, Step 200, Loss: 5.62\n"
        "2031-05-27 00:46:39,436 - INFO - __main__ - Epoch 1, Step 300, Loss: 5.14",3.0
    ),
    (
        "Epoch 0, Step 200, Loss 2.28e+00\n"
        "[2.8 s | 2031-09-09 22:17:17.181593] Saving checkpoint ~/x/checkpoints/a_00000000.pt.\n"
        "Epoch 1, Step 0, Loss 2.27\n"
        "Epoch 1, Step 50, Loss 2.27\n"
        "Epoch 1, Step 100, Loss 2.25",None
    ),
    ("Epoch 7 done. Time per batch: 0.412[s] Speed: 155.3[samples/s]",0.412),
    ("Training:  13%|██████▌                 | 3993/30000 [02:16<14:51, 29.19steps/s, loss=0.000547]",1/29.19),
    ("Frame   12000, epoch     31, 192000 steps, 812.4 steps/s, loss 0.0213, 12.50",1/812.4),
    ("Epoch: 12/100, 13.24s/epoch, Loss: 0.21312 Val Loss 0.3121, Estimated time to end all epochs: 0h:19m",13.24),
    (
        "Mean time per batch: 0.2134 seconds\n"
        "Time per epoch of training: 213.4 seconds\n"
        "Number of batches: 1000",0.2134
    ),
    ("50,000 steps in 152 min at 5.5 steps/s, loss=17.4",1/5.5),
    ("step 1000 of 50000 (2.0%): loss 3.21 (7.1 examples/s; 0.141 sec/batch)",0.141),
    ("2031-01-01 10:00:00.123456: step 10, loss = 4.67 (812.3 examples/sec; 0.158 sec/batch)",0.158),
    ("[120/5000] D loss: 0.61 G loss: 1.32 time: 0.21s",0.21),
    ("(epoch: 3, iters: 1200, time: 0.212, data: 0.004) G_GAN: 1.2 G_L1: 20.1 D_real: 0.3",0.212),
    ("Iter 5000 | Time 0.3321(0.3412) | Loss 1.2(1.3) | Grad Norm 0.2",0.3321),
    ("Iteration: 120 Loss: 0.432 Time elapsed: 61.2",61.2/120),
    ("batch 100/938 loss: 0.3121 took 4.1s",None),
    ("#iter 400: loss 3.21, 12.1 it/s",1/12.1),
    ("12:00:01 | I | train | 100/1000 | loss=0.3 | 0.41 sec/iter",0.41),
    ("global_step: 1200, loss: 0.31, time/step: 0.213s",0.213),
    ("Train [3][120/938] Batch 0.312s (0.330s) Data 0.01s Loss 0.51 Acc 88.1",0.312),
    ("Ep 3 It 120 | loss 0.51 | 312 ms/it | eta 0:12:10",0.312),
    ("step=1200 loss=0.31 step_time_ms=213.4 tokens_per_second=12345",0.2134),
    ("INFO:root:Epoch[0] Batch [100]\tSpeed: 512.31 samples/sec\taccuracy=0.51",None),
    ("Processed 120000 examples, 812.1 examples per second, average loss 0.31",None),
    ("Batch: 120, Loss: 0.31, Batch Time: 213ms, Total Time: 25.6s",0.213),
    ("steps: 1200/5000, 24% complete, 2.13 steps per second, loss 0.3",1/2.13),
    ("{\"step\": 120, \"train_loss\": 0.31, \"sec_per_step\": 0.213, \"tokens_per_sec\": 9000}",0.213),
    ("| 120 | 0.31 | 0.88 | 0.213s |",None),
    ("Epoch 4 | Step 120 | Loss 0.31 | LR 1e-4 | 0.213 sec",0.213),
    ("train step 120: nll=2.31 (0.21s/step, 9.1k tok/s)",0.21),
    ("Minibatch 120 of 938, loss 0.31, 4.7 minibatches per second",1/4.7),
    ("cost after 120 iterations: 0.31 (25.6 s)",None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "want"), LOGS, ids=lambda value: value[:40] if isinstance(value, str) else "")
def test_the_step_time(text, want):
    tracker = Tracker("job.log")
    tracker.feed(f"{text}\n".encode(), now_s=0)
    assert tracker.metrics().step_time_s == (None if want is None else pytest.approx(want, rel=0.01))


def test_what_remains_of_this_pass_or_of_all_is_told_by_how_it_falls():
    def rows(remaining):
        for batch in range(100, 200, 10):
            seconds = remaining(batch)
            clock = f"0:{seconds // 60:02d}:{seconds % 60:02d}"
            yield f"[Epoch 3/50] [Batch {batch}/938] [D loss: 0.51] ETA: {clock}"

    for left in (lambda batch: (938 - batch) // 2, lambda batch: (47 * 938 + 938 - batch) // 20):
        tracker = Tracker("job.log")
        tracker.feed("".join(f"{row}\n" for row in rows(left)).encode(), now_s=0)
        found = tracker.metrics().step_time_s
        assert found == pytest.approx(0.5 if left(938) == 0 else 0.05, rel=0.1)
    tracker = Tracker("job.log")
    tracker.feed(b"[Epoch 3/50] [Batch 120/938] [D loss: 0.51] ETA: 1:02:03\n", now_s=0)
    assert tracker.metrics().step_time_s is None
