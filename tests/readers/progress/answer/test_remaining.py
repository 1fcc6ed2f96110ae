"""How much time is left: ends that the log, its command or its code tell, each with an interval."""

import pytest

import schedmate
from schedmate import Tracker
from schedmate.readers.progress.loop.ends import NO_ENDS, Ends, ends_of, joined

STEPS = "".join(f"step {n} loss {9 / n:.3f} step_time 0.5{n % 5}s\n" for n in range(10, 210, 10))


def read(text, ends):
    tracker = Tracker("job.log", ends=ends)
    tracker.feed(text.encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


@pytest.mark.parametrize(
    ("command", "ends"),
    [
        ("python train.py --max-steps 5000 --lr 1e-4", Ends(5000)),
        ("torchrun --nproc_per_node 8 pretrain_gpt.py --train-iters=500_000 --save-interval 100", Ends(500_000)),
        ("python main.py trainer.max_epochs=3 data.batch_size=32", Ends(None, 3)),
        ("python main.py --epochs 90 'an unclosed", Ends(None, 90)),
        ("accelerate launch run.py --num_train_epochs 4 --warmup_steps 100 --save_steps 500", Ends(None, 4)),
        ("torchrun --master_addr 10.0.0.1 --max_steps=1.2.3 train.py --max-steps 2e3", Ends(2000)),
        ("python train.py", Ends()),
        ("", Ends()),
    ],
)
def test_a_command_tells_the_end(command, ends):
    assert ends_of(command) == ends


def test_what_the_code_says_counts_before_what_an_option_is_called():
    assert joined(ends_of("python main.py --niter 10"), None, 10) == Ends(None, 10)
    assert joined(ends_of("python main.py --max-steps 90"), None, 10) == Ends(90, 10)
    assert joined(ends_of("python main.py --max-steps 90"), 80, None) == Ends(80)


def test_the_end_of_the_command_gives_what_is_left():
    found = read(STEPS, Ends(1000))
    assert found.eta_s == pytest.approx(800 * 0.52, rel=0.05)
    assert found.eta_low_s < found.eta_s < found.eta_high_s
    assert found.total_steps == 1000


def test_an_end_that_is_passed_already_is_none():
    assert read(STEPS, Ends(100)).eta_s is None


def test_passes_and_parts_of_one_give_the_end():
    text = "".join(f"step {n} epoch {n / 400:.4f} loss {9 / n:.3f} 0.5{n % 5} s/it\n" for n in range(10, 210, 10))
    found = read(text, Ends(None, 2))
    assert found.eta_s == pytest.approx((800 - 200) * 0.52, rel=0.05)


def test_passes_that_the_command_tells_are_still_to_come():
    text = "".join(
        f"Epoch: [{e}][{n}/400] loss {9 / (n + 1):.3f} 0.5{n % 5} s/it\n" for e in (0, 1) for n in range(0, 400, 20)
    )
    found = read(text, Ends(None, 5))
    assert found.eta_s == pytest.approx((20 + 3 * 400) * 0.52, rel=0.05)


IMAGENET = [
    f"Epoch: [{e}][{n}/400] loss {9 / (n + 1):.3f} 0.5{n % 5} s/it\n" for e in (0, 1, 2) for n in range(0, 400, 20)
]
KERAS = [
    line
    for e in range(1, 4)
    for line in (
        f"Epoch {e}/8\n",
        *(f"{n}/400 - {n // 2}s - 520ms/step - loss: {9 / n:.3f}\n" for n in range(40, 401, 40)),
    )
]


def test_the_end_of_a_pass_is_not_that_of_the_run():
    for lines in (IMAGENET[:15], IMAGENET[:30], IMAGENET):
        assert read("".join(lines), NO_ENDS).eta_s is None
    assert read("".join(IMAGENET[:15]), Ends(None, 1)).eta_s == pytest.approx(120 * 0.52, rel=0.05)


@pytest.mark.parametrize("cut", [13, 20, 30])
def test_passes_to_come_are_counted_from_the_first_on(cut):
    done = sum(line.startswith("Epoch") for line in KERAS[:cut]) - 1
    step = int(KERAS[cut - 1].partition("/")[0])
    found = read("".join(KERAS[:cut]), NO_ENDS)
    assert found.eta_s == pytest.approx((8 * 400 - done * 400 - step) * 0.52, rel=0.02)
    assert found.phase == "train"


def test_where_passes_begin_to_be_counted_is_remembered_beyond_the_lines_that_are_kept():
    text = "".join(
        f"Epoch: [{e}][{n}/900] loss {9 / (n + 1):.3f} 0.52 s/it\n" for e in (0, 1) for n in range(0, 900, 3)
    )
    assert read(text, Ends(None, 4)).eta_s == pytest.approx((4 * 900 - 900 - 897) * 0.52, rel=0.02)


def test_passes_whose_length_no_line_tells_are_as_long_as_the_last_one():
    text = "".join(
        f"epoch {e} batch {n} loss {9 / (n + 1):.3f} batch_time 0.52s\n" for e in (0, 1) for n in range(0, 200, 5)
    )
    found = read(text, Ends(None, 6))
    assert found.eta_s == pytest.approx((4 * 200 + 5) * 0.52, rel=0.03)
    assert read(text, NO_ENDS).eta_s is None


def test_steps_that_are_counted_through_all_passes_tell_their_length():
    text = "".join(f"epoch {n // 200} step {n} loss {9 / (n + 1):.3f} step_time 0.52s\n" for n in range(0, 500, 5))
    assert read(text, Ends(None, 5)).eta_s == pytest.approx(505 * 0.52, rel=0.05)


def test_the_end_of_all_steps_is_kept_where_a_counter_begins_anew_with_each_pass():
    assert read("".join(IMAGENET), Ends(2000)).eta_s == pytest.approx((2000 - 800 - 380) * 0.52, rel=0.05)


def test_an_estimate_of_the_run_is_taken_and_one_of_the_pass_is_not():
    form = "Epoch: [1]  [{n:>3}/400]  eta: {left}  loss: 1.{n:03}  time: 0.5000\n"
    of_pass = "".join(
        form.format(n=n, left=f"0:0{(400 - n) // 120}:{(400 - n) // 2 % 60:02}") for n in range(0, 200, 10)
    )
    of_run = "".join(
        form.format(n=n, left=f"1:{(400 - n) // 120:02}:{(400 - n) // 2 % 60:02}") for n in range(0, 200, 10)
    )
    assert read(of_pass, NO_ENDS).eta_s is None
    assert read(of_run, NO_ENDS).eta_s == pytest.approx(3600 + 105, rel=0.02)
    last = "mmdet - INFO - Epoch [9][{n}/600]\tlr: 1e-03, eta: 0:0{m}:{s:02}, time: 0.5, data_time: 0.05, loss: 1\n"
    told = "".join(last.format(n=n, m=(600 - n) // 120, s=(600 - n) // 2 % 60) for n in range(50, 401, 50))
    assert read(told, NO_ENDS).eta_s == 100


def test_a_clearer_end_has_a_narrower_interval():
    told = read(STEPS.replace("step_time", "/1000 step_time").replace(" loss", "/1000 loss"), Ends())
    guessed = read(STEPS, Ends(1000))
    assert told.eta_high_s - told.eta_low_s < guessed.eta_high_s - guessed.eta_low_s


def test_the_code_tells_an_end_that_nothing_else_does(tmp_path):
    (tmp_path / "train.py").write_text(
        "import argparse, torch\np = argparse.ArgumentParser()\np.add_argument('--max_steps', type=int, default=1000)\n"
        "args = p.parse_args()\nmodel = torch.nn.Linear(4, 4)\n"
        "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n"
        "for step in range(args.max_steps):\n    loss = model(torch.zeros(2, 4)).sum()\n    optimizer.zero_grad()\n"
        "    loss.backward()\n    optimizer.step()\n",
        "utf-8",
    )
    (tmp_path / "job.log").write_text(STEPS, "utf-8")
    found = schedmate.track(tmp_path / "job.log", command="python train.py", repo=tmp_path)
    assert found.eta_s == pytest.approx(800 * 0.52, rel=0.05)


def test_a_counter_whose_name_is_of_the_run_is_shared_out_over_the_passes():
    line = "2020-06-28 19:15:09 | INFO | train | epoch 066 | loss 2.6 | ups 0.42 | num_updates 858 | train_wall 30\n"
    found = read(line, Ends(None, 132))
    assert found.eta_s == pytest.approx(858 / 0.42, rel=0.01)
    # The pass may have just begun, or be over.
    assert found.eta_low_s < found.eta_s * 65 / 66
    assert found.eta_high_s > found.eta_s * 67 / 66
    assert read(line, NO_ENDS).eta_s is None
    assert read(line.replace("066", "002"), Ends(None, 132)).eta_s is None  # too early to tell


def test_what_a_pass_took_by_its_own_line_is_counted_on():
    batch = "Epoch[{}] Batch [{}]\tSpeed: 1450{}.5 samples/sec\taccuracy=0.9\n"
    text = "".join(batch.format(5, n, n % 7) for n in range(100, 600, 100)) + "Epoch[5] Time cost=4.6\n"
    between = read(text, Ends(None, 16))
    assert between.eta_low_s < 10 * 4.6 < between.eta_high_s  # of 16 from nought, 0 to 5 are over
    under_way = read(text + batch.format(6, 100, 2), Ends(None, 16))
    assert under_way.eta_low_s < 9.2 * 4.6 < under_way.eta_high_s
    assert read(text, NO_ENDS).eta_s is None
    assert read(text, Ends(None, 3)).eta_s is None  # an end that is passed is none


def test_the_last_pass_that_the_log_counts_needs_nobody_else():
    text = (
        " Minibatch[3001-4000]: loss = 1.04 * 256000;\n"
        "Finished Epoch[99 of 100]: loss = 1.04 * 1257216 9.578s (131260.8 samples/s);\n"
        " Minibatch[   1-1000]: loss = 1.03 * 256000;\n Minibatch[1001-2000]: loss = 1.02 * 256000;\n"
    )
    found = read(text, NO_ENDS)
    assert 0 <= found.eta_low_s <= 9.578 * 0.6 <= found.eta_high_s
