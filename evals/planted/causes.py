"""First causes of every class, in words of our own making: `causes.toml` holds the words, here values are drawn anew."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from random import Random


@dataclass(frozen=True)
class Cause:
    """The lines that state a cause; `root` says which of them is the first to do so."""

    category: str
    subcategory: str
    lines: tuple[str, ...]
    root: int = 0
    component: str = ""


@dataclass(frozen=True)
class Wording:
    """How a cause is put, and by whom."""

    category: str
    subcategory: str
    by: str
    lines: tuple[str, ...]
    xid: int = 0
    frame: tuple[str, str] | None = None
    """A file and its line of code, where a traceback ends in other code than the project's."""

    def draw(self, rng: Random) -> Cause:
        """Write the cause down with values of this one time."""
        if self.by == "raised":
            return self.raised(rng)
        name = host(rng)
        if self.by == "xid":
            text = self.lines[0].replace("{pid}", str(rng.randrange(2000, 99999)))
            line = kernel(rng, name, f"NVRM: Xid (PCI:{pci(rng)}): {self.xid}, {text}")
            return Cause(self.category, self.subcategory, (line,), 0, name)
        if self.by == "kernel":
            texts = (text.replace("{n}", str(rng.randrange(10, 9999))) for text in self.lines)
            return Cause(self.category, self.subcategory, tuple(kernel(rng, name, text) for text in texts), 0, name)
        number = str(rng.randrange(10, 9999))
        lines = tuple(text.replace("{host}", name).replace("{n}", number) for text in self.lines)
        return Cause(self.category, self.subcategory, lines)

    def raised(self, rng: Random) -> Cause:
        """Write a traceback; the line that names the exception is the root."""
        stack = [("/home/user/project/train.py", "main()"), ("/home/user/project/engine/loop.py", "out = step(batch)")]
        lines = ["Traceback (most recent call last):"]
        for path, code in [*stack, *([self.frame] if self.frame else [])]:
            function = code.split("(")[0].split()[-1]
            lines += [f'  File "{path}", line {rng.randrange(5, 900)}, in {function}', f"    {code}"]
        exception, *rest = self.lines
        named = exception.replace("{n}", str(rng.randrange(10, 9999))).replace("{host}", host(rng))
        return Cause(self.category, self.subcategory, (*lines, named, *rest), len(lines))


def host(rng: Random) -> str:
    """Draw a host's name."""
    return f"{rng.choice(['gpu', 'hgx', 'dgx-a', 'cn', 'worker-'])}{rng.randrange(10, 400):03d}"


def pci(rng: Random) -> str:
    """Draw a GPU's address."""
    return f"0000:{rng.randrange(16, 240):02x}:00"


def kernel(rng: Random, name: str, text: str) -> str:
    """Write a line as the kernel's ring buffer reaches syslog."""
    stamp = f"Mar  {rng.randrange(1, 9)} 11:{rng.randrange(60):02d}:{rng.randrange(60):02d}"
    return f"{stamp} {name} kernel: [{rng.randrange(9**6)}.{rng.randrange(10**6):06d}] {text}"


def read_wordings() -> tuple[Wording, ...]:
    """Read all causes, in their order."""
    entries = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["cause"]
    found = []
    for entry in entries:
        category, _, subcategory = entry["class"].partition(".")
        frame = tuple(entry["frame"]) if "frame" in entry else None
        found.append(Wording(category, subcategory, entry["by"], tuple(entry["lines"]), entry.get("xid", 0), frame))
    return tuple(found)


CAUSES = read_wordings()
