"""What daemons of a site say in plain words counts where the job stopped, softly, and nowhere else."""

import pytest

from schedmate import diagnose

STEPS = [f"epoch 1 step {step} loss {3 - step / 100:.3f}" for step in range(1, 80)]
LOST = "ConnectionResetError: [Errno 104] Connection reset by peer"
SAID = {
    "Dec 25 05:53:48 pdud[812]: row F: breaker 7 tripped": ("infrastructure", "other"),
    "2025-03-04 08:00:01 cold-eye: pump 2 of row F stopped": ("infrastructure", "other"),
    "leased[7]: lease 4711 of 8 nodes has expired": ("infrastructure", "other"),
    "gpu-roll[node12]: expected 8 accelerators, found 7": ("infrastructure", "gpu"),
    "proofd: card 3 gave wrong sums in 2 of 900 checks": ("infrastructure", "gpu"),
    "fabric-eye[1]: port 3 of leaf-12 quarantined": ("infrastructure", "network"),
    "nodewatch: lost contact with node12, last heard 95 s ago": ("infrastructure", "node"),
    "jobctl: job 4711 deleted by alice": ("other", None),
    "bank: GPU-hours of account vision are used up": ("other", None),
}


def read(tmp_path, lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


@pytest.mark.parametrize(("line", "said"), SAID.items())
@pytest.mark.parametrize("fallout", [[], [LOST, LOST]])
def test_a_daemon_is_heard_where_the_job_stopped(tmp_path, line, said, fallout):
    found = read(tmp_path, [*STEPS, line, *fallout])
    assert (found.category, found.subcategory, found.root_line) == (*said, len(STEPS) + 1)


@pytest.mark.parametrize("line", SAID)
def test_what_the_job_outlived_is_no_cause(tmp_path, line):
    assert read(tmp_path, [*STEPS[:20], line, *STEPS[20:], "training finished"]).category == "none"


@pytest.mark.parametrize(
    "line",
    [
        "siteinfo: scheduled maintenance begins tomorrow at 08:00",
        "pdud[812]: row F: power failed for 2 ms, back to normal",
        "gpu-roll[node12]: 8 of 8 accelerators found",
        "nodewatch: node12 is healthy again",
    ],
)
def test_what_is_announced_or_over_is_no_cause(tmp_path, line):
    assert read(tmp_path, [*STEPS, line]).category == "none"


def test_a_broadcast_needs_no_daemons_name(tmp_path):
    wall = [
        "Broadcast message from root@login (Mon 2025-01-27 18:31:45 UTC):",
        "",
        "All nodes are going down for a new switch.",
    ]
    found = read(tmp_path, [*STEPS, *wall, LOST])
    assert (found.failure_id, found.root_line) == ("site.maintenance", len(STEPS) + 3)


def test_a_named_failure_outranks_a_daemons_plain_words(tmp_path):
    kernel = "Mar  4 08:10:00 gpu17 kernel: NVRM: Xid (PCI:0000:3b:00): 79, pid=4711, GPU has fallen off the bus."
    found = read(tmp_path, [*STEPS, kernel, "nodewatch: lost contact with gpu17"])
    assert found.failure_id == "gpu.xid_79"


def test_a_notice_explains_an_end_some_minutes_later(tmp_path):
    def stamped(first, last):
        return [f"2025-03-04 08:{at // 60:02d}:{at % 60:02d} step {at} loss 0.5" for at in range(first, last)]

    notice = (
        "2025-03-04T08:05:00Z node-termination-handler: spot interruption notice for instance i-1: action=terminate"
    )
    lines = [*stamped(1, 300), notice, *stamped(301, 420)]
    assert read(tmp_path, [*lines, LOST]).failure_id == "scheduler.spot_reclaim"
    assert read(tmp_path, lines).category == "none"
