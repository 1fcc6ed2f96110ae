"""Where jobs run, behind two Protocols, a folder for each engine; what lies beside the folders is shared by all."""

from schedmate.clusters.base import (
    Clock,
    Cluster,
    Ended,
    Event,
    FoundRunning,
    GpusDown,
    GpusUp,
    Learned,
    NodeDown,
    NodeSpec,
    NodeUp,
    Submitted,
    Withdrawn,
)
from schedmate.clusters.jobs import JobProgress, LiveJob, Placement, Profile

__all__ = [
    "Clock",
    "Cluster",
    "Ended",
    "Event",
    "FoundRunning",
    "GpusDown",
    "GpusUp",
    "JobProgress",
    "Learned",
    "LiveJob",
    "NodeDown",
    "NodeSpec",
    "NodeUp",
    "Placement",
    "Profile",
    "Submitted",
    "Withdrawn",
]
