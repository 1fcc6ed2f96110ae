"""Models of transformers that are made from a configuration: `GPT2LMHeadModel(GPT2Config(n_layer=6))`."""

from collections.abc import Sequence

import re2

from schedmate.knowledge.layer_sizes import sizes_of_models
from schedmate.knowledge.models import in_numbers, size_of
from schedmate.knowledge.vocabularies import vocabulary_of_tokenizer
from schedmate.readers.code.sizes.layer_arithmetic import Inside, count_layer
from schedmate.readers.code.sizes.ready_networks import RESHAPING, told_name
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.value import Value, held

LIBRARY = "transformers."
OVER_WORDS = ("LMHeadModel", "ForCausalLM", "ForMaskedLM", "ForConditionalGeneration", "ForPreTraining", "ForSeq2SeqLM")
POOLED = ("Model", "ForSequenceClassification", "ForMultipleChoice", "ForNextSentencePrediction", "ForPreTraining")

WHOLE = {
    *OVER_WORDS,
    *POOLED,
    "ForTokenClassification",
    "ForQuestionAnswering",
    "DoubleHeadsModel",
    "ForImageClassification",
}
"""Classes of a family that are whole models; its layers and its halves take the same configuration."""
HALF = "ForCausalLM"
"""The decoder alone, of a family that has an encoder too."""
HARMLESS = re2.compile(
    r"(?i)drop|_prob$|eps|act(?:ivation)?(?:_fn|_function)?$|token_id|_token$|init|cache|^output_|^return_|labels?|label2id|dtype"
    r"|^attn_implementation$|_attn_implementation|checkpointing|^n_ctx$|problem_type|length|beams|theta|rope|scal|name|architectures"
)
"""Settings that leave a model's size as it is, or change its small head alone."""
LOOKS = ("to_dict", "to_json_string", "to_json_file", "to_diff_dict", "save_pretrained", "get", "keys", "items")
"""What is asked of a configuration without changing it."""
CHANGED = ("resize_token_embeddings", "add_adapter", "prune_heads", "set_input_embeddings", "set_output_embeddings")
"""What makes another network of a model."""


def configured_size(made: ExternalResult, inside: Inside, events: Sequence[Event]) -> int | None:
    """Count a model by its configuration's settings; nothing where it has none, or is of a kind that is not known."""
    config = config_of(made)
    if config is None or any(is_changed_by(event, made, config) for event in events):
        return None
    settings = {**config.kwargs, **config.attrs}
    if config.short == "from_pretrained":
        return None if changes(told_name(config), settings) else in_numbers(size_of(told_name(config)))
    family = config.short.removesuffix("Config")
    formula = sizes_of_models().get(family)
    if formula is None or config.args or not config.short.endswith("Config"):
        return None
    kind = made.callee.removesuffix(".from_config").rpartition(".")[2].removeprefix(family)
    kind = kind.removeprefix("Auto") if kind == "AutoModel" else kind.removeprefix("AutoModel")
    asked = {*formula.names, *formula.alias}
    halved = kind == HALF and any("decoder" in name for name in formula.names)
    if kind not in WHOLE or halved or any(not HARMLESS.search(name) for name in settings.keys() - asked):
        return None
    settings |= {"lm": Value(kind in OVER_WORDS), "pooled": Value(kind in POOLED)}
    return count_layer(ExternalResult(made.callee, [], settings, made.spot), formula, inside)


def is_changed_by(event: Event, made: ExternalResult, config: ExternalResult) -> bool:
    """Tell a call that may make another model of one, or of its configuration."""
    owner = event.owner.data if event.owner is not None else None
    return (owner is config and event.short not in LOOKS) or (owner is made and event.short in CHANGED)


def changes(name: str, settings: dict[str, Value]) -> bool:
    """Tell settings by which a model is of another size than the published one whose configuration it takes."""
    words = settings.get("vocab_size")
    is_other = words is not None and (type(words.data) is not int or words.data != vocabulary_of_tokenizer(name))
    return is_other or not RESHAPING.isdisjoint(settings)


def config_of(made: ExternalResult) -> ExternalResult | None:
    """Give the configuration that a model of transformers is made from."""
    if not made.callee.startswith(LIBRARY) or made.short in ("from_pretrained", "Trainer"):
        return None
    given = made.kwargs.get("config") or next(iter(made.args), None)
    config = held(given, ExternalResult)
    return config if config is not None and config.callee.startswith(LIBRARY) else None
