"""What names a process for good: its number and its start, within one boot of the machine."""

from schedmate.clusters.local_runner import boot_id, start_ticks

__all__ = ["boot_id", "start_ticks"]
