"""Logs in object storage: a real S3 server here, which `make test-s3` installs."""

import json
import socket
import subprocess
import sys
import time

import pytest

from schedmate.batch.run import Batch, run
from schedmate.errors import InputError

parquet = pytest.importorskip("pyarrow.parquet", reason="needs the extra batch")
s3fs = pytest.importorskip("s3fs", reason="needs s3fs: make test-s3")
pytest.importorskip("moto", reason="needs an S3 server: make test-s3")

LOG = "step 1/9 loss 1.0\ntorch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB\n"
LIMIT_S = 120.0


@pytest.fixture
def bucket(monkeypatch, tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}", "AWS_DEFAULT_REGION": "us-east-1"}
    words |= {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_CONFIG_FILE": str(tmp_path / "none")}
    for name, value in words.items():
        monkeypatch.setenv(name, value)
    with (tmp_path / "server.log").open("wb") as log:
        command = [sys.executable, "-m", "moto.server", "-p", str(port)]
        server = subprocess.Popen(command, stdout=log, stderr=log)
        try:
            limit_s = time.monotonic() + LIMIT_S
            while not listens(port):
                assert server.poll() is None
                assert time.monotonic() < limit_s
                time.sleep(0.1)
            s3fs.S3FileSystem.clear_instance_cache()
            store = s3fs.S3FileSystem()
            store.mkdir("logs")
            yield store
        finally:
            server.terminate()
            server.wait()


def listens(port):
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


def test_objects_are_fetched_and_answers_speak_of_their_addresses(bucket, tmp_path):
    for number in range(4):
        bucket.pipe(f"logs/runs/{number}.log", LOG.encode())
    (tmp_path / "list").write_text("s3://logs/runs/0.log\ns3://logs/runs/gone.log\n")
    asked = Batch("diagnose", ["s3://logs/runs/", f"@{tmp_path}/list"], tmp_path / "out.parquet", workers=2)
    count = run(asked)
    assert (count.read, count.failed, count.rows) == (5, 1, 5)
    rows = {row["source"]: row for row in parquet.read_table(tmp_path / "out.parquet").to_pylist()}
    assert "cannot be fetched" in rows["s3://logs/runs/gone.log"]["error"]
    found = rows["s3://logs/runs/3.log"]
    assert (found["failure_id"], found["size"]) == ("cuda.out_of_memory", len(LOG))
    answer = json.loads(found["answer"])
    assert answer["log"] == "s3://logs/runs/3.log"
    assert {one["path"] for one in answer["evidence"]} == {"s3://logs/runs/3.log"}
    assert run(asked).before == 5


def test_a_bucket_that_is_not_there_is_an_error(bucket, tmp_path):
    with pytest.raises(InputError, match="s3://nothing/.*matches nothing"):
        run(Batch("track", ["s3://nothing/*.log"], tmp_path / "out.parquet"))
