"""What a host's daemon had said of it states first what a process of that host, or of that part, met soon after."""

import pytest

from schedmate import diagnose

AT = "2031-03-04 08:{:02d}:{:02d}".format
STEPS = [
    f"[kn01:0] {AT(place // 20, place % 20 * 3)} INFO train: step {place}/9000 loss {3 - place / 4000:.4f} lr 1e-4"
    for place in range(1, 300)
]
BROKEN = "GPU 3 has uncorrectable errors in its memory"
HEADS = {
    "daemon": f"Mar  4 {AT(13, 57)[11:]} {{}} hwd[812]: ",
    "other": f"{AT(13, 57).replace(' ', 'T')} rack-scout {{}} ",
}
STACK = ["Traceback (most recent call last):", '  File "/w/train.py", line 8, in <module>', "    loss.item()"]
ECC = [*STACK, "RuntimeError: CUDA error: uncorrectable ECC error encountered"]
UNHANDLED = (
    "torch.distributed.DistBackendError: NCCL error in: ../c10d/ProcessGroupNCCL.cpp:1970, unhandled system error"
)
RETRIES = (
    "[kn02:3] kn02:77:88 [3] transport/net_ib.cc:1295 NCCL WARN NET/IB : Got completion from peer 10.0.0.7<45292> with "
    "status=12 opcode=0 len=0 vendor err 129 (Send) hca mlx5_3"
)
ALERT = "|kn07|portwatch|mlx5_3 state=ACTIVE raw_ber=3e-05 ALERT effective_ber over its limit, the cable is likely bad"


def read(tmp_path, lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
@pytest.mark.parametrize(("host", "root"), [("kn07", 280), ("kn09", 303)])
def test_it_is_the_root_where_the_process_runs_on_that_host(tmp_path, head, host, root):
    met = [f"[kn07:3] [rank3]: {line}" for line in ECC]
    found = read(tmp_path, [*STEPS[:279], head.format(host) + BROKEN, *STEPS[279:], *met])
    assert (found.failure_id, found.root_line) == ("gpu.ecc_uncorrectable", root + (root > 280))


@pytest.mark.parametrize(("more", "root"), [("", 61), (", cleared", 301)])
def test_it_is_the_root_where_the_very_part_is_met(tmp_path, more, root):
    alert = AT(3, 0).replace(" ", "T") + ALERT + more
    assert read(tmp_path, [*STEPS[:60], alert, *STEPS[60:], RETRIES]).root_line == root


def test_an_effect_behind_what_was_got_over_is_no_proof_of_health(tmp_path):
    flap = HEADS["daemon"].format("kn07") + "mlx5_3 port 1: link went down 12 times in 60 s, loss of signal"
    met = [f"[kn05:3] [rank3]: {line}" for line in (*STACK, UNHANDLED)]
    assert read(tmp_path, [*STEPS[:279], flap, *STEPS[279:], *met]).category == "infrastructure"
