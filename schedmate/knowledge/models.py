"""Model families by name, layers by type, sizes that names fix; the tables are data."""

from functools import lru_cache
from typing import NamedTuple

import re2

from schedmate.knowledge.tables import table

SIZE = re2.compile(
    r"(?i)(?:(?:^|[-/ ]|[a-z]_)([01]_\d+)|(?:^|[-_/ .(a-uw-z])(?:(\d+)x)?(\d+(?:\.\d+)?))(b|m)(?:$|[-_/ .\])])"
)
"""A size as names write it; `1_8B` stands for 1.8B."""
POINT = re2.compile(r"(?i)(?:^|[-_/ ])(\d+)b(\d)(?:$|[-_/ .])")
"""A size whose point is the letter: `bloom-1b7`."""
POINTED = re2.compile(r"(?i)((?:^|[-_/ ]))(\d{1,3})p(\d{1,2}[bm](?:$|[-_/ .]))")
"""A size whose point is a letter of its own, as in names of folders: `0p6b`."""
OF_DATA = re2.compile(r"(?i)(?:^|[^a-z])(?:ml|movielens)[-_ ]?\d+$")
"""MovieLens' sets are called after the millions of their ratings: `ml-1m`."""
WRITTEN = re2.compile(r"(?i)^(?:(\d+)x)?(\d+(?:\.\d+)?)([kmb])$")

TAG = re2.compile(r"\.[a-z][a-z0-9]*_[a-z0-9_]+$")
"""The weights' name behind a network's own in timm's names: `vit_base_patch16_224.augreg_in21k`."""
CLIP = re2.compile(r"^ViT-[BLHg]-\d+")
"""How CLIP's two towers are called together, of which the one that sees pictures has nearly the same name."""
UNITS = {"k": 10**3, "m": 10**6, "b": 10**9}

LONGER = 5
"""Words with fewer letters than this must be a whole part of a name, or end one."""
ANYWHERE = 9
"""Words with so many letters count wherever they stand."""
ROOTS = frozenset({"resnet", "resnext", "llama", "gemma", "darknet", "ghostnet"})
"""Words that many families' names end with."""
ENDINGS = frozenset({"gnn", "gcn", "cnn", "rnn", "mlp", "vae"})
"""Short words of architectures, which end the names of their kinds: `EGNN`, `CGMLP`."""
SIZE_MARKS = ("b1", "b3", "l1", "s1", "h1", "v2", "v3", "xl")

SIZE_LETTERS = ("t", "s", "b", "m", "l", "h")
"""How sizes are called by one letter: tiny, small, base, medium, large, huge."""


class ModelFamily(NamedTuple):
    """What a family is built as, works on, always learns, and usually learns."""

    kind: str
    task: str
    fine: str
    usual: str


@lru_cache(maxsize=1)
def families() -> list[tuple[str, bool, ModelFamily]]:
    """Give each word, whether it must stand alone, its family: longest first, of them models of several senses."""
    rows = []
    for entry in table("families")["family"]:
        family = ModelFamily(entry["type"], entry["task"], entry.get("fine", ""), entry.get("usual", ""))
        rows += [(word, False, family) for word in entry.get("words", ())]
        rows += [(word, True, family) for word in entry.get("alone", ())]
    return sorted(rows, key=lambda row: (-len(row[0]), row[2].task != "multimodal"))


def squash(name: str) -> str:
    """Keep letters and digits."""
    return "".join(character for character in name.lower() if character.isalnum())


BACKBONES_LEARN = "image classification"
"""What networks mostly learn that other ones are built on."""


@lru_cache(maxsize=4096)
def family_of(name: str) -> ModelFamily | None:
    """Give the family that a model's name tells; of a hub's name the part after its owner, then the whole."""
    name = name[-120:]
    return family_in(name.rpartition("/")[2]) or family_in(name)


def family_in(name: str) -> ModelFamily | None:
    """Find the longest word of a family in a name, where it stands as the table demands."""
    whole, edges = squash(name), part_edges(name)
    backbone: ModelFamily | None = None
    for word, alone, family in families():
        if not occurs(word, alone, whole, edges) or is_sized(word, name) or takes_a_letter(word, name):
            continue
        if backbone is None and family.usual != BACKBONES_LEARN:
            return family
        backbone = backbone or family
        if family.fine.startswith("self-supervised"):
            return family  # a backbone that learns without labels goes by how it learns: `ResNetSimCLR`
    return backbone


def is_sized(word: str, name: str) -> bool:
    """Tell a word that is a shorter family's and the letter of a size behind a sign: `ViT_S` is no VITS."""
    start = name.lower().find(word[:-1])
    cut = name[start + len(word) - 1 : start + len(word)] if start >= 0 else ""
    return bool(cut) and not cut.isalnum() and word[-1:] in SIZE_LETTERS and word[:-1] in family_words()


