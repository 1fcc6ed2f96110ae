"""Loops over batches that pass over a last one which is not full."""

import ast

import re2

from schedmate.readers.code.values.events import FollowedLoop

SIZES = re2.compile(r"[\w\]]\.(?:size\(0\)|size\(\)\[0\]|shape\[0\])|\blen\([\w.\[\]'\"]+\)|batch_?size|\bbsz?\b")
"""How the size of the batch at hand is written."""
BATCH = re2.compile(r"(?i)batch_?size|\bbsz?\b")


def passes_over_small(loop: FollowedLoop) -> bool:
    """Tell a loop that goes on where a batch has not the usual size: `if len(x) < batch_size: continue`."""
    return any(isinstance(one, ast.If) and is_of_small(one) for one in loop.body)


def is_of_small(branch: ast.If) -> bool:
    """Tell a branch that goes on where the size of a batch is below the usual one, or another."""
    test = branch.test
    if not isinstance(branch.body[-1], ast.Continue) or not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return False
    sides = [ast.unparse(side) for side in (test.left, test.comparators[0])]
    if isinstance(test.ops[0], ast.Gt):
        sides.reverse()
    named = SIZES.search(sides[0]) is not None and BATCH.search(sides[1]) is not None
    either = (
        isinstance(test.ops[0], ast.NotEq) and SIZES.search(sides[1]) is not None and BATCH.search(sides[0]) is not None
    )
    return isinstance(test.ops[0], (ast.Lt, ast.Gt, ast.NotEq)) and (named or either)
