"""Models of transformers that are made from a configuration: `GPT2LMHeadModel(GPT2Config(n_layer=6))`."""

from schedmate.knowledge.layer_sizes import sizes_of_models
from schedmate.knowledge.models import in_numbers, size_of
from schedmate.knowledge.vocabularies import vocabulary_of_tokenizer
from schedmate.readers.code.sizes.layer_arithmetic import Inside, count_layer
from schedmate.readers.code.sizes.ready_networks import RESHAPING, told_name
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.value import Value

LIBRARY = "transformers."
OVER_WORDS = ("LMHeadModel", "ForCausalLM", "ForMaskedLM", "ForConditionalGeneration", "ForPreTraining", "ForSeq2SeqLM")
POOLED = ("Model", "ForSequenceClassification", "ForMultipleChoice", "ForNextSentencePrediction", "ForPreTraining")


def configured_size(made: ExternalResult, inside: Inside) -> int | None:
    """Count a model by its configuration's settings; nothing where it has none, or is of a kind that is not known."""
    config = config_of(made)
    if config is None:
        return None
    settings = {**config.kwargs, **config.attrs}
    if config.short == "from_pretrained":
        return None if changes(told_name(config), settings) else in_numbers(size_of(told_name(config)))
    family = config.short.removesuffix("Config")
    formula = sizes_of_models().get(family)
    if formula is None or config.args or not config.short.endswith("Config"):
        return None
    kind = made.callee.removesuffix(".from_config").rpartition(".")[2].removeprefix("Auto").removeprefix(family)
    settings |= {"lm": Value(kind in OVER_WORDS), "pooled": Value(kind in POOLED)}
    return count_layer(ExternalResult(made.callee, [], settings, made.spot), formula, inside)


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
    config = given.data if given is not None else None
    return config if isinstance(config, ExternalResult) and config.callee.startswith(LIBRARY) else None
