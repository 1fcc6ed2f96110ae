"""The words in which people are told of a failure: what kind, which part, and the lines that say so."""

from schedmate.scheduling.recovery.steps import Case

MOST_QUOTES = 4


def message(case: Case) -> tuple[str, str]:
    """Give subject and body."""
    found = case.diagnosis
    name = f" ({printable(case.name)})" if case.name else ""
    kind = f"{found.category}/{found.subcategory}" if found.subcategory else found.category
    parts = ", ".join(printable(part) for part in (*case.found, *found.faulty_components)) or "not known"
    lines = [f"Job {case.job_id}{name} of {printable(case.user)}, run {case.run}, failed.", ""]
    lines += [f"Error type: {found.failure_id or 'unknown'} ({kind})", f"Faulty part: {parts}"]
    lines += [f"Nodes: {', '.join(case.nodes)}", f"Sure: {found.confidence:.0%}", "", found.explanation, ""]
    lines += [f"  {one.path}:{one.line}: {printable(one.quote)}" for one in found.evidence[:MOST_QUOTES]]
    if found.advice:
        lines += ["", f"What to do: {found.advice}"]
    if case.done:
        lines += ["", "What was done:", *(f"  {printable(words)}" for words in case.done)]
    if case.asks:
        lines += ["", f"What waits for your word, one after the other ({case.answered_with}):"]
        lines += [f"  {printable(words)}" for words in case.asks]
    more = case.shown_with or f"schedmate why {case.job_id}; schedmate logs {case.job_id} --run {case.run}"
    lines += ["", f"More: {more}"]
    subject = f"job {case.job_id} failed: {found.failure_id or found.category}"
    return f"{subject}; your word is needed" if case.asks else subject, "\n".join(lines)


def printable(text: str) -> str:
    """Make a log's words harmless to a terminal or a mail's header."""
    return "".join(letter if letter.isprintable() else " " for letter in text[:300])
