"""Does what a network mostly learns fit what this program shows: it may hear, or nothing in it earns a reward."""

import ast

import re2

from schedmate.knowledge.models import ModelFamily
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.tasks.loss_tasks import SEEING, SOUND
from schedmate.readers.code.fields.tasks.task_clues import known
from schedmate.readers.code.fields.words.algorithms import learns_to_act

REWARDED = re2.compile(r"(?i)(?:^|_)(?:rewards?|rtg|returns?_to_go|offline_?rl|d4rl|minari)(?:$|_)")
"""Names that stand in programs which learn from what acting earned."""


def fits(view: View, family: ModelFamily) -> bool:
    """Tell a family whose task is of the sense that the program has: networks of pictures hear spectrograms as well."""
    if family.task == "CV":
        return not hears(view)
    return not family.fine.startswith("offline reinforcement") or learns_from_rewards(view)


def hears(view: View) -> bool:
    """Tell a program whose data are sound, or that reads sound and no pictures."""
    data, listens = known(view).data, not view.imports.isdisjoint(SOUND)
    if not listens and not view.imports.isdisjoint(SEEING):
        return False  # of films with voices a program may see the pictures alone
    return data.task == "audio" if data is not None and data.task else listens and view.imports.isdisjoint(SEEING)


def learns_from_rewards(view: View) -> bool:
    """Tell a program in which something is rewarded; paths of things that move are learned without."""
    data = known(view).data
    if learns_to_act(view) or (data is not None and data.task == "RL"):
        return True
    trees = [tree for tree in view.run.trees.values() if tree is not None]
    named = (name_of(node) for tree in trees for node in ast.walk(tree))
    return any(map(REWARDED.search, filter(None, named)))


def name_of(node: ast.AST) -> str:
    """Give the name of a variable, a parameter, an attribute or an imported module, or a short text."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) and len(node.value) < 40 else ""
    return next((str(getattr(node, key)) for key in ("id", "attr", "arg", "name") if getattr(node, key, None)), "")
