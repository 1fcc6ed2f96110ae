"""Every setting in one class: SCHEDMATE_* in the environment, then a trusted schedmate.toml, then the defaults here."""

import os
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator, model_validator

from schedmate.errors import SettingsError
from schedmate.user_dirs import PREFIX, config_text, data_directory, user_directory


class Settings(BaseModel):
    """What the user may set; the description of a field is its documentation."""

    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=True, hide_input_in_errors=True)

    llm: str = Field("", description="in-process model, as outlines:/path/to/weights; empty: use llm_url")
    llm_url: str = Field("", description="base URL of an OpenAI-compatible server, as http://localhost:8000/v1")
    llm_model: str = Field("", description="model name on that server; empty: the first it serves")
    llm_key: SecretStr = Field(SecretStr(""), description="API key, where the server wants one")
    llm_timeout_s: float = Field(60.0, gt=0, description="time one model call may take")
    llm_attempts: int = Field(3, ge=1, le=10, description="tries when the server is busy or broken")
    llm_concurrency: int = Field(16, ge=1, description="model calls under way at once, by all your processes")
    llm_votes: int = Field(1, ge=1, le=9, description="answers to take a majority of, where one decides")
    llm_context_tokens: int = Field(0, ge=0, description="context length; 0: what the server reports")
    llm_cache: bool = Field(True, description="keep answers on disk by exact prompt, model and schema")
    embedder: str = Field(
        "built-in", description="built-in, an http(s) base URL, or a sentence-transformers path or hub id (BAAI/bge-m3)"
    )
    embedder_model: str = Field("", description="model name on the embeddings server")
    progress_lines: int = Field(40, ge=1, le=1000, description="lines that `track --engine paper` shows the model")
    similarity_threshold: float = Field(
        0.90, ge=0, le=1, description="similarity from which a past job counts as alike"
    )
    similar_jobs: int = Field(3, ge=1, le=100, description="how many similar jobs an estimate rests on")
    vectors: str = Field(
        "auto",
        description="where past workloads are indexed: a Chroma server's URL; else (auto, built-in) a file of our own",
    )
    socket: str = Field(
        "auto",
        description="a machine's shared loop: a path, none, or auto: /run/schedmate/socket, unless data_dir is set",
    )
    smtp_password: SecretStr = Field(SecretStr(""), description="for the mail server, where policy.toml has smtp_user")
    data_dir: Path = Field(default_factory=data_directory, description="where history and learnt log formats are kept")
    cache_dir: Path = Field(
        default_factory=lambda: user_directory("XDG_CACHE_HOME", ".cache"),
        description="answers kept; may be deleted any time",
    )

    @model_validator(mode="before")
    @classmethod
    def fill(cls, given: dict[str, Any]) -> dict[str, Any]:
        """Order the sources: arguments (tests, library users), environment, file."""
        return written_in_file() | written_in_environment() | given

    @field_validator("data_dir", "cache_dir")
    @classmethod
    def stand_fast(cls, folder: Path) -> Path:
        """Mean the same folder from wherever we look."""
        return folder.absolute()

    @field_validator("llm", "embedder")
    @classmethod
    def name_weights(cls, name: str) -> str:
        """Mean the same weights from wherever we look; `./bge-m3` is a folder, `bge-m3` a hub's name."""
        kind, colon, path = name.partition("outlines:")
        if colon:
            return f"{kind}{colon}{os.path.abspath(path)}" if path else name
        return os.path.abspath(name) if name.startswith(("./", "../")) else name


@lru_cache(maxsize=1)
def get_settings() -> Settings:
    """Read the settings once a process; a bad value names itself and its source."""
    named = os.environ.get(f"{PREFIX}CONFIG")
    if named and not Path(named).is_file():
        raise SettingsError(f"{PREFIX}CONFIG names {named}, which is not a file", "correct the path or unset it")
    try:
        return Settings()
    except ValidationError as error:
        raise not_a_setting(error) from error
    except OSError as error:
        raise SettingsError(f"the settings cannot be read: {error}", "mend the file or move it away") from error


def not_a_setting(error: ValidationError) -> SettingsError:
    """Say what is wrong with the first bad setting: its name, else its value."""
    from schedmate.bad_values import first_wrong

    name, wrong = first_wrong(error, Settings)
    return SettingsError(f"setting {name}: {wrong}", f"it comes from {source_of(name)}; `schedmate config` lists all")


def as_environment() -> dict[str, str]:
    """Give what differs from the defaults as variables: a child stands elsewhere, and must not read other files."""
    settings = get_settings()
    given: dict[str, str] = {f"{PREFIX}CONFIG": ""}
    for name, field in Settings.model_fields.items():
        value = getattr(settings, name)
        if value != field.get_default(call_default_factory=True):
            given[PREFIX + name.upper()] = value.get_secret_value() if isinstance(value, SecretStr) else str(value)
    return given


def source_of(name: str) -> str:
    """Tell where a setting's value came from."""
    if name in written_in_environment():
        return f"environment variable {PREFIX}{name.upper()}"
    found = config_text()
    return str(found[0]) if found and name in written_in_file() else "default"


def written_in_environment() -> dict[str, str]:
    """Read what variables set, in whatever case they are written; an empty one counts as unset."""
    held = {name.upper(): value for name, value in os.environ.items()} | dict(os.environ)
    named = {name: held.get(PREFIX + name.upper()) for name in Settings.model_fields}
    return {name: value for name, value in named.items() if value}


def written_in_file() -> dict[str, Any]:
    """Read what the settings file sets; empty when there is none that counts."""
    found = config_text()
    try:
        return tomllib.loads(found[1].decode("utf-8")) if found else {}
    except ValueError as error:
        raise SettingsError(
            f"{found[0] if found else ''} cannot be read: {error}", "mend the file or move it away"
        ) from error
