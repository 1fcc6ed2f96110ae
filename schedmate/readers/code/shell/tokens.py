"""Cut shell text into words and operators; a word keeps its quoting, so that it can be expanded later."""

from dataclasses import dataclass

OPERATORS = (
    "<<<", "<<-", ";;&", "&>>", "<<", ">>", "&&", "||", ";;", "|&", ">&", "<&", "&>", ">|", ";", "&", "|", "<", ">",
    "(", ")"
)  # fmt: skip
BLANKS = " \t"
MOST_TOKENS = 60_000


@dataclass(slots=True)
class ShellToken:
    """A word (its raw text, quotes and all) or an operator, and its line."""

    text: str
    line: int
    is_operator: bool = False
    is_glued: bool = False
    """of an operator: it follows a word without a blank, as in `2>errors`"""
    body: str | None = None
    """of the word behind `<<`: the here-document, which begins on `body_line`"""
    body_line: int = 0


def tokenize(text: str, first_line: int = 1) -> list[ShellToken]:
    """Cut text into tokens; newlines are operators, comments are left out; here-documents stand with their word."""
    tokens: list[ShellToken] = []
    place, line = 0, first_line
    waiting: list[tuple[ShellToken, bool]] = []
    while place < len(text) and len(tokens) < MOST_TOKENS:
        character = text[place]
        if character == "\n":
            tokens.append(ShellToken("\n", line, True))
            place, line = place + 1, line + 1
            for word, tabs in waiting:
                place, line = take_body(text, place, line, word, tabs)
            waiting = []
        elif character in BLANKS:
            place += 1
        elif text.startswith("\\\n", place):
            place, line = place + 2, line + 1
        elif character == "#" and (not tokens or tokens[-1].is_operator or text[place - 1] in BLANKS + "\n"):
            end = text.find("\n", place)
            place = len(text) if end < 0 else end
        elif (found := operator_at(text, place)) and not text.startswith(("((", "<("), place):
            tokens.append(ShellToken(found, line, True, place > 0 and text[place - 1] not in BLANKS + "\n"))
            place += len(found)
        else:
            end, newlines = word_end(text, place)
            tokens.append(ShellToken(text[place:end], line))
            if len(tokens) > 1 and tokens[-2].text in ("<<", "<<-"):
                waiting.append((tokens[-1], tokens[-2].text == "<<-"))
            place, line = end, line + newlines
    tokens.append(ShellToken("\n", line, True))
    return tokens


def operator_at(text: str, place: int) -> str:
    """Give the operator that begins here, or nothing."""
    return next((operator for operator in OPERATORS if text.startswith(operator, place)), "")


def take_body(text: str, place: int, line: int, word: ShellToken, tabs: bool) -> tuple[int, int]:
    """Give a here-document to its word, and the place and line behind it."""
    mark = word.text.strip("'\"\\")
    kept: list[str] = []
    word.body_line = line
    while place < len(text):
        end = text.find("\n", place)
        end = len(text) if end < 0 else end
        content = text[place:end].lstrip("\t") if tabs else text[place:end]
        place, line = end + 1, line + 1
        if content == mark:
            break
        kept.append(content)
    word.body = "\n".join(kept)
    return min(place, len(text)), line


def word_end(text: str, place: int) -> tuple[int, int]:
    """Find where a word ends; quotes, `${...}`, `$(...)`, `((...))` and array literals belong to it."""
    start = place
    while place < len(text):
        character = text[place]
        if character == "\\":
            place += 2
        elif character == "'":
            place = after(text, "'", place + 1)
        elif character == '"':
            place = after_double(text, place + 1)
        elif character == "`":
            place = after(text, "`", place + 1)
        elif text.startswith("((", place) and text[start:place] == "for":
            break
        elif text.startswith(("$(", "${", "(("), place):
            place = after_bracket(text, place + (0 if text.startswith("((", place) else 1))
        elif character == "(" and place > start and text[place - 1] == "=":
            place = after_bracket(text, place)
        elif character in " \t\n;&|<>()":
            break
        else:
            place += 1
    place = min(place, len(text))
    return max(place, start + 1), text.count("\n", start, place)


def after(text: str, mark: str, place: int) -> int:
    """Give the place after the next mark."""
    end = text.find(mark, place)
    return len(text) if end < 0 else end + 1


def after_double(text: str, place: int, nests: bool = True) -> int:
    """Give the place after a double-quoted text; inside a bracket what is nested in it is not looked at."""
    while place < len(text):
        if text[place] == "\\":
            place += 2
        elif text[place] == '"':
            return place + 1
        elif nests and text.startswith(("$(", "${"), place):
            place = after_bracket(text, place + 1)
        else:
            place += 1
    return len(text)


def after_bracket(text: str, place: int) -> int:
    """Give the place after a bracket that opens here, with what is nested and quoted in it."""
    closing = {"(": ")", "{": "}"}
    waiting: list[str] = []
    while place < len(text):
        character = text[place]
        if character == "\\":
            place += 2
            continue
        if character == "'" and (not waiting or waiting[-1] == ")"):
            place = after(text, "'", place + 1)
            continue
        if character == '"' and len(waiting) < 40:
            place = after_double(text, place + 1, nests=False)
            continue
        if character in closing and len(waiting) < 200:
            waiting.append(closing[character])
        elif waiting and character == waiting[-1]:
            waiting.pop()
            if not waiting:
                return place + 1
        place += 1
    return len(text)
