"""Time that neither jumps nor runs backwards, whatever is done to the machine's clock."""

import time


class SteadyClock:
    """The wall clock as of when it was made, carried on by the monotonic one."""

    def __init__(self) -> None:
        self.origin_s = time.time() - time.monotonic()

    def now_s(self) -> float:
        """Give seconds since the epoch, as far as they can be told."""
        return self.origin_s + time.monotonic()
