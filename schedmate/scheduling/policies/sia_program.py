"""The integer program of Sia: at most one shape a job, no more GPUs of a kind than there are."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from schedmate.errors import MissingExtra, SchedMateError

Floats = npt.NDArray[np.float64]
GAP = 1e-4


def assign(
    rows: Sequence[tuple[Floats, int | None]],
    kind: npt.NDArray[np.int64],
    gpus: Floats,
    capacity: Sequence[int],
    unassigned: float,
) -> list[int | None]:
    """Give each job the shape with which the sum of costs is least; going without costs `unassigned`.

    A row holds a job's cost of each shape, infinite where it is out of reach, and the shape that must be kept.
    """
    job, column = [], []
    for index, (cost, _) in enumerate(rows):
        # A shape that costs as much as going without can only take GPUs from others.
        useful = np.flatnonzero(cost < unassigned)
        job.append(np.full(len(useful), index))
        column.append(useful)
    jobs, columns = np.concatenate(job), np.concatenate(column)
    if not len(jobs):
        return [None] * len(rows)
    cost = np.array([rows[j][0][c] for j, c in zip(jobs, columns, strict=True)]) - unassigned
    forced = np.array([rows[j][1] == c for j, c in zip(jobs, columns, strict=True)])
    picked = solve(cost, forced, jobs, len(rows), kind[columns], gpus[columns], capacity)
    chosen: list[int | None] = [None] * len(rows)
    for index in np.flatnonzero(picked).tolist():
        chosen[int(jobs[index])] = int(columns[index])
    return chosen


def solve(
    cost: Floats,
    forced: npt.NDArray[np.bool_],
    jobs: npt.NDArray[np.int64],
    count: int,
    kinds: npt.NDArray[np.int64],
    gpus: Floats,
    capacity: Sequence[int],
) -> npt.NDArray[np.bool_]:
    """Hand the program to HiGHS."""
    try:
        import highspy
    except ImportError as error:
        raise MissingExtra("policy sia", "sia") from error
    size = len(cost)
    program = highspy.HighsLp()
    program.num_col_, program.num_row_ = size, count + len(capacity)
    program.col_cost_ = cost
    program.col_lower_, program.col_upper_ = forced.astype(float), np.ones(size)
    program.row_lower_ = np.full(program.num_row_, -highspy.kHighsInf)
    program.row_upper_ = np.concatenate([np.ones(count), np.array(capacity, float)])
    program.integrality_ = [highspy.HighsVarType.kInteger] * size
    program.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    program.a_matrix_.start_ = np.arange(0, 2 * size + 1, 2)
    program.a_matrix_.index_ = np.stack([jobs, count + kinds], axis=1).ravel()
    program.a_matrix_.value_ = np.stack([np.ones(size), gpus], axis=1).ravel()
    # Its callbacks, which nobody uses here, are enabled before anybody can ask it to print nothing, and then it prints.
    solver = type("Quiet", (highspy.Highs,), {"enableCallbacks": lambda solver: None})()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)
    solver.setOptionValue("mip_rel_gap", GAP)
    solver.passModel(program)
    solver.run()
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        raise SchedMateError(f"the solver gave up: {solver.getModelStatus()}", "report this with the trace")
    return np.array(solver.getSolution().col_value) > 0.5
