"""How much time is left: ends that the log, its command or its code tell, each with an interval."""

import pytest

import schedmate
from schedmate import Tracker
from schedmate.readers.progress.remaining import Ends, ends_of

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
        ("python train.py", Ends()),
        ("", Ends()),
    ],
)
def test_a_command_tells_the_end(command, ends):
    assert ends_of(command) == ends


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
