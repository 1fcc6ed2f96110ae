"""Give Slurm back what was set on waiting jobs: nodes and priority; drained nodes stay as they are."""

from schedmate.clusters.slurm.avoiding import admit_again
from schedmate.clusters.slurm.commands import Commands
from schedmate.clusters.slurm.ordering import give_back
from schedmate.history.live import LiveStore


def reset(commands: Commands, store: LiveStore) -> int:
    """Take back everything, or stop where Slurm does not; give how many jobs have their own priority again."""
    admit_again(commands, store)
    return give_back(commands, store)
