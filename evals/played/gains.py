"""What one player gained and lost among values whose truth is known, and what asking it took."""

from dataclasses import dataclass


@dataclass
class Gains:
    """The values of all cases: what is right without and with one player."""

    cases: int = 0
    asked: int = 0
    calls: int = 0
    read_tokens: int = 0
    values: int = 0
    right_before: int = 0
    right_after: int = 0
    gained: int = 0
    lost: int = 0
    wrong: int = 0
    wrong_gained: int = 0

    def spend(self, before: tuple[int, int, int], now: tuple[int, int, int]) -> None:
        """Add what one case took, by the server's counts before and after it."""
        calls, read = now[0] - before[0], now[1] - before[1]
        self.cases += 1
        self.asked += bool(calls)
        self.calls += calls
        self.read_tokens += read

    def compare(self, before: bool, after: bool, was_said: bool) -> None:
        """Add one value: whether it was right without the player, and with it, and whether one was given without."""
        self.values += 1
        self.right_before += before
        self.right_after += after
        self.gained += after > before
        self.lost += after < before
        wrong = was_said and not before
        self.wrong += wrong
        self.wrong_gained += wrong and after
