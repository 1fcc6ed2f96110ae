"""The self-test reports everything it is configured for and never dies of one broken part."""

from schedmate.errors import StoreError
from schedmate.schemas import Check
from schedmate.selftest import run_probe, selftest
from schedmate.settings import Settings


def test_every_check_says_what_to_do(tmp_path):
    checks = selftest(Settings(data_dir=tmp_path))
    assert {check.name for check in checks} >= {
        "language model",
        "embedder",
        "store",
        "vectors",
        "NVML",
        "nccl-tests",
        "Ray",
        "Slurm",
    }
    for check in checks:
        assert check.detail
        assert check.status == "ok" or check.remedy, f"{check.name} does not say how to get it"


def test_a_broken_store_does_not_hide_the_rest(tmp_path):
    (tmp_path / "data").write_text("in the way")
    checks = {check.name: check for check in selftest(Settings(data_dir=tmp_path / "data"))}
    assert checks["store"].status == "failed"
    assert "Slurm" in checks


def test_an_index_that_cannot_be_reached_has_failed(tmp_path):
    settings = Settings(data_dir=tmp_path, vectors="redis")
    checks = {check.name: check for check in selftest(settings)}
    assert checks["vectors"].status == "failed"
    assert "redis" in checks["vectors"].detail
    assert checks["store"].status == "ok"


def test_a_known_error_becomes_a_failed_check():
    def broken(settings):
        yield Check(name="first", status="ok")
        raise StoreError("the disk is full", "free some space")

    assert run_probe("store", broken, Settings()) == [
        Check(name="store", status="failed", detail="the disk is full", remedy="free some space")
    ]


def test_an_embeddings_server_that_is_down_is_said(tmp_path):
    checks = selftest(Settings(data_dir=tmp_path, embedder="http://127.0.0.1:9/v1", llm_attempts=1))
    (check,) = [check for check in checks if check.name == "embedder"]
    assert check.status == "failed"
    assert "127.0.0.1:9" in check.detail
    assert check.remedy