def takes_a_letter(word: str, name: str) -> bool:
    """Tell a word that is a shorter family's and the capital of what follows it: `UNetRes` is no UNETR."""
    end = name.lower().find(word) + len(word)
    begins = name[end - 1 : end].isupper() and name[end : end + 1].islower()
    return end >= len(word) and begins and word[:-1] in family_words()


@lru_cache(maxsize=1)
def family_words() -> frozenset[str]:
    """Give the words of all families."""
    return frozenset(word for word, _, _ in families())


def occurs(word: str, alone: bool, whole: str, edges: set[int]) -> bool:
    """Tell whether a family's word stands anywhere in a squashed name."""
    place = whole.find(word)
    while place >= 0:
        if stands(word, alone, whole, place, edges):
            return True
        place = whole.find(word, place + 1)
    return False


def stands(word: str, alone: bool, whole: str, place: int, edges: set[int]) -> bool:
    """Tell whether a word that was found in a squashed name is a part of it, and no accident of letters."""
    end = place + len(word)
    rest = whole[end : end + 2]
    if end not in edges and rest[:1].isdigit() and word[-1:].isdigit():
        return False  # the first digits of a longer number: `h384` is no H3
    ends = end in edges or not rest or rest[0].isdigit() or rest in SIZE_MARKS
    if alone or len(word) < LONGER:
        if place not in edges and not edges.isdisjoint(range(place + 1, end)):
            return False  # letters of two parts: `CriticRNN` is no CRNN
        closes = end in edges and word in ENDINGS
        return ends and (place in edges or closes or (len(word) == LONGER - 1 and not alone))
    return place in edges or len(word) >= ANYWHERE or word in ROOTS


def part_edges(name: str) -> set[int]:
    """Give the places of a squashed name where its parts begin: after other signs, at capitals, at digits' ends."""
    edges = {0}
    place, last = 0, ""
    for number, character in enumerate(name):
        if character.isalnum():
            following = name[number + 1 : number + 2]
            turns = character.isupper() and (last.islower() or (last.isupper() and following.islower()))
            turns = turns and not (last == "i" and character == "T" and not following.islower())  # `ViT`, `DeiT`
            if not last.isalnum() or turns or (last.isdigit() and not character.isdigit()):
                edges.add(place)
            place += 1
        last = character
    edges.add(place)
    return edges


ATTENDING = frozenset({"MultiheadAttention", "MultiHeadAttention", "SelfAttention", "AttentionLayer", "Attention"})
"""Layers of attention that stand alone as well, where no transformer is built."""


OF_HEADS = re2.compile(r"^Multi-?[Hh]ead(?:ed)?(?:Self|Cross)?Attention(?:[A-Z]|$)")
"""How layers of several heads are called, whatever else their name says: `MultiHeadAttentionLayer`."""


def layer_type(names: set[str]) -> str | None:
    """Give the type that a model's layers tell; one that only attends to what recurrent layers give is of those."""
    names = {"MultiHeadAttention" if OF_HEADS.match(name) else name for name in names}
    for kind, layers in table("models")["layers"].items():
        found = names.intersection(layers)
        attends = kind == "transformer" and ATTENDING.issuperset(found)
        if found and not (attends and names.intersection(table("models")["layers"]["rnn"])):
            return str(kind)
    return None


CUTS = re2.compile(r"[-_./ ]")


def size_of(name: str) -> str | None:
    """Give the size that a name fixes: known of this exact name, or written in it."""
    known: dict[str, str] = table("models")["sizes"]
    short = name.rpartition("/")[2]
    exact = known.get(squash(name)) or known.get(squash(short))
    ready = ready_network(name) if exact is None else None
    if exact is not None or ready is not None:
        return exact if ready is None else f"{ready.millions:.3g}M"
    return written_size(name) or tuned_size(short)


SIZE_WORDS = ("base", "large", "small", "medium", "xlarge")

SHAPE = re2.compile(
    r"^(?:[0-9]+(?:l|l[0-9]+h|x|layers?|lyrs?|heads?|blocks?|experts?)"
    r"|(?:(?:[lhadx]|layers?|heads?|blocks?|experts?)[0-9]+)+|[lh])$"
)
"""Numbers of layers, of heads, of experts, and how wide they are: `6l`, `L-6`, `8x`; `960h` are hours."""


def is_other_shape(word: str) -> bool:
    """Tell a word behind a model's name that gives it another size than that model has: `student`, `6l`, `moe`."""
    shapes = table("models")["shapes"]
    whole = word in SIZE_WORDS or word in shapes["words"] or word.startswith(tuple(shapes["beginnings"]))
    return whole or SHAPE.search(word) is not None


def tuned_size(name: str) -> str | None:
    """Give the size of the model that one is tuned from and named after: `wav2vec2-large-of-somebody`."""
    known: dict[str, str] = table("models")["sizes"]
    pieces = [piece for piece in CUTS.split(name.lower()) if piece]
    for end in range(len(pieces) - 1, 1, -1):
        size = known.get(squash("".join(pieces[:end])))
        if size is not None and not {*pieces[:end]}.isdisjoint(SIZE_WORDS):
            return None if any(map(is_other_shape, pieces[end:])) else size
    return None


