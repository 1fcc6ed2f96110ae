"""Elastic jobs: who can use more GPUs than it needs gets those that lie idle, and gives them back when somebody waits.

A policy sees a job of the size that it needs. What it gets beyond that is lent: at its start for nothing, later for a
stop at its last checkpoint and another start. So only those who were seen to save are asked, and whoever grows must win
more than that costs.
"""

from collections.abc import Sequence

from schedmate.clusters import LiveJob, Placement
from schedmate.scheduling.placement.displacing import AGAIN_S, HALF
from schedmate.scheduling.policies import Policy
from schedmate.scheduling.view import ClusterView, Plan, Start

LOOK_S = 10.0
"""Who might grow is looked at again after so long."""
MOST = 16
"""Jobs that are made smaller for one that waits."""


def resize(plan: Plan, policy: Policy) -> None:
    """Add to a policy's plan what elastic jobs get beyond their need, or give back."""
    running = plan.view.running.values()
    elastic = [job for job in running if job.most_gpus > job.gpus and job.placement is not None and not job.partner]
    if elastic and plan.view.pending:
        make_room(plan, policy, elastic)
    elif elastic and plan.view.inventory.free_gpus:
        stretch(plan)
        grow(plan, elastic)
        plan.wake_at(plan.view.now_s + LOOK_S)


def sizes(job: LiveJob) -> list[float]:
    """List what a job may have, the most first: its need doubled again and again, and the most that it can use."""
    found: list[float] = [job.most_gpus]
    size = job.gpus
    while size < job.most_gpus:
        found.append(size)
        size *= 2
    return sorted(found, reverse=True)


def held(job: LiveJob) -> int:
    """Count what a job has."""
    return job.placement.gpus if job.placement is not None else 0


def larger(view: ClusterView, job: LiveJob, than: float) -> Placement | None:
    """Take as much as there is for a job, if that is more than so many."""
    for size in sizes(job):
        if size <= than:
            break
        if (placement := view.inventory.place_off(view.avoided(job), size, job.kind)) is not None:
            return placement
    return None


def stretch(plan: Plan) -> None:
    """Let those who start now start on more."""
    view = plan.view
    for place, action in enumerate(plan.actions):
        if isinstance(action, Start) and action.partner is None and action.job.placement is action.placement:
            job = action.job
            plan.vacate(job)
            if job.most_gpus > job.gpus and (placement := larger(view, job, job.gpus)) is not None:
                job.placement = placement
                plan.actions[place] = Start(job, placement)
                view.resized.append(job)
            else:
                view.inventory.claim(action.placement)


def grow(plan: Plan, elastic: Sequence[LiveJob]) -> None:
    """Let the one grow that wins most by it."""
    view = plan.view
    won = [(won_s(job, job.most_gpus, view), job) for job in elastic if held(job) < job.most_gpus]
    for _, job in sorted((-gain_s, job) for gain_s, job in won if gain_s > 0):
        before = held(job)
        plan.vacate(job)
        placement = larger(view, job, before)
        if placement is not None and won_s(job, placement.gpus, view) > 0:
            move(plan, job, placement)
            return
        if placement is not None:
            view.inventory.give(placement)
        keep(view, job)


def won_s(job: LiveJob, gpus: int, view: ClusterView) -> float:
    """Give what a job wins by going on with so many, beyond what must be; twice as many count as twice as fast."""
    told = view.progress(job)
    if told.saved_s is None:
        return 0.0
    left_s = job.service_s(view.now_s) if told.remaining_s is None else told.remaining_s
    return left_s * (1 - held(job) / gpus) - (view.now_s - told.saved_s + AGAIN_S) / HALF


def make_room(plan: Plan, policy: Policy, elastic: Sequence[LiveJob]) -> None:
    """Take back what was lent, from as few as will do, so that the first of those that wait has room."""
    view = plan.view
    order: Sequence[LiveJob] = getattr(policy, "waiting", lambda: sorted(view.pending.values()))()
    first = next((job for job in order if view.pending.get(job.number) is job), None)
    if first is None or is_room_for(view, first):
        return
    saved = [(view.progress(job).saved_s, job) for job in elastic if held(job) > job.gpus]
    asked = list[LiveJob]()
    for _, job in sorted((-saved_s, job) for saved_s, job in saved if saved_s is not None)[:MOST]:
        plan.vacate(job)
        asked.append(job)
        if (placements := refit(view, first, asked)) is not None:
            for one, placement in zip(asked, placements, strict=True):
                move(plan, one, placement)
            plan.wake_at(view.now_s)  # the policy starts whom it will
            return
    for job in asked:
        keep(view, job)


def is_room_for(view: ClusterView, job: LiveJob) -> bool:
    """Tell whether a job could start now."""
    placement = view.inventory.place_off(view.avoided(job), job.gpus, job.kind)
    if placement is not None:
        view.inventory.give(placement)
    return placement is not None


def refit(view: ClusterView, first: LiveJob, asked: Sequence[LiveJob]) -> list[Placement] | None:
    """Find places for those who have given theirs back, beside room for who waits; None where that cannot be."""
    inventory, found = view.inventory, list[Placement]()
    for job in (first, *asked):
        if (placement := inventory.place_off(view.avoided(job), job.gpus, job.kind)) is None:
            for one in found:
                inventory.give(one)
            return None
        found.append(placement)
    room, *places = found
    for number, job in enumerate(asked):
        inventory.give(places[number])
        if (more := larger(view, job, job.gpus)) is not None:
            places[number] = more
        else:
            inventory.claim(places[number])
    inventory.give(room)
    return places


def move(plan: Plan, job: LiveJob, placement: Placement) -> None:
    """Plan that a job goes on there, and let its policy hear of it."""
    plan.resize(job, placement)
    plan.view.resized.append(job)


def keep(view: ClusterView, job: LiveJob) -> None:
    """Leave a job where it is after all."""
    if job.placement is not None:
        view.inventory.claim(job.placement)
