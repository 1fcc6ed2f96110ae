"""Adapters, cables, switches, names of hosts."""

from evals.field.fallout import follow, loud_ranks
from evals.field.faults.kinds import network
from evals.field.stage import Stage, Truth
from evals.field.tracebacks import raised


def retries_exhausted(stage: Stage) -> Truth:
    """Let sends to one host run out of retries; first one rank says so, then more."""
    job, at = stage.job, stage.trouble
    bad = job.rng.choice(job.names)
    others = [rank for rank in range(job.ranks) if job.host(rank) != bad] or [0]
    first = job.rng.choice(others)
    hca = f"mlx5_{job.local(first)}"
    peer = f"{job.address(bad)}<{40_000 + job.number % 9_000}>"
    head = f"{job.host(first)}:{job.pid(first)}:{job.pid(first) + 60} [{job.local(first)}]"
    told = f"NET/IB: Got completion from peer {peer} with status=IBV_WC_RETRY_EXC_ERR(12) opcode=IBV_WC_RDMA_WRITE(1) vendor_err=129  localGid fe80::a288:c203:ae:{first:x} remoteGids fe80::a288:c203:af:11 hca {hca}"
    stage.say(at, first, [
        f"{head} transport/net_ib/p2p.cc:648 NCCL WARN {told}", f"{head} NCCL INFO transport/net.cc:1302 -> 6", f"{head} NCCL INFO proxy.cc:698 -> 6",
    ], root=0)  # fmt: skip
    lines, _ = raised(job, first, "reduce",
        "torch.distributed.DistBackendError: NCCL error in: /pytorch/torch/csrc/distributed/c10d/NCCLUtils.hpp:268, remote process exited or there was a network error, NCCL version 2.21.5",
        "ncclRemoteError: A call failed possibly due to a network error or a remote process exiting prematurely.", "Last error:", told)  # fmt: skip
    stage.say(at + 0.4, first, lines)
    stage.dies(first, at + 1, 1)
    if job.rng.random() < 0.5:
        stage.kernel(at - 4, bad, ["mlx5_core 0000:5e:00.0 ib0: Link down"], root=0)
    follow(stage, at + 2, first)
    return network(f"{job.host(first)} {hca}|{bad}", "retries to a peer exhausted")


def link_down(stage: Stage) -> Truth:
    """Let one port go down; only the kernel knows, everybody else waits."""
    job, at = stage.job, stage.trouble
    bad = job.rng.choice(job.names)
    card = job.rng.choice(
        ("mlx5_core 0000:c1:00.0 ibs3", "bnxt_en 0000:18:00.0 eth0", "mlx5_core 0000:2a:00.1 ens7np1")
    )
    words = "NIC Link is Down" if "bnxt" in card else "Link down"
    stage.kernel(at, bad, [f"{card}: {words}"], root=0)
    follow(stage, at + 1, job.first_rank(bad), hangs=True)
    return network(bad, "a port went down and stayed down")


def no_route(stage: Stage) -> Truth:
    job, at = stage.job, stage.trouble
    bad = job.names[-1]
    for count, rank in enumerate(loud_ranks(stage, 20)[:12]):
        head = f"{job.host(rank)}:{job.pid(rank)}:{job.pid(rank) + 9} [{job.local(rank)}]"
        told = f"socketPollConnect: Connect to {job.address(bad)}<{41_000 + count}> returned 113(No route to host) errno 115(Operation now in progress)"
        stage.say(
            at + count * 0.3,
            rank,
            [
                f"{head} misc/socket.cc:559 NCCL WARN {told}",
                f"{head} NCCL INFO misc/socket.cc:624 -> 2",
                f"{head} NCCL INFO bootstrap.cc:285 -> 2",
            ],
            root=0 if count == 0 else None,
        )
        lines, _ = raised(job, rank, "init",
            "torch.distributed.DistBackendError: NCCL error in: /pytorch/torch/csrc/distributed/c10d/NCCLUtils.hpp:268, unhandled system error (run with NCCL_DEBUG=INFO for details), NCCL version 2.21.5",
            "ncclSystemError: System call (e.g. socket, malloc) or external library call failed or device error. ", "Last error:", told)  # fmt: skip
        stage.say(at + count * 0.3 + 0.2, rank, lines)
        stage.dies(rank, at + count * 0.3 + 1, 1)
    follow(stage, at + 5, 0)
    return network(bad, "no route to a host")


def name_unknown(stage: Stage) -> Truth:
    job, at = stage.job, stage.trouble
    master = job.names[0]
    rank = job.ranks - 1
    head = f"[W{job.clock(at, '%m%d %H:%M:%S.%9')} socket.cpp:"
    stage.say(at, rank, [f"{head}752] [c10d] The IPv6 network addresses of ({master}, 29500) cannot be retrieved (gai error: -3 - Temporary failure in name resolution).",
                         f"{head}752] [c10d] The IPv4 network addresses of ({master}, 29500) cannot be retrieved (gai error: -3 - Temporary failure in name resolution)."], root=0)  # fmt: skip
    lines, _ = raised(
        job,
        rank,
        "init",
        f"torch.distributed.DistNetworkError: The client socket has failed to connect to any network address of ({master}, 29500). The IPv6 network addresses of ({master}, 29500) cannot be retrieved (gai error: -3 - Temporary failure in name resolution).",
    )
    stage.say(at + 60, rank, lines)
    stage.dies(rank, at + 61, 1)
    follow(stage, at + 61, rank)
    return network(job.host(rank), "the name of a host could not be resolved", span=2)


FAMILIES = [(retries_exhausted, False, ()), (link_down, False, ()), (no_route, True, ()), (name_unknown, True, ())]
