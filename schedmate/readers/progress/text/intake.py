"""Take a log's bytes in pieces of any size, cut anywhere; hold them while nobody asks, and give whole lines."""

from collections.abc import Iterator

from schedmate.readers.progress.lines.cut_line import without_cut
from schedmate.readers.progress.text.chunks import both_ends
from schedmate.readers.progress.text.dress import Dress
from schedmate.readers.progress.text.encoding import Encoding

MAX_PARTIAL = 1 << 16

TAIL_BYTES = 2 << 10
"""What is kept of the lines before the last, some twenty of them, to know how such a line goes on."""
WAITING_BYTES = 1 << 17
"""A followed log is read when someone asks, or when so much waits: most of what was printed meanwhile is old news."""
GRAIN_S = 0.5
"""What comes within so short a time is read as one piece."""


class Intake:
    """What has come of a log and was not read, and the end of what was."""

    __slots__ = ("dress", "encoding", "moments", "partial", "tail", "waiting")

    def __init__(self, dress: Dress) -> None:
        self.dress = dress
        self.encoding = Encoding()
        self.waiting = bytearray()
        self.moments: list[tuple[int, float]] = []
        """Up to which byte of what waits had come at which moment."""
        self.partial = self.tail = b""

    def add(self, data: bytes, now_s: float, joins: bool) -> None:
        """Take the next bytes; they may join those that came a moment ago."""
        self.waiting += self.encoding.plain(data)
        if joins and self.moments and 0 <= now_s - self.moments[-1][1] < GRAIN_S:
            self.moments[-1] = (len(self.waiting), self.moments[-1][1])
        else:
            self.moments.append((len(self.waiting), now_s))

    @property
    def is_full(self) -> bool:
        """Tell whether so much waits that it is to be read although nobody asks."""
        return len(self.waiting) >= WAITING_BYTES

    def taken(self) -> Iterator[tuple[bytes, float]]:
        """Give what waits, in the pieces in which it came, and when that was."""
        if not self.moments:
            return
        data, moments = bytes(self.waiting), self.moments
        self.waiting, self.moments = bytearray(), []
        start = 0
        for end, now_s in moments:
            yield data[start:end], now_s
            start = end

    def whole(self, data: bytes, learns: bool) -> bytes:
        """Give a piece up to its last line's end; what the lines wear may still be learnt from it."""
        data = self.partial + data if self.partial else data
        cut = max(data.rfind(b"\n"), data.rfind(b"\r")) + 1
        self.partial = both_ends(data[cut:], MAX_PARTIAL)
        if learns:
            self.dress.learn(data[:cut])
        whole = data[:cut]
        if self.dress.width:
            whole, rest = self.dress.joined(whole)
            self.partial = rest + self.partial
        if whole:
            self.tail = whole[-TAIL_BYTES:] if len(whole) >= TAIL_BYTES else (self.tail + whole)[-TAIL_BYTES:]
        return whole

    def last(self) -> bytes:
        """Give the last line although nothing ends it: no more will come."""
        rest, self.partial = self.partial, b""
        if rest.endswith(b"\n"):
            return rest.replace(b"\n", b"")  # of several lines only where they are one that was cut
        return without_cut(rest.replace(b"\n", b""), self.tail) if rest else b""

    def begin(self) -> None:
        """Forget what a file began with that was cut, or replaced."""
        self.encoding, self.partial = Encoding(), b""

    def skip(self, offset: int) -> None:
        """Go on at another byte of the file."""
        self.encoding.skip(offset)
        self.partial = b""
