"""What names a process for good, and how it becomes another account."""

from schedmate.clusters.local_runner import boot_id, start_ticks
from schedmate.clusters.local_user import become, session_limits

__all__ = ["become", "boot_id", "session_limits", "start_ticks"]
