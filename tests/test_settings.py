"""Environment beats file beats default, and each value can tell where it came from."""

import json
import subprocess
import sys

import pytest

from schedmate.errors import SettingsError
from schedmate.settings import Settings, as_environment, get_settings, source_of
from schedmate.user_dirs import ignored_file, trust_file_here


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
    trust_file_here()
    monkeypatch.setenv("SCHEDMATE_LLM_MODEL", "from-environment")
    settings = get_settings()
    assert (settings.llm_model, settings.llm_attempts) == ("from-environment", 5)
    assert source_of("llm_model") == "environment variable SCHEDMATE_LLM_MODEL"
    assert source_of("llm_attempts") == str(folder / "schedmate.toml")


def test_what_is_given_beats_the_environment(folder, monkeypatch):
    monkeypatch.setenv("SCHEDMATE_LLM_MODEL", "from-environment")
    monkeypatch.setenv("SCHEDMATE_LLM_VOTES", "5")
    settings = Settings(llm_model="given")
    assert (settings.llm_model, settings.llm_votes) == ("given", 5)


def test_a_variable_counts_in_any_case(folder, monkeypatch):
    monkeypatch.setenv("schedmate_llm_cache", "off")
    assert get_settings().llm_cache is False
    assert source_of("llm_cache") == "environment variable SCHEDMATE_LLM_CACHE"


def test_a_variable_that_is_no_setting_is_let_be(folder, monkeypatch):
    monkeypatch.setenv("SCHEDMATE_TEST_RUNS", "5")
    assert get_settings() == Settings()


def test_empty_variable_counts_as_unset(folder, monkeypatch):
    monkeypatch.setenv("SCHEDMATE_LLM_TIMEOUT_S", "")
    assert get_settings().llm_timeout_s == Settings.model_fields["llm_timeout_s"].default


def test_a_name_that_is_no_setting_is_answered_with_the_one_that_is_meant(folder):
    (folder / "schedmate.toml").write_text("llm_timout_s = 3\n")
    trust_file_here()
    with pytest.raises(SettingsError, match=r"^setting llm_timout_s: unknown; did you mean llm_timeout_s\?") as told:
        get_settings()
    assert told.value.hint.endswith("`schedmate config` lists all")


def test_another_file_can_be_named(folder, monkeypatch):
    (folder / "elsewhere.toml").write_text('llm_model = "there"\n')
    monkeypatch.setenv("SCHEDMATE_CONFIG", str(folder / "elsewhere.toml"))
    assert get_settings().llm_model == "there"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("llm_attempts = 0\n", "llm_attempts: it must be greater than or equal to 1"),
        ("lmm_url = 'x'\n", "lmm_url"),
        ("llm_url = \n", "schedmate.toml"),
        ("llm_url = '\udcff'\n", "schedmate.toml"),
    ],
)
def test_a_bad_file_names_what_is_wrong(folder, text, words):
    (folder / "schedmate.toml").write_text(text, errors="surrogateescape")
    trust_file_here()
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


def test_a_file_that_lies_about_redirects_nothing(folder, monkeypatch):
    """A checkout may hold one: neither the key that the environment holds nor a prompt goes where it says."""
    monkeypatch.setenv("SCHEDMATE_LLM_KEY", "theirs-alone")
    (folder / "schedmate.toml").write_text("llm_url = 'http://127.0.0.1:9/v1'\ndata_dir = 'elsewhere'\n")
    assert get_settings().llm_url == ""
    assert get_settings().data_dir != folder / "elsewhere"
    assert ignored_file() == folder / "schedmate.toml"


def test_trust_holds_for_what_was_read_and_where(folder, monkeypatch):
    path = folder / "schedmate.toml"
    path.write_text("llm_attempts = 5\n")
    assert trust_file_here() == path
    assert ignored_file() is None
    assert get_settings().llm_attempts == 5
    path.write_text("llm_attempts = 5\nllm_url = 'http://127.0.0.1:9/v1'\n")
    get_settings.cache_clear()
    assert (get_settings().llm_attempts, get_settings().llm_url) == (3, "")
    path.write_text("llm_attempts = 5\n")
    assert ignored_file() is None
    (folder / "other").mkdir()
    (folder / "other" / "schedmate.toml").write_text("llm_attempts = 5\n")
    monkeypatch.chdir(folder / "other")
    assert ignored_file() == folder / "other" / "schedmate.toml"


def test_the_users_own_file_needs_no_trust(folder, own_home):
    users = own_home / ".config" / "schedmate" / "schedmate.toml"
    users.parent.mkdir(parents=True)
    users.write_text("llm_attempts = 7\n")
    (folder / "schedmate.toml").write_text("llm_attempts = 5\n")
    assert get_settings().llm_attempts == 7
    assert source_of("llm_attempts") == str(users)


def test_children_are_told_and_do_not_look(folder, monkeypatch):
    monkeypatch.setenv("SCHEDMATE_DATA_DIR", "data")
    (folder / "schedmate.toml").write_text("llm_attempts = 5\nllm_key = 'k'\n")
    trust_file_here()
    assert as_environment() == {
        "SCHEDMATE_CONFIG": "", "SCHEDMATE_LLM_ATTEMPTS": "5", "SCHEDMATE_LLM_KEY": "k",
        "SCHEDMATE_DATA_DIR": str(folder / "data"),
    }  # fmt: skip


def test_config_says_what_is_ignored_and_trusts_it(folder, own_home):
    def run(*arguments):
        command = [sys.executable, "-P", "-m", "schedmate", "config", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    (folder / "schedmate.toml").write_text("llm_attempts = 5\n")
    said = run()
    assert f"{folder / 'schedmate.toml'} is ignored" in said.stderr
    trusted = json.loads(run("--trust", "--json").stdout)
    assert next(row["value"] for row in trusted if row["name"] == "llm_attempts") == "5"
    assert run().stderr == ""
    assert run("--trust").returncode == 0
    (folder / "schedmate.toml").unlink()
    assert run("--trust").returncode == 2
