"""What a pattern must contain: proves that a literal stands in every match, so that lines without it can be skipped."""

import re
import re._constants as ops  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]

BREAK = [("", "")]
"""A place where anything may stand: one run of literal text ends, the next begins."""

MOST = 512


def literal_is_certain(pattern, literals):
    """Tell whether every way to match the pattern contains one of the literals."""
    return all(any(text in run for run in way for text in literals) for way in ways(pattern))


def ways(pattern):
    """Spell out the ways a pattern can match, each as the runs of literal text that it then contains."""
    return spell(parser.parse(pattern), ignore_case=False)


def spell(tokens, ignore_case):
    found = [("",)]
    for op, value in tokens:
        step = spell_one(op, value, ignore_case)
        if len(found) * len(step) > MOST:
            step = BREAK
        found = [(*left[:-1], left[-1] + right[0], *right[1:]) for left in found for right in step]
    return found


def spell_one(op, value, ignore_case):
    if op is ops.LITERAL:
        letter = chr(value)
        return BREAK if ignore_case and letter.lower() != letter.upper() else [(letter,)]
    if op is ops.IN and len(value) <= 3 and all(kind is ops.LITERAL for kind, _ in value):
        return [(chr(letter),) for _, letter in value]
    if op is ops.AT:
        return [("",)]
    if op is ops.SUBPATTERN:
        _, added, removed, tokens = value
        return spell(tokens, bool((ignore_case or added & re.IGNORECASE) and not removed & re.IGNORECASE))
    if op is ops.BRANCH:
        return [way for tokens in value[1] for way in spell(tokens, ignore_case)]
    if op in (ops.MAX_REPEAT, ops.MIN_REPEAT):
        return spell_repeat(*value, ignore_case)
    return BREAK


def spell_repeat(least, most, tokens, ignore_case):
    if least == 0:
        return [("",), *spell(tokens, ignore_case)] if most == 1 else BREAK
    once = spell(tokens, ignore_case)
    if least == most == 1:
        return once
    return [(*way, "") for way in once]
