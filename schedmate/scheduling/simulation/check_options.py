"""What of a simulation cannot be had, said before anything long begins."""

import math
from typing import Any, Literal, get_args, get_origin

from schedmate.clusters.simulation.restart_cost import PUBLISHED, read_saving
from schedmate.errors import InputError
from schedmate.scheduling.estimators.catalogue import ESTIMATORS
from schedmate.scheduling.policy_table import POLICIES, entry
from schedmate.scheduling.simulation.options import HISTORY, SimulationOptions, declared
from schedmate.tools.output import check_output

MOST_REPEATS = 100_000

LEAST_UP_H = 0.1
"""Where nodes break more often, hardly a job ever ends, and the simulation neither."""
LEAST_GPU_UP_H = 1.0
PLOTS = (".png", ".svg", ".pdf", ".html")


def check_values(options: SimulationOptions) -> None:
    """Refuse what is of another type, a word that no option knows, a number that is none or outside its limits."""
    for one in declared():
        value, least, most = getattr(options, one.name), one.told.least, one.told.most
        if get_origin(one.kind) is Literal and value not in get_args(one.kind):
            raise InputError(f"{one.flag} '{value}' is unknown", f"there are: {', '.join(get_args(one.kind))}")
        if not is_of(value, one.kind):
            raise InputError(f"{one.flag} is {value!r}, a {type(value).__name__}", one.told.words)
        if isinstance(value, float) and not math.isfinite(value):
            raise InputError(f"{one.flag} {value} is endless or no number", "give a finite number")
        if (least is not None and value < least) or (most is not None and value > most):
            raise InputError(f"{one.flag} {value} lies outside its limits", one.told.words)


def is_of(value: object, kind: Any) -> bool:  # Any: a type as it is written in an annotation
    """Tell a value of an option's type; a whole number is a number too, true and false are none."""
    origin, within = get_origin(kind), get_args(kind)
    if origin is Literal:
        return value in within
    if origin is tuple:
        return isinstance(value, tuple) and all(isinstance(one, str) for one in value)
    kinds = within or (kind,)
    if isinstance(value, bool):
        return bool in kinds
    return isinstance(value, (*kinds, int) if float in kinds else kinds)


def check(options: SimulationOptions) -> None:
    """Refuse what cannot be run."""
    check_values(options)
    for policy in options.policies:
        entry(policy)
    if options.estimator not in {HISTORY, *ESTIMATORS}:
        known = f"{HISTORY}, {', '.join(ESTIMATORS)}"
        raise InputError(f"there is no estimator '{options.estimator}'", f"there are: {known}")
    if options.learn_from and options.estimator in {HISTORY, "oracle"}:
        raise InputError(
            f"estimator {options.estimator} learns from no trace", f"name another: {', '.join(ESTIMATORS)}"
        )
    if 0 < options.node_mtbf_h < LEAST_UP_H:
        raise InputError("with --node-mtbf-h below 0.1 nodes break before jobs end", "give 0, or at least 0.1")
    if 0 < options.gpu_mtbf_h < LEAST_GPU_UP_H:
        raise InputError("with --gpu-mtbf-h below 1 large jobs never end", "give 0, or at least 1")
    if not options.policies:
        raise InputError("no policy is named", f"there are: {', '.join(POLICIES)}")
    if options.nodes and options.vc:
        raise InputError("--nodes and --vc both describe the cluster", "give one; a --vc file may name GPUs and kinds")
    if not 1 <= options.repeat <= MOST_REPEATS:
        raise InputError(f"--repeat {options.repeat} cannot be run", f"give 1 to {MOST_REPEATS:,}")
    if options.crossing and not options.topology:
        raise InputError("--crossing needs --topology", "say which nodes are near each other: --topology 4/16")
    check_saving(options)
    for path in (options.jobs_out, options.plot, options.sweep):
        check_output(path)
    if options.plot is not None and options.plot.suffix not in PLOTS:
        raise InputError(f"{options.plot} is no picture or page", f"end it in {', '.join(PLOTS)}")


def check_saving(options: SimulationOptions) -> None:
    """Refuse unknown words, and what elastic jobs are not played with."""
    saving = read_saving(options.saving)
    if options.training is None:
        return
    if saving != PUBLISHED:
        raise InputError("elastic jobs lose nothing when they are resized", "leave --saving out")
    if options.limits or options.topology:
        raise InputError("elastic jobs are played without limits and racks", "leave --limits and --topology out")
    if options.chains:
        raise InputError("elastic jobs have no failures that a trace tells of", "leave --chains out")
