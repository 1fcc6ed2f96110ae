"""Two hosts on one machine: network namespaces joined by a link that can be taken down."""

import subprocess
import time

from evals.broken_runs.case import Case, python

NAMES = ("broken-a", "broken-b")
ADDRESSES = ("10.123.7.1", "10.123.7.2")


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)


def join() -> None:
    """Make both hosts and the link between them."""
    part()
    for name in NAMES:
        ip("netns", "add", name)
        ip("-n", name, "link", "set", "lo", "up")
    ip("link", "add", "eth0", "netns", NAMES[0], "type", "veth", "peer", "name", "eth0", "netns", NAMES[1])
    for name, address in zip(NAMES, ADDRESSES, strict=True):
        ip("-n", name, "addr", "add", f"{address}/24", "dev", "eth0")
        ip("-n", name, "link", "set", "eth0", "up")


def part() -> None:
    """Remove both hosts, where they are."""
    for name in NAMES:
        subprocess.run(["ip", "netns", "del", name], check=False, stderr=subprocess.DEVNULL)


def start_both(case: Case) -> list[subprocess.Popen[bytes]]:
    """Start torchrun on each host, both writing to the one log."""
    settings = case.environment() | {"GLOO_SOCKET_IFNAME": "eth0"}
    started = []
    for index, name in enumerate(NAMES):
        agent = [
            "--nnodes=2",
            f"--node-rank={index}",
            f"--nproc-per-node={max(2, case.ranks // 2)}",
            f"--master-addr={ADDRESSES[0]}",
            "--master-port=29511",
        ]
        with case.log.open("ab") as log:
            started.append(
                subprocess.Popen(
                    ["ip", "netns", "exec", name, python(), "-m", "torch.distributed.run", *agent, *case.program()],
                    stdout=log,
                    stderr=log,
                    env=settings,
                    start_new_session=True,
                    cwd="/",
                )
            )
        time.sleep(1)
    return started


def cut() -> None:
    """Take the link down; both ends stay silent, as with a broken cable."""
    ip("-n", NAMES[0], "link", "set", "eth0", "down")
