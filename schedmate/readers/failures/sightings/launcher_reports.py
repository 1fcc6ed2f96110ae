"""Class what a launcher says of its program's end by the code that it tells: the words are many, the codes are few."""

from dataclasses import replace

from schedmate.readers.failures.exit_codes import End, end_of, of_code
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.tools.late_patterns import late

TOLD, SIGNALLED = "launchers.program_ended", "launchers.program_signalled"

SIGNALS = {
    "killed": "KILL",
    "aborted": "ABRT",
    "segmentation fault": "SEGV",
    "bus error": "BUS",
    "terminated": "TERM",
    "illegal instruction": "ILL",
    "floating point exception": "FPE",
}
"""What Go, shells and launchers of many ranks call them."""
NUMBERED = late(r"\bsignal (\d{1,2})\b")
NAMED = late(
    r"SIG([A-Z]{3,4})\b|[:(] ?((?i:killed|aborted|segmentation fault|bus error|terminated|illegal instruction"
    r"|floating point exception))\b|\bexit signals?:? ((?i:[a-z ]{6,24}))$|\(s\) ((?i:killed|aborted|bus error))$"
)
ABOVE_ARE_SIGNALS = 128


def by_its_code(item: Sighting) -> Sighting:
    """Give the line of an end the class of its code; of several codes a program's own counts before a signal's."""
    end = end_in(item)
    if item.failure is None or end is None or end.meaning is None:
        return item
    meaning = end.meaning
    known = item.failure._replace(
        category=meaning.category,
        subcategory=meaning.subcategory,
        restart=meaning.restart,
        meaning=meaning.meaning,
        action=meaning.action,
    )
    return replace(item, failure=known)


def end_in(item: Sighting) -> End | None:
    """Read the code or the signal that a launcher tells."""
    if item.failure and item.failure.id == SIGNALLED:
        return of_signal_in(item.line.text)
    if item.failure is None or item.failure.id != TOLD or "exit_code" not in item.named:
        return None
    codes = [int(word) for word in item.named["exit_code"].replace(",", " ").split()]
    ended = [code for code in codes if code]
    own = [code for code in ended if 0 < code < ABOVE_ARE_SIGNALS]
    return of_code((own or ended)[0])


def of_signal_in(text: str) -> End | None:
    """Read the signal that a launcher tells, by its number or by any of its names."""
    if numbered := NUMBERED.search(text):
        return end_of(f"0:{numbered[1]}")
    if told := NAMED.search(text):
        return end_of(told[1] or SIGNALS.get((told[2] or told[3] or told[4]).lower().strip(), ""))
    return None
