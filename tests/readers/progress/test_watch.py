"""Many live logs at once."""

from schedmate.readers.progress.watch import Watch


def steps(first, last, seconds=0.5):
    return "".join(f"train step {step}/500 loss {9 / step:.4f} {seconds:.3f} s/it\n" for step in range(first, last))


def test_logs_are_polled_in_their_order_and_waited_for(tmp_path):
    early, late = tmp_path / "early.log", tmp_path / "late.log"
    early.write_text(steps(1, 20))
    watch = Watch([str(late), str(early)])
    assert watch.poll(0) == 1
    assert [one.step for one in watch.metrics(0)] == [None, 19]
    assert watch.metrics(0)[0].phase == "init"
    late.write_text(steps(1, 5))
    assert watch.poll(1) == 1
    assert watch.poll(2) == 0
    assert [one.step for one in watch.metrics(2)] == [4, 19]


def test_a_rotated_log_goes_on(tmp_path):
    path = tmp_path / "job.log"
    path.write_text(steps(1, 30))
    watch = Watch([str(path)])
    watch.poll(0)
    path.rename(tmp_path / "job.log.1")
    path.write_text(steps(30, 35))
    watch.poll(1)
    watch.poll(2)
    metrics = watch.metrics(2)[0]
    assert metrics.step == 34
    assert {one.line for one in metrics.evidence} == {5}


def test_a_large_log_is_begun_at_its_end_and_a_half_line_waits(tmp_path):
    path = tmp_path / "job.log"
    filler = "NCCL INFO Channel 00 : 0[1a000] -> 1[1c000] via P2P/IPC\n" * 130_000
    path.write_text(filler + steps(1, 40) + "train step 40/500 loss 0.1")
    watch = Watch([str(path)])
    assert watch.metrics(0)[0].step == 39
    with path.open("a") as log:
        log.write("23 0.500 s/it\n")
    watch.poll(1)
    assert (watch.metrics(1)[0].step, watch.metrics(1)[0].loss) == (40, 0.123)


def test_a_change_of_pace_is_found(tmp_path):
    path = tmp_path / "job.log"
    watch = Watch([str(path)])
    for step in range(1, 60):
        with path.open("a") as log:
            log.write(steps(step, step + 1, 0.5 if step < 30 else 0.8))
        watch.poll(float(step))
    change = watch.logs[0].slowdown()
    assert change is not None
    assert change.is_slower
    assert 1.5 < change.ratio < 1.7
    assert watch.logs[0].slowdown() is change
