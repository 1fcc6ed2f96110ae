"""Installed programs that train by a configuration, and programs that never train; the table is data."""

from functools import lru_cache
from typing import Required, TypedDict

from schedmate.knowledge.tables import entries_by_name


class ProgramRow(TypedDict, total=False):
    """What the table says of an installed program; the table's head says what each word means."""

    id: Required[str]
    names: Required[list[str]]
    train: list[str]
    config: list[str]
    config_folders: list[str]
    not_keys: list[str]
    sections: list[str]
    sections_besides: dict[str, str]
    settings: list[str]
    package: str
    signature: list[str]
    aside: list[str]
    switches: list[str]
    rank_variables: dict[str, str]
    signature_least: int
    overrides: str
    framework: str
    task: str
    task_fine: str
    like: str
    like_prefix: str
    config_folder: str
    config_name: str
    strategy: str
    model: str
    positional: str
    mixed: str
    all_gpus: bool
    minus_is_cpu: bool
    tuning: bool
    starts_ranks: bool
    bare: bool
    anywhere: bool
    optional_config: bool
    mmengine: bool
    follow_own: bool
    follow: bool
    never: bool
    evaluates: bool
    keys: dict[str, list[str]]
    defaults: dict[str, int | float | str]
    requires: dict[str, bool]
    recipes: dict[str, str]
    task_words: dict[str, str]
    like_by_word: dict[str, str]
    name_from_script: dict[str, str]
    nominal_batch: int
    answers: str
    skip_words: int


@lru_cache(maxsize=1)
def programs() -> dict[str, ProgramRow]:
    """Give each program's entry by each of its names; `path#package` means that path beside that package."""
    return entries_by_name("programs")
