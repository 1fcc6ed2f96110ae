"""What stopping and starting a job again costs it."""


class RestartCost:
    """The published constants: an optimistic reading of the 62 s that Tiresias measured on average."""

    def __init__(self, small_s: float = 40.0, large_s: float = 60.0, small_gpus: int = 8) -> None:
        self.small_s = small_s
        self.large_s = large_s
        self.small_gpus = small_gpus

    def cost_s(self, gpus: int) -> float:
        """Give the work that a preemption adds, in seconds of running alone."""
        return self.small_s if gpus <= self.small_gpus else self.large_s
