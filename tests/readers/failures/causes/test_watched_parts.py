"""What a watcher counts of a part, before its driver gives it up, states the fault first; of another part nothing."""

import pytest

from schedmate import diagnose

STEPS = [f"step {step} loss 2.{step:03d} lr 0.01" for step in range(120)]
SAME = "gpu07 kernel: [Fri Jun 13 03:31:14 2031] NVRM: Xid (PCI:0000:ba:00): 74, NVLink: fatal error on GPU 6, link 11"
AT = "2031-06-13T03:{:02d}:20 {} linkwatch: WARN gpu{} link {} crc errors 7268/min over limit 100/min"
GONE = "gpu07 kernel: [Fri Jun 13 03:31:14 2031] NVRM: Xid (PCI:0000:ba:00): 74, NVLink: fatal error on link 11(0x1)"


def root_of(tmp_path, said, gone=SAME):
    lines = [*STEPS[:60], said, *STEPS[60:], gone, "[rank3]: RuntimeError: NCCL error: remote process exited"]
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log").root_line


def test_its_watchers_first_word_of_the_part_is_the_root(tmp_path):
    assert root_of(tmp_path, AT.format(29, "gpu07", 6, 11)) == 61


@pytest.mark.parametrize("gpu", [1, 6])
def test_a_link_of_the_same_number_may_be_another_cards(tmp_path, gpu):
    assert root_of(tmp_path, AT.format(29, "gpu07", gpu, 11), GONE) == len(STEPS) + 2


@pytest.mark.parametrize(
    "said",
    [
        AT.format(29, "gpu07", 6, 12),
        AT.format(29, "gpu07", 1, 11),
        AT.format(29, "gpu08", 6, 11),
        AT.format(5, "gpu07", 6, 11),
        AT.format(29, "gpu07", 6, 11).replace("WARN", "INFO").replace("over limit 100/min", "is back to normal"),
    ],
)
def test_another_part_or_host_or_long_ago_or_well_is_not(tmp_path, said):
    assert root_of(tmp_path, said) == len(STEPS) + 2
