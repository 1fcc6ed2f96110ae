"""No quote, no claim: keep only what stands in the log verbatim."""

from collections.abc import Mapping

from schedmate.readers.lines import ANSI, CONTROL
from schedmate.schemas import Diagnosis, Evidence
from schedmate.tools.logfile import LogFile
from schedmate.tools.raw_lines import MAX_LINE_BYTES


def stands(item: Evidence, log: LogFile) -> bool:
    """Tell whether a quote stands in its line; colours and control characters are not part of what is read."""
    start = log.line_offset(item.line)
    end = log.buffer.find(b"\n", start, start + 64 * MAX_LINE_BYTES)
    raw = log.window(start, end if end >= 0 else start + 64 * MAX_LINE_BYTES)
    text = CONTROL.sub("", ANSI.sub("", raw.decode("utf-8", "replace")).replace("\r", " "))
    return item.quote in text


def drop_unfounded(diagnosis: Diagnosis, logs: Mapping[str, LogFile]) -> Diagnosis:
    """Drop quotes that fail the check, and the root with them if its own quote fails."""
    kept = tuple(item for item in diagnosis.evidence if item.path not in logs or stands(item, logs[item.path]))
    update: dict[str, object] = {"evidence": kept}
    root = Evidence(path=diagnosis.root_path or "", line=diagnosis.root_line or 1, quote=diagnosis.root_excerpt)
    if diagnosis.root_line and root.path in logs and not stands(root, logs[root.path]):
        update |= {"root_line": None, "root_excerpt": "", "confidence": min(diagnosis.confidence, 0.3)}
    return diagnosis.model_copy(update=update)
