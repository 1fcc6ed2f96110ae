"""Follow `for` and `while`: round by round where that starts nothing or is known to end, `break` and `continue` too."""

from schedmate.readers.code.shell.counted_loops import counted, note_ranks, range_of
from schedmate.readers.code.shell.cursor import TokenCursor
from schedmate.readers.code.shell.expansion import NOWHERE
from schedmate.readers.code.shell.interpreter import ShellInterpreter
from schedmate.readers.code.shell.session import Condition, LoopLeft
from schedmate.readers.code.shell.tokens import ShellToken
from schedmate.readers.code.values.value import Value

MOST_ROUNDS = 40


def condition(one: ShellInterpreter, cursor: TokenCursor, end: str) -> Condition:
    """Follow the commands between `if` or `while` and `then` or `do`."""
    status: Condition = None
    while True:
        cursor.skip_blank()
        if cursor.peek() is None or cursor.at_word(end):
            break
        before = cursor.place
        status = one.pipeline(cursor)
        while cursor.at_operator("&&", "||"):
            operator = cursor.tokens[cursor.place].text
            cursor.place += 1
            right = one.pipeline(cursor)
            decisive = operator == "||"
            sides = [status, right]
            status = decisive if decisive in sides else None if None in sides else not decisive
        if cursor.place == before:
            cursor.place += 1
    cursor.place += 1
    return status


def follow_round(one: ShellInterpreter, cursor: TokenCursor) -> bool:
    """Follow the body of a loop once; tell whether another round follows."""
    start = cursor.place
    one.shell.loops += 1
    try:
        one.block(cursor, ("done",))
    except LoopLeft as left:
        cursor.place = start
        cursor.skip_block(("done",))
        return left.goes_on
    finally:
        one.shell.loops -= 1
    return True


def for_block(one: ShellInterpreter, cursor: TokenCursor) -> Condition:
    """Follow `for`: item by item where it starts nothing, else over several once with the variable left open."""
    cursor.place += 1
    name, token = cursor.peek_text(), cursor.peek()
    spot = one.spot(token) if token is not None else NOWHERE
    cursor.place += 1
    items: list[Value] = list(one.names.arguments)
    if name.startswith("(("):
        name, items = counted(one, name, spot)
    elif cursor.take_word("in"):
        items = []
        while (token := cursor.peek()) is not None and not token.is_operator:
            items += range_of(token.text, one.spot(token)) or one.words_of(token)
            cursor.place += 1
    cursor.skip_blank()
    cursor.take_word("do")
    if len(items) != 1 and not sorts_words(one, cursor, name, items):
        one.names.variables.pop(name, None)
        started, begun = len(one.shell.started), cursor.place
        follow_round(one, cursor)
        if starts_all_at_once(cursor.tokens[begun : cursor.place]):
            note_ranks(one.shell.started[started:], name, items, spot)
    elif len(items) == 1:
        one.names.variables[name] = items[0]
        follow_round(one, cursor)
    cursor.take_word("done")
    return None


def starts_all_at_once(tokens: list[ShellToken]) -> bool:
    """Tell a loop's body that starts things in the background and does not wait for them before its next round."""
    waits = any(not token.is_operator and token.text == "wait" for token in tokens)
    return not waits and any(token.is_operator and token.text == "&" for token in tokens)


def sorts_words(one: ShellInterpreter, cursor: TokenCursor, name: str, items: list[Value]) -> bool:
    """Follow a loop item by item, unless it starts something: that would be several jobs, of which one is read."""
    start, shell, variables = cursor.place, one.shell, dict(one.names.variables)
    started, written, copied, workdir = len(shell.started), dict(shell.written), dict(shell.copied), shell.workdir
    for item in items[:MOST_ROUNDS]:
        cursor.place = start
        one.names.variables[name] = item
        goes_on = follow_round(one, cursor)
        if len(shell.started) > started:
            del shell.started[started:]
            shell.written, shell.copied, shell.workdir = written, copied, workdir
            one.names.variables, cursor.place = variables, start
            return False
        if not goes_on:
            break
    return 0 < len(items) <= MOST_ROUNDS


def while_block(one: ShellInterpreter, cursor: TokenCursor) -> Condition:
    """Follow `while`: round by round while the condition is known to hold, else one round."""
    start = cursor.place + 1
    until = cursor.at_word("until")
    for count in range(MOST_ROUNDS):
        cursor.place = start
        status = condition(one, cursor, "do")
        if status is not None and status is until:
            cursor.skip_block(("done",))
            break
        goes_on = follow_round(one, cursor)
        if status is None or count == MOST_ROUNDS - 1 or not goes_on:
            break
    cursor.take_word("done")
    return None
