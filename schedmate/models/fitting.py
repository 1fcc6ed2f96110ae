"""Cut a conversation to the tokens that a model can hold, losing the middle of what is longest."""

from collections.abc import Sequence

from schedmate.models.messages import Message

BYTES_PER_TOKEN = 2
"""A low guess on purpose. Tokenizers of today take 3.5 to 4.5 bytes of English or code into a token and 2 to 3 of a log
full of digits and addresses, so a guess errs towards cutting too much, never towards a refused prompt."""

TOKENS_PER_MESSAGE = 8
"""What a chat template writes around a message."""

LEFT_OUT = "\n[... {count} characters left out ...]\n"

SHORTEST = 400
"""A message is not cut below this: what is left would say nothing."""


def estimate(text: str) -> int:
    """Guess the tokens of a text, rather too many than too few."""
    return len(text.encode("utf-8", "replace")) // BYTES_PER_TOKEN + 1


def estimate_all(messages: Sequence[Message]) -> int:
    """Guess the tokens of a conversation with what its template adds."""
    return sum(estimate(weighed(message)) + TOKENS_PER_MESSAGE for message in messages)


def weighed(message: Message) -> str:
    """Give all text of a message that costs tokens."""
    return message.content + "".join(f"{call.name}{call.arguments}" for call in message.tool_calls)


def shortened(messages: Sequence[Message], excess: int) -> tuple[Message, ...]:
    """Take about `excess` characters away from the longest messages; rules (system) are never cut.

    All messages above a common level are cut down to it, so one huge file gives way before many small ones.
    """
    lengths = sorted((len(message.content) for message in messages if message.role != "system"), reverse=True)
    level = common_level(lengths, excess)
    return tuple(
        message if message.role == "system" else message.model_copy(update={"content": cut(message.content, level)})
        for message in messages
    )


def common_level(lengths: Sequence[int], excess: int) -> int:
    """Find the length to which the longest have to come down so that `excess` characters go."""
    taken = 0
    for index, length in enumerate(lengths):
        below = lengths[index + 1] if index + 1 < len(lengths) else 0
        step = (length - below) * (index + 1)
        if taken + step >= excess:
            return max(SHORTEST, length - -(-(excess - taken) // (index + 1)))
        taken += step
    return SHORTEST


def cut(text: str, length: int) -> str:
    """Keep the head and the tail of a text, where files and logs say most, and say what is gone."""
    if len(text) <= length:
        return text
    marker = LEFT_OUT.format(count=len(text) - length)
    kept = max(0, length - len(marker))
    tail = kept // 3
    return text[: kept - tail] + marker + text[len(text) - tail :]
