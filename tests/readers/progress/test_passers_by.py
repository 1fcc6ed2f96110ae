"""What a third hundred of strangers' logs taught; each log is of this file's own making."""

import pytest

from schedmate import Tracker
from schedmate.readers.progress.reading import is_dump


def read(text, encoding="utf-8", cut=None):
    tracker, data = Tracker("job.log"), text.encode(encoding)
    for start in range(0, len(data), cut or len(data)):
        tracker.feed(data[start : start + (cut or len(data))], now_s=0)
    tracker.finish()
    return tracker.metrics()


def clock(seconds):
    return f"{9 + int(seconds) // 3600:02d}:{int(seconds) // 60 % 60:02d}:{int(seconds) % 60:02d}"


def lines(text, count):
    return "\n".join(text(at) for at in range(count)) + "\n"


def left_of_the_pass(at):
    return (
        f"Epoch:[1/1]({1000 + 20 * at}/9000), loss: {2 / (at + 1):.4f}, epoch_time: {(8000 - 20 * at) * 0.2 // 60}min"
    )


def since_the_start(at):
    spent = clock(2 * at - 25200)
    return f"{at + 1}/9000 in 0 epoch finished at time {spent} from start, Loss is {3 / (at + 1):.4f}"


def scored(at):
    logger = "[main] INFO org.deeplearning4j.optimize.listeners.ScoreIterationListener"
    return f"{clock(8 * at)}.250 {logger} - Score at iteration {100 * at} is 0.7{at}"


def of_seven(at):
    twice = f"Epoch 1, batch {50 * at}, batch avg loss {6 / (at + 1):.4f}, batch size: 10"
    return f"WARNING:root:{twice}\n2031-09-30 {clock(40 * at)},265 WARNING [train.py:546] (0/7) {twice}"


def two_bytes(at):
    return f"epoch: 0060  step: {at}/100    time: 8.04 sec  loss: {-0.1 - at / 99:.6f}\r"


def frames(at):
    return f"Epoch: {at + 1}, global_step={25600 * at}\nSampling new\nSPS: 1250, pg_loss=-0.0044, v_loss=0.4{at}"


def gathered(at):
    batches = f"1epoch:train:{683 * at + 1}-{683 * at + 683}batch"
    times = f"iter_time=2e-04, forward_time=0.134, loss={70 / (at + 1):.3f}, backward_time=0.1, train_time=1.789"
    return f"[gpu01] 2031-07-19 {clock(305.4 * at)},000 (trainer:464) INFO: {batches}: {times}"


def first_of_a_pass(at):
    step = 100 * (at % 2)
    told = f"batch_cost: {1.7 if step else 9.5} sec, reader_cost: 0.1 sec, ips: 30.1 instance/sec."
    return f"[12/25 {clock(84 * at)}] epoch:[ {at // 2 + 1}/25 ] train step:{step} loss: 0.{90 - at} lr: 0.01 {told}"


@pytest.mark.parametrize(
    ("line", "count", "step_s"),
    [
        *((left_of_the_pass, 60, 0.2), (since_the_start, 60, 2.0), (scored, 20, 0.08), (of_seven, 4, 0.8)),
        *((two_bytes, 12, 8.04), (frames, 12, 1 / 1250), (gathered, 4, 1.789), (first_of_a_pass, 16, 1.7)),
    ],
)
def test_is_read(line, count, step_s):
    assert read(lines(line, count)).step_time_s == pytest.approx(step_s, rel=0.1)


@pytest.mark.parametrize("cut", [None, 1, 7, 4096])
def test_two_bytes_a_character_are_read(cut):
    metrics = read(lines(two_bytes, 12), "utf-16", cut)
    assert (metrics.step, metrics.total_steps) == (11, 100)
    assert metrics.step_time_s == pytest.approx(8.04)


def test_a_process_of_how_many_is_no_end():
    assert read(lines(of_seven, 4)).total_steps is None


def of_a_path(at):
    return f"{at} /nfs/project/whale/train/e{at}d9d575d.jpg\n{at} /nfs/project/whale/train/{761 + at}ce.jpg"


def evaluated(at):
    head = f"[08/02 13:03:{at:02d}][INFO]"
    return f"{head} test_net.py:  239: CUR ITER: {600 + 2 * at}\n{head} pool.py: 46: FRAMES AGGREGATED: 112"


def sized(at):
    size = f"262.363   Total estimated model params size (MB)\nExpected size {at} but got 7"
    return f"{size}\nTraining:   0%|          | 0/2369 [00:00<?, ?it/s]"


def solved(at):
    return f"[2031-07-19 {clock(70 * at)}] trial:{at}\nthroughput:0.{650 + at} rl time:28.{90 - at} planner time: 0.47"


def mapped(at):
    return f"{5 * at}%|██        | {5 * at}/100 [00:00<00:00, {370 + at}.54it/s]"


@pytest.mark.parametrize(
    ("line", "count"),
    [(of_a_path, 30), (evaluated, 30), (sized, 1), (solved, 9), (mapped, 21)],
)
def test_nothing_is_read_where_there_is_nothing(line, count):
    metrics = read(lines(line, count))
    assert metrics.step_time_s is None
    assert metrics.loss is None


def test_rounds_of_a_test_are_no_steps_of_what_was_learnt():
    passes = lines(lambda at: f"{clock(40 * at)} - INFO - Epoch {at + 1} Average Training Loss: {1 / (at + 1):.3f}", 8)
    rounds = lines(
        lambda at: f"{clock(400 + 3 * at)} - INFO - --- Round {at + 1}/30 ---\nBit Error Rate (BER): 0.51", 28
    )
    metrics = read(passes + rounds)
    assert (metrics.step, metrics.throughput) == (8, None)


def test_settings_that_are_written_out_are_no_report():
    def run(start, batch):
        head = f"2031-07-19 {clock(start)},277 - INFO - "
        told = "epochs=200, mosaic=1.0, optimizer='AdamW', lr0=0.001, single_cls=False, workers=4"
        passes = (
            f"2031-07-19 {clock(start + 90 * at)},277 - INFO - Epoch {at}/200 | mAP@0.5: 0.81, Loss: -1.0\n"
            for at in range(1, 20)
        )
        return f"{head}Hyperparameters: Namespace(batch={batch}, {told})\n" + "".join(passes)

    metrics = read("".join(run(4000 * at, batch) for at, batch in enumerate((16, 16, 16, 4, 4))))
    assert (metrics.step, metrics.epoch) == (19, 19)
    assert metrics.step_time_s == pytest.approx(90, rel=0.1)


def test_what_is_a_dump_of_settings():
    assert is_dump("Namespace(data='a(b).yaml', epochs=200, batch=4, lr0=0.001, device='cuda', save=True)")
    assert not is_dump("epoch=1, step=4, loss=0.3, lr=0.1, time=0.2 (best)")


def test_a_loggers_name_before_its_date_is_no_part_of_a_table():
    rows = ["epoch,time,train/loss,val/loss,lr", "1,599.9,0.93,0.69,0.001", "2,1174.3,0.95,0.71,0.001"]
    rows.append("3,1748.9,0.95,0.68,0.001")
    worn = "".join(f"[fit] [2031-07-19 10:11:{at}] [INFO] {row}\n" for at, row in enumerate(rows, 12))
    assert read(worn).step_time_s == read("\n".join([*rows, ""])).step_time_s == pytest.approx(574.5, rel=0.01)
