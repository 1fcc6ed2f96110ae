"""What goes out: each message once to each channel that it is for, again where it was not taken, not in quiet hours."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time
from queue import Empty, SimpleQueue

from schedmate.errors import InputError
from schedmate.tools.messages import MailServer
from schedmate.watching.channels import Channel, Sender, Sent
from schedmate.watching.events import URGENT, WatchEvent
from schedmate.watching.journal import Journal

RETRY_S = 60.0

OLD_S = 3 * 86400.0
"""What a channel has not taken for so long is old news."""


@dataclass(frozen=True)
class QuietHours:
    """The time of day in which people are left alone; what happens then is sent when it is over."""

    begin: time
    end: time

    def hold(self, now_s: float) -> bool:
        """Tell whether it is quiet now, by the clock on the wall."""
        now = datetime.fromtimestamp(now_s).time()
        if self.begin <= self.end:
            return self.begin <= now < self.end
        return now >= self.begin or now < self.end


def read_quiet_hours(text: str) -> QuietHours | None:
    """Understand 22:00-07:00."""
    if not text:
        return None
    try:
        begin, end = (time.fromisoformat(part.strip()) for part in text.split("-"))
    except ValueError:
        raise InputError(f"'{text}' is no span of time", "as in: --quiet-hours 22:00-07:00") from None
    return QuietHours(begin, end)


class Outbox:
    """Hands messages to the channels and keeps account."""

    def __init__(
        self,
        journal: Journal,
        channels: Sequence[Channel],
        mail: MailServer,
        quiet: QuietHours | None,
        now_s: float,
    ) -> None:
        self.journal = journal
        self.quiet = quiet
        self.heard: SimpleQueue[Sent] = SimpleQueue()
        self.senders = [Sender(channel, mail, self.heard.put) for channel in channels]
        self.failed: dict[str, str] = {}
        """What each channel said when it last took nothing."""
        self.held: list[WatchEvent] = []
        self.again: dict[Sender, list[WatchEvent]] = {one: self.left_over(one, now_s) for one in self.senders}
        """What a channel did not take, or the watch before this one did not come to send."""
        self.retry_s = now_s

    def left_over(self, sender: Sender, now_s: float) -> list[WatchEvent]:
        """Give what a channel still has to hear of from before."""
        return [one for one in self.journal.untaken(sender.channel.name, now_s - OLD_S) if one.kind in URGENT]

    def add(self, events: Sequence[WatchEvent]) -> None:
        """Take a message in."""
        self.held += events

    def tend(self, now_s: float) -> None:
        """Hear what became of messages, and send what is due."""
        self.hear()
        if self.quiet is not None and self.quiet.hold(now_s):
            return
        if now_s >= self.retry_s:
            self.retry_s = now_s + RETRY_S
            for sender, events in self.again.items():
                self.send(sender, events)
                self.again[sender] = []
        for sender in self.senders:
            self.send(sender, self.held)
        self.held = []

    def send(self, sender: Sender, events: Sequence[WatchEvent]) -> None:
        """Hand over what is for a channel, those of one cause together."""
        mine = [one for one in events if sender.channel.is_for(one)]
        for cause in dict.fromkeys(one.cause or one.id for one in mine):
            sender.hand_over(tuple(one for one in mine if (one.cause or one.id) == cause))

    def hear(self) -> None:
        """Note who took what; what was not taken is sent again after a while."""
        while True:
            try:
                sent = self.heard.get_nowait()
            except Empty:
                return
            name = sent.sender.channel.name
            if sent.wrong:
                self.failed[name] = f"{sent.sender.channel.kind}: {sent.wrong}"
                self.again[sent.sender] += sent.events
                continue
            self.failed.pop(name, None)
            for one in sent.events:
                self.journal.took(one, name)

    def close(self) -> None:
        """Let the senders go when they are done."""
        for sender in self.senders:
            sender.queue.put(())

    @property
    def is_busy(self) -> bool:
        """Tell whether a message is still being sent."""
        return any(sender.has_work for sender in self.senders)
