"""Expose what is watched to Prometheus: one gauge a value, labelled by the log alone."""

import threading
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from schedmate.errors import InputError
from schedmate.schemas import GpuSample, Metrics
from schedmate.tools.exposition import TYPE, Family, page_of

PHASES = ("init", "train", "eval", "checkpoint", "done", "stalled", "failed")
GAUGES = {
    "step_time_seconds": ("step_time_s", "Seconds a training step takes."),
    "throughput": ("throughput", "Samples, tokens or steps per second, as the log counts them."),
    "loss": ("loss", "The last training loss."),
    "step": ("step", "The training loop's counter."),
    "total_steps": ("total_steps", "Where the counter ends."),
    "epoch": ("epoch", "The epoch."),
    "eta_seconds": ("eta_s", "Seconds until the counter's end."),
}
GPU_GAUGES = {
    "gpu_utilization_ratio": ("utilization", "Share of time that the GPU computed."),
    "gpu_memory_used_gibibytes": ("memory_used_gib", "GPU memory in use."),
    "gpu_power_watts": ("power_w", "Power drawn."),
    "gpu_temperature_celsius": ("temperature_c", "Temperature."),
    "gpu_ecc_uncorrected": ("ecc_uncorrected", "Uncorrected memory errors since the driver was loaded."),
}
Page = Callable[[], str]


def exposition(answers: Sequence[Metrics], slower: Sequence[float | None], gpus: Sequence[GpuSample] = ()) -> str:
    """Write all gauges; a value that is not known has no line."""
    families = [
        gauge(name, about, [({"log": one.log}, getattr(one, field)) for one in answers])
        for name, (field, about) in GAUGES.items()
    ]
    phases = [({"log": one.log, "phase": phase}, float(one.phase == phase)) for one in answers for phase in PHASES]
    families.append(gauge("phase", "1 for the phase that the job is in.", phases))
    ratios = [({"log": one.log}, ratio) for one, ratio in zip(answers, slower, strict=True)]
    families.append(gauge("slowdown_ratio", "How much longer a step takes since the pace last changed.", ratios))
    for name, (field, about) in GPU_GAUGES.items():
        families.append(gauge(name, about, [({"gpu": f"{one.index}"}, getattr(one, field)) for one in gpus]))
    return page_of(families)


def gauge(name: str, about: str, values: Sequence[tuple[dict[str, str], float | None]]) -> Family:
    """Make one gauge of what is known."""
    known = [(labels, value) for labels, value in values if value is not None]
    return Family(f"schedmate_{name}", "gauge", about, known)


class Handler(BaseHTTPRequestHandler):
    """Answer GET /metrics and nothing else."""

    page: Page
    timeout = 10

    def do_GET(self) -> None:
        """Send the gauges as they are now."""
        found = self.path.split("?")[0] == "/metrics"
        body = type(self).page().encode() if found else b"see /metrics\n"
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", TYPE)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        """Keep requests out of the terminal's table."""


def serve(address: str, page: Page) -> ThreadingHTTPServer:
    """Serve the page on PORT of this machine alone, or on HOST:PORT."""
    host, _, port = address.rpartition(":")
    if not port.isdigit() or int(port) > 65535:
        raise InputError(f"'{address}' is no port", "give PORT, or HOST:PORT to be seen from elsewhere")
    handler = type("PageHandler", (Handler,), {"page": staticmethod(page)})
    try:
        server = ThreadingHTTPServer((host or "127.0.0.1", int(port)), handler)
    except OSError as error:
        raise InputError(f"cannot listen on {address}: {error.strerror or error}", "choose another port") from error
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server
