"""Tell what a program says that it does about a trouble: elsewhere in a line the same words are advice."""

import re2

from schedmate.tools.late_patterns import late_re2

CLAUSE = r"(?:^ {0,4}|[.,;:!>|\])-] {1,2}|\b(?:DEBUG|INFO|WARN(?:ING)?) )"
"""Where one begins to say what one does; who advises it says `try`, `consider` or `please` before."""
AT_END = r"(?:$|[.,;!)]|\.{3})"

ANOTHER = (
    r"(?:an? )?(?:random|different|another|new|neighbou?ring|blank|black|dummy|zero|empty) (?:\w+ )?"
    r"(?:one|sample|image|picture|item|index|example|clip|frame|record|document|batch)"
)
"""What a loader gives in place of what it could not read."""
DOES = re2.compile(
    rf"{CLAUSE}(?:now |so )?(?:[Uu]sing (?:\w+ ){{1,4}}instead(?:{AT_END}| of\b)"
    rf"|(?:[Rr]e)?(?:[Bb]uild|[Gg]enerat|[Cc]reat)ing (?:it|one|a new one)(?: anew)?{AT_END}"
    rf"|(?:[Ss]ubstitut|[Rr]eplac|[Dd]raw|[Pp]ick|[Tt]ak|[Rr]e-?sampl|[Ss]ampl)ing (?:it |them )?"
    rf"(?:with |by )?{ANOTHER}{AT_END}"
    rf"|(?:[Rr]eport|[Rr]ecord|[Ll]ogg)ing (?:(?:it|them|the (?:value|score|metric)) )?(?:as )?(?:nan|NaN){AT_END}"
    rf"|(?:[Ss]tart|[Tt]rain|[Bb]uild|[Rr]ebuild)ing (?:\w+ ){{0,3}}from scratch{AT_END}"
    r"|(?:[Tt]rying|[Aa]ttempting) to (?:resume|recover|reconnect)\b"
    r"|(?:[Ss]kipping|[Ii]gnoring|[Bb]acking off|[Ff]alling back|[Rr]etrying|[Cc]ontinuing|[Tt]rying again)\b)"
    r"|\b(?:optimi[sz]ations?|features?|kernels?) will not be (?:enabled|available|used)\b"
    rf"|{CLAUSE}(?:it is |will )?not (?:be )?used (?:in|for|by) (?:this|the) (?:run|job|training|session)\b"
    r"|\bwill restart (?:the )?(?:worker|actor|process|task|replica)"
)

IN_VAIN = late_re2(
    r"(?i)\b(?:trying|attempting) to \w+\b.{0,200}\b(?:failed|error|exception|denied|out of memory|cannot|could not)\b"
    r"|\b0(?:/\d{1,3})? (?:(?:more )?(?:attempts|tries|retries|restarts) (?:left|remain\w*)|more times)\b"
)
"""What was tried and told of because it failed, and what will be done no more."""


def does_without(text: str) -> bool:
    """Tell who says what he does about a trouble."""
    return DOES.search(text) is not None and not IN_VAIN.search(text)
