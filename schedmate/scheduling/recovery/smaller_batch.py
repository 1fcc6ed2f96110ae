"""Suggest a smaller batch to the owner of a job that ran out of GPU memory; nobody changes the command for him."""

import re
from collections.abc import Sequence

from schedmate.history.live_rows import ActionRow
from schedmate.scheduling.recovery.steps import Case, ClusterActions, QuickStep

BATCH = re.compile(r"^(--?[\w.-]{0,40}batch[\w.-]{0,40})(?:=(\d{1,6}))?$", re.IGNORECASE)


class SmallerBatch(QuickStep):
    """Reads the size off the command that the user gave."""

    kind = "smaller_batch"

    def describe(self, row: ActionRow, case: Case) -> str:
        """Say what to change."""
        found = batch_size(case.command)
        if found is None:
            return "halve the batch size, and keep the global batch by accumulating gradients"
        option, size = found
        if size < 2:
            return f"{option} is {size} already: shorten the sequence, checkpoint activations, or shard the model"
        return f"{option} {size // 2} instead of {size}, with twice the gradient accumulation"

    def run(self, row: ActionRow, case: Case, cluster: ClusterActions) -> str:
        """Say it."""
        advice = self.describe(row, case)
        cluster.tell(f"job {case.job_id}: {advice}")
        return advice


def batch_size(command: Sequence[str]) -> tuple[str, int] | None:
    """Find the option that sets the batch size."""
    for word, following in zip(command, (*command[1:], ""), strict=True):
        match = BATCH.match(word[:120])
        if match is None:
            continue
        value = match[2] or (following if following.isdigit() and len(following) < 7 else "")
        if value:
            return match[1], int(value)
    return None
