"""Environment beats file beats default, and each value can tell where it came from."""

import pytest

from schedmate.errors import SettingsError
from schedmate.settings import Settings, get_settings, source_of


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_defaults(folder):
    settings = get_settings()
    assert settings.embedder == "built-in"
    assert source_of("embedder") == "default"
    assert settings.data_dir.name == "schedmate"


def test_environment_beats_file_beats_default(folder, monkeypatch):
    (folder / "schedmate.toml").write_text('llm_model = "from-file"\nllm_attempts = 5\n')
    monkeypatch.setenv("SCHEDMATE_LLM_MODEL", "from-environment")
    settings = get_settings()
    assert (settings.llm_model, settings.llm_attempts) == ("from-environment", 5)
    assert source_of("llm_model") == "environment variable SCHEDMATE_LLM_MODEL"
    assert source_of("llm_attempts") == "schedmate.toml"


def test_empty_variable_counts_as_unset(folder, monkeypatch):
    monkeypatch.setenv("SCHEDMATE_LLM_TIMEOUT_S", "")
    assert get_settings().llm_timeout_s == Settings.model_fields["llm_timeout_s"].default


def test_another_file_can_be_named(folder, monkeypatch):
    (folder / "elsewhere.toml").write_text('llm_model = "there"\n')
    monkeypatch.setenv("SCHEDMATE_CONFIG", str(folder / "elsewhere.toml"))
    assert get_settings().llm_model == "there"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("llm_attempts = 0\n", "llm_attempts"),
        ("lmm_url = 'x'\n", "lmm_url"),
        ("llm_url = \n", "schedmate.toml"),
        ("llm_url = '\udcff'\n", "schedmate.toml"),
    ],
)
def test_a_bad_file_names_what_is_wrong(folder, text, words):
    (folder / "schedmate.toml").write_text(text, errors="surrogateescape")
    with pytest.raises(SettingsError, match=words):
        get_settings()


def test_a_bad_variable_names_itself(folder, monkeypatch):
    monkeypatch.setenv("SCHEDMATE_LLM_CONCURRENCY", "many")
    with pytest.raises(SettingsError) as caught:
        get_settings()
    assert "SCHEDMATE_LLM_CONCURRENCY" in caught.value.hint


def test_a_named_file_that_is_missing(folder, monkeypatch):
    monkeypatch.setenv("SCHEDMATE_CONFIG", "absent.toml")
    with pytest.raises(SettingsError, match="absent"):
        get_settings()
