"""The verb `simulate`: read a trace, describe a cluster, run policies, write and hand back what became of the jobs."""

import os
from collections.abc import Callable

from schedmate.scheduling.simulation.as_it_was import recorded, stretches
from schedmate.scheduling.simulation.build_experiment import prepare
from schedmate.scheduling.simulation.check_options import check
from schedmate.scheduling.simulation.experiment import Experiment, Result
from schedmate.scheduling.simulation.job_table import write_jobs
from schedmate.scheduling.simulation.options import SimulationOptions
from schedmate.scheduling.simulation.results import Floats, Summary
from schedmate.scheduling.simulation.simulated import Simulation
from schedmate.scheduling.simulation.sweep import SweepLedger, fingerprint, run_all


def simulate(
    options: SimulationOptions,
    tell: Callable[[int], None] | None = None,
    started: Callable[[Experiment, int], None] | None = None,
    finished: Callable[[Summary], None] | None = None,
) -> Simulation:
    """Run each policy with each seed; the callbacks serve a progress bar."""
    check(options)
    experiment = prepare(options)
    runs = [(policy, options.seed + i) for policy in options.policies for i in range(options.repeat)]
    ledger = SweepLedger(options.sweep) if options.sweep else None
    names = {pair: fingerprint(experiment, *pair) for pair in runs if ledger}
    known = ledger.done if ledger and not options.wants_each_job else {}
    summaries = {pair: known[name] for pair, name in names.items() if name in known}
    open_runs = [pair for pair in runs if pair not in summaries]
    if started:
        started(experiment, len(open_runs))
    results: dict[tuple[str, int], Result] = {}
    waits: dict[tuple[str, int], Floats] = {}
    has_past = recorded(experiment.trace) is not None
    workers = options.workers or os.cpu_count() or 1
    for policy, seed, result in run_all(experiment, open_runs, workers, tell, options.plot is not None):
        if options.wants_each_job:
            results[policy, seed] = result
        summaries[policy, seed] = result.summary
        if has_past:
            waits[policy, seed] = stretches(experiment.trace, result.outcomes.queue_s)
        if ledger and names[policy, seed] not in ledger.done:
            ledger.add(names[policy, seed], result.summary)
        if finished:
            finished(result.summary)
    simulation = Simulation(experiment, results, tuple(summaries[pair] for pair in runs), waits)
    write(simulation, options)
    return simulation


def write(simulation: Simulation, options: SimulationOptions) -> None:
    """Write the files that were asked for."""
    if options.jobs_out is not None:
        write_jobs(simulation, options.jobs_out)
    if options.plot is not None:
        from schedmate.scheduling.simulation.report import save

        save(simulation, options.plot)
