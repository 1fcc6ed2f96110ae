"""Put together what died of one cause: one message for fourteen jobs and one switch, not fourteen."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from schedmate.counts import how_many
from schedmate.schemas import Diagnosis
from schedmate.tools.shortening import short
from schedmate.watching.events import WatchEvent

GATHER_S = 10.0
"""So long a first death waits for others of its cause."""
AGAIN_S, AGAIN_GATHER_S = 600.0, 60.0
"""Those that follow are gathered for longer."""
MOST_NAMED = 12

TOGETHER = {"stalled": "hang: look first at what they share, a file system or a switch", "slower": "have become slower"}
"""What is told of jobs that hang or slow down within the same seconds."""
WHERE_IT_WAITS = (
    "see where its processes wait (on its nodes: py-spy dump --pid PID, nvidia-smi); the rank that is gone, or waits"
    " for no other, holds the cause. Where none moves any more, cancel it and start it from its last checkpoint."
)
VARYING = re.compile(r"0x[0-9a-fA-F]+|\d+")


def cause_of(found: Diagnosis) -> str:
    """Say what deaths have in common: the failure and the part that failed, else the words of the first fault."""
    parts = ",".join(sorted(found.faulty_components))
    words = "" if parts else VARYING.sub("#", found.root_excerpt.strip())[:120]
    return f"{found.failure_id or found.category} {parts or words}"


@dataclass(slots=True)
class WaitingDeaths:
    """Deaths of one cause that nobody was sent yet."""

    until_s: float
    events: list[WatchEvent] = field(default_factory=list)


class DeathGathering:
    """Holds deaths back for a moment; everything else goes on at once."""

    def __init__(self, gather_s: float = GATHER_S) -> None:
        self.gather_s = gather_s
        self.waiting: dict[str, WaitingDeaths] = {}
        self.sent_s: dict[str, float] = {}

    def add(self, event: WatchEvent, now_s: float) -> None:
        """Take an event in."""
        cause = event.cause or event.id
        again = now_s - self.sent_s.get(cause, -AGAIN_S) < AGAIN_S
        wait_s = (AGAIN_GATHER_S if again else self.gather_s) if event.cause else 0.0
        self.waiting.setdefault(cause, WaitingDeaths(now_s + wait_s)).events.append(event)

    def ready(self, now_s: float, all_of_them: bool = False) -> list[list[WatchEvent]]:
        """Give what has waited long enough, each list one message."""
        due = [cause for cause, one in self.waiting.items() if all_of_them or now_s >= one.until_s]
        self.sent_s = {cause: at_s for cause, at_s in self.sent_s.items() if now_s - at_s < AGAIN_S}
        self.sent_s |= dict.fromkeys(due, now_s)
        return [self.waiting.pop(cause).events for cause in due]


def words(events: Sequence[WatchEvent]) -> tuple[str, str]:
    """Give the subject and the body of one message."""
    first = events[0]
    if len(events) == 1:
        return first.said, body(first)
    named = [f"  {one.log}{f' ({one.user})' if one.user else ''}" for one in events[:MOST_NAMED]]
    more = [f"  and {len(events) - MOST_NAMED} more"] if len(events) > MOST_NAMED else []
    subject = f"{how_many(len(events), 'job')}{' ' if first.kind in TOGETHER else ': '}{in_common(first)}"
    return subject, "\n".join([*named, *more, "", "The first of them:", first.said, body(first)])


def in_common(event: WatchEvent) -> str:
    """Say what all events of one cause have in common."""
    if event.kind in TOGETHER:
        return TOGETHER[event.kind]
    found = event.diagnosis
    if found is None:
        return event.cause.strip()
    parts = f", {', '.join(found.faulty_components)}" if found.faulty_components else ""
    return f"{found.failure_id or found.category}{parts}"


def body(event: WatchEvent) -> str:
    """Write what the event rests on and what to do."""
    lines = [f"  {one.path}:{one.line}: {short(one.quote.strip(), 300)}" for one in event.evidence[:4]]
    found = event.diagnosis
    if found is not None and found.category != "none":
        lines += ["", found.explanation] + ([f"What to do: {found.advice}"] if found.advice else [])
    elif event.kind == "stalled":
        lines += ["", f"What to do: {WHERE_IT_WAITS}"]
    return "\n".join(lines)
