"""What the states of all graphs share: plain JSON that comes in and goes out, and what a walk opens for itself."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, get_origin, get_type_hints

from pydantic import BaseModel, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from schedmate.choices import ReaderChoice, checked
from schedmate.user_dirs import anything_is_set

if TYPE_CHECKING:
    from schedmate.models.embedders.embedder import Embedder
    from schedmate.models.llm import LanguageModel

C = TypeVar("C")

OPENED = "lives as long as the walk"
"""Marks what a walk opens or parses for itself: never checkpointed, shown or sent."""

SAID = "is said to a model, or by it"
"""Marks messages in OpenAI's form: LangGraph keeps them with add_messages, so that its server shows a conversation."""


@dataclass(frozen=True)
class Runtime(Generic[C]):
    """What LangGraph hands a node beside the state, as far as our nodes use it; the plain walk hands the same."""

    context: C | None = None


@dataclass(frozen=True)
class ReadingContext:
    """How a graph reads, as its caller chose: a wrong word is refused at once, models are opened when first needed."""

    engine: ReaderChoice = "auto"
    """auto, built-in, model or paper"""

    def __post_init__(self) -> None:
        """Check each word."""
        for name, choices in get_type_hints(type(self)).items():
            if get_origin(choices) is Literal:
                checked(name, getattr(self, name), choices)

    @property
    def wants_model(self) -> bool:
        """Tell whether a model is to be asked also where nothing is open."""
        return self.engine in ("model", "paper")

    @cached_property
    def model(self) -> "LanguageModel | None":
        """Open the model that the settings name, unless the caller wants none."""
        if self.engine == "built-in" or (self.engine == "auto" and not anything_is_set()):
            return None
        from schedmate.models.llm import model_for

        return model_for(self.wants_model, getattr(self, "votes", 0))

    @cached_property
    def embedder(self) -> "Embedder":
        """Open the embedder that the settings name."""
        from schedmate.models.embeddings import open_embedder
        from schedmate.settings import get_settings

        return open_embedder(get_settings())


R = TypeVar("R", bound=ReadingContext)


def context_of(runtime: Runtime[Any], kind: type[R]) -> R:  # Any: as a part of a graph of others we get theirs
    """Take what the caller chose, also where the context is that of a graph of his, of which this one is a part."""
    said = runtime.context
    if isinstance(said, kind):
        return said
    names = [field.name for field in fields(kind)]
    if not isinstance(said, Mapping):
        said = {name: getattr(said, name) for name in names if hasattr(said, name)}
    return kind(**{name: said[name] for name in names if name in said})


@contextmanager
def closed_on_failure(state: Mapping[str, Any]) -> Iterator[None]:  # Any: what a state holds
    """Close what a state has opened where a step fails; only the last node would."""
    try:
        yield
    except BaseException:
        for one in state.values():
            if isinstance(one, ExitStack):
                one.close()
        raise


class Shaped:
    """Marks a dictionary of plain JSON as having this model's form, so that servers can publish its schema."""

    def __init__(self, model: type[BaseModel]) -> None:
        self.model = model

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Describe the model in the dictionary's place."""
        return handler(self.model.__pydantic_core_schema__)


Fields = dict[str, Any]  # Any: what nodes hand on, as LangGraph does; a graph's own TypedDict tells each field's type
Compiled = Any  # Any: LangGraph's own graph; importing its class takes a second, which built-in answers save


def as_json(answer: BaseModel) -> Fields:
    """Give an answer as it leaves a graph."""
    return answer.model_dump(mode="json")
