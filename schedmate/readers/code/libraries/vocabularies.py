"""Tokenizers that are loaded by a public name know how many words they have."""

from schedmate.knowledge.vocabularies import vocabulary_of_encoding, vocabulary_of_tokenizer
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.value import Value

SHOWN = ("vocab_size", "n_vocab")
NAMED_BY = ("pretrained_model_name_or_path", "encoding_name", "name")


def words_of(value: Value) -> Value | None:
    """Give how many words a loaded tokenizer knows; words that a program adds are few beside them."""
    made = value.data
    if not isinstance(made, ExternalResult):
        return None
    named = next((made.kwargs[key] for key in NAMED_BY if key in made.kwargs), next(iter(made.args), None))
    name = named.data if named is not None and isinstance(named.data, str) else ""
    if made.callee == "tiktoken.get_encoding":
        size = vocabulary_of_encoding(name)
    else:
        loads = made.short == "from_pretrained" and "Tokenizer" in made.callee.rpartition(".")[0]
        size = vocabulary_of_tokenizer(name) if loads else None
    return Value(size, (*named.src, made.spot)) if size is not None and named is not None else None


def shown_by(owner: Value, name: str) -> Value | None:
    """Give a tokenizer's `vocab_size`."""
    return words_of(owner) if name in SHOWN else None