class ReadyNetwork(NamedTuple):
    """A network that libraries make by name: its size, and how many features its last layer gets if that matters."""

    millions: float
    width: int


def ready_network(name: str) -> ReadyNetwork | None:
    """Give what is known of a network by its name; timm puts the weights' name behind a point."""
    known: dict[str, list[float]] = table("ready_networks")["networks"]
    short = name.rpartition("/")[2]
    row = None if CLIP.search(short) else known.get(squash(short)) or known.get(squash(TAG.sub("", short)))
    return ReadyNetwork(row[0], int(row[1]) if len(row) > 1 else 0) if row is not None else None


def written_size(name: str) -> str | None:
    """Give the size that is written in a name."""
    point = POINT.search(name := str(POINTED.sub(r"\1\2.\3", name)))
    if point is not None:
        return f"{point.group(1)}.{point.group(2)}B"
    match = SIZE.search(name)
    if match is None or (match.group(3) and not match.group(2) and is_patch(name, match.start(3))):
        return None
    if OF_DATA.search(name[: match.end(3) if match.group(3) else 0]):
        return None
    times = f"{match.group(2)}x" if match.group(2) else ""
    number = match.group(3) or str(match.group(1)).replace("_", ".")
    return f"{times}{number}{str(match.group(4)).upper()}"


def in_numbers(size: str | None) -> int | None:
    """Give a written size as a number: `8x7B` is the sum of its experts."""
    match = WRITTEN.match(size or "")
    return int(int(match[1] or 1) * float(match[2]) * UNITS[match[3].lower()]) if match is not None else None


def is_patch(name: str, start: int) -> bool:
    """Tell the number behind a lone letter, which is a shape's and no size: `ViT-B16B`."""
    return start > 0 and name[start - 1].isalpha() and (start == 1 or not name[start - 2].isalpha())


def roles(name: str) -> frozenset[str]:
    """Give the names of classes that play a role: `beside`, `holders`, `rivals`, `generic`."""
    return frozenset(table("models")["roles"][name])


def stands_beside(name: str) -> bool:
    """Tell a class that a model's neighbours are made of: losses, tokenizers, searchers, metrics, copies."""
    beside = tuple(table("models")["roles"]["beside"])
    parts = set(name.lower().split("_"))
    named_after = "loss" in parts and parts.isdisjoint(["with", "model", "net"])  # `Contrast_loss_of_points`
    told = named_after or name.startswith("Criterion") or name.lower().endswith(("loss", "losses", "criterion"))
    return told or name.endswith(beside)


def holds_a_model(name: str) -> bool:
    """Tell a class that only holds what is trained, by its name."""
    return name.endswith(tuple(table("models")["roles"]["holders"]))


def without_role(name: str) -> str:
    """Take the word off a class's name that says that it holds a model."""
    held = next((name.removesuffix(end) for end in table("models")["roles"]["holders"] if name.endswith(end)), None)
    return held.removesuffix("Training").removesuffix("Train") if held is not None else name


def is_rival(name: str) -> bool:
    """Tell a network that only judges what another one makes, by its name."""
    rivals = table("models")["roles"]["rivals"]
    return name.endswith(tuple(rivals)) or rivals[0] in name  # `Discriminator_small`


CLASS_IN_MODULES = re2.compile(r"^[a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)*\.[A-Z][A-Za-z]\w*$")
"""A class by its dotted name: `models.temporal.TemporalUnet`."""


def named_class(dotted: str) -> str:
    """Give the name that a class's dotted path says: of a class that any model may be, its module's if of a family."""
    if not CLASS_IN_MODULES.match(dotted):
        return dotted
    *_, module, name = dotted.split(".")
    return module if is_generic(name) and not is_generic(module) and family_of(module) is not None else name


@lru_cache(maxsize=1)
def generic_names() -> frozenset[str]:
    """Give the names that any model may have, squashed."""
    return frozenset(map(squash, roles("generic")))


def is_generic(name: str) -> bool:
    """Tell a name that any model may have, however it is written: `BaseModel`, `base_model`."""
    bare = name[2:] if name[1:2] == "_" else name
    return squash(bare.removeprefix("Default")) in generic_names() or (len(name) < 3 and family_of(name) is None)


TRAINING = ("Training", "TrainModule", "TrainModel", "TrainNet")
"""How frames are called after what is done with the network that they hold: `TrainingAdapter`."""


def tells_no_model(name: str) -> bool:
    """Tell a name that any model, any part of one or any frame around one may have: an answer says nothing by it."""
    parts, frames = (tuple(table("models")["roles"][role]) for role in ("parts", "frames"))
    known = family_of(name) is not None or layer_type({name}) is not None
    trains = name.startswith(TRAINING)
    return name.endswith(parts) or (not known and (trains or is_generic(name) or name.endswith(frames)))
