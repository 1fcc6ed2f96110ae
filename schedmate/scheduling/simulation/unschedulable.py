"""Jobs that could never start: found before a run, so that no policy waits for them for ever."""

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from schedmate.counts import how_many
from schedmate.errors import InputError
from schedmate.scheduling.placement.cut_gpus import cut_by
from schedmate.scheduling.placement.inventory import Inventory
from schedmate.scheduling.simulation.experiment import Experiment
from schedmate.scheduling.sites.limits import Limits
from schedmate.traces import OnBad
from schedmate.traces.columns import Trace
from schedmate.traces.rows import BadRow, BadRows

HOUR_S = 3600.0


def drop_misfits(experiment: Experiment, on_bad: OnBad) -> Experiment:
    """Leave out, or stop at, jobs that could never start: too big, of an unknown virtual cluster or GPU kind."""
    trace, by_vc = experiment.trace, experiment.has_vcs()
    rooms: dict[str, Inventory] = {}
    cut = cut_by(experiment.fractions)
    for node in experiment.nodes:
        rooms.setdefault(node.vc, Inventory(cut=cut)).add(node)
    bad = BadRows(trace.name, on_bad)
    why: dict[tuple[int, float, int], str] = {}
    keep = np.ones(len(trace), bool)
    limits = Limits(experiment.site) if experiment.site.is_limiting() else None
    vcs = (trace.vc.codes if by_vc else np.zeros(len(trace), np.int32)).tolist()
    for index, vc, gpus, kind in zip(range(len(trace)), vcs, trace.sizes(), trace.kind.codes.tolist(), strict=True):
        if (vc, gpus, kind) not in why:
            word = trace.vc.words[vc] if by_vc else ""
            why[vc, gpus, kind] = misfit(rooms, word, gpus, trace.kind.words[kind])
        reason = why[vc, gpus, kind] or (beyond_limits(limits, trace, index, gpus) if limits is not None else "")
        if reason:
            keep[index] = False
            bad.add(BadRow(int(trace.line[index]), f"job {trace.job_id[index]} {reason}"))
    if bad.count == 0:
        return experiment
    if bad.count == len(trace):
        raise InputError(f"no job of {trace.name} fits the cluster: {bad.shown[0]}", "give more or larger nodes")
    kept = trace.rows(keep)
    predictions = {name: values[keep] for name, values in experiment.predictions.items()}
    kept = replace(kept, notes=(*kept.notes, *bad.notes()))
    profiles = experiment.profiles
    if profiles is not None:
        profiles = replace(profiles, codes=profiles.codes[keep])
    return replace(experiment, trace=kept, predictions=predictions, profiles=profiles)


def check_bad_gpus(experiment: Experiment) -> None:
    """Refuse GPUs that go bad faster than the largest job can save, or than a person takes them out."""
    faults, largest = experiment.faults, math.ceil(experiment.trace.gpus.max())
    needs_s = largest * max(faults.gpu_notice_s, faults.checkpoint_s)
    if 0 < faults.gpu_mean_up_s < needs_s:
        raise InputError(
            f"with --gpu-mtbf-h {faults.gpu_mean_up_s / HOUR_S:g} a job of {how_many(largest, 'GPU')} never ends",
            f"give at least {needs_s / HOUR_S:,.0f}, or lower --gpu-notice-h and --checkpoint-min",
        )


def beyond_limits(limits: Limits, trace: Trace, index: int, gpus: float) -> str:
    """Say which limit a job is above all by itself; empty where it is above none."""
    account = trace.account[index] if len(trace.account.codes) else ""
    qos = trace.qos[index] if len(trace.qos.codes) else ""
    return limits.never(trace.user[index], account, qos, gpus)


def misfit(rooms: Mapping[str, Inventory], vc: str, gpus: float, kind: str) -> str:
    """Say why a job could not even start on the empty cluster; empty when it could."""
    room = rooms.get(vc)
    if room is None:
        return f"belongs to virtual cluster '{vc}', which is not described (there are {', '.join(sorted(rooms)[:20])})"
    place = room.place(gpus, kind)
    if place is not None:
        room.give(place)
        return ""
    pools = ", ".join(sorted({f"{pool.total_gpus} of kind {pool.kind}" for pool in room.pools}))
    if kind and all(pool.kind != kind for pool in room.pools):
        return f"asks for GPU kind {kind}; {'virtual cluster ' + vc if vc else 'the cluster'} has {pools}"
    return f"asks for {how_many(gpus, 'GPU')}{' of kind ' + kind if kind else ''}; {vc or 'the cluster'} has {pools}"
