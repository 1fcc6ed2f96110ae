"""What a source had said several times, and the job had outlived each time, says nothing new at the end."""

from schedmate import diagnose

STEPS = [f"2031-07-30 04:{at // 60:02d}:{at % 60:02d} step {at} | loss: 2.{at:03d}" for at in range(900)]
CHATTER = "kernel: mlx5_core 0000:17:00.0: Port module event[error]: module 1, Cable error, Bus stuck"
LOST = "2m   Warning   NodeNotReady   node/n-7   Kubelet stopped posting node status."


def read(tmp_path, lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


def test_what_was_outlived_often_gives_way_to_what_is_new(tmp_path):
    found = read(tmp_path, [*STEPS[:300], CHATTER, *STEPS[300:600], CHATTER, *STEPS[600:], CHATTER, LOST])
    assert found.root_line == len(STEPS) + 4


def test_it_counts_where_nothing_else_is_said(tmp_path):
    found = read(tmp_path, [*STEPS[:300], CHATTER, *STEPS[300:600], CHATTER, *STEPS[600:], CHATTER])
    assert found.subcategory == "network"
