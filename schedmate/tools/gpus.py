"""Sample the GPUs through NVML: devices, the processes on them, and Xid events. What a GPU does not tell is None."""

from collections.abc import Callable
from typing import Any, TypeVar

from schedmate.schemas import GpuProcess, GpuSample

T = TypeVar("T")


class Gpus:
    """An open connection to the driver; without a driver it says why, once, and gives None from then on."""

    def __init__(self) -> None:
        self.absent = ""
        self.events: Any = None
        self.xids: dict[int, list[int]] = {}
        self.last_seen: dict[int, int] = {}
        self.handles: dict[int, Any] = {}
        """Those that answer, by the driver's own number; one that has fallen off the bus leaves a gap."""
        import pynvml

        self.nvml = pynvml
        try:
            pynvml.nvmlInit()
            count = pynvml.nvmlDeviceGetCount()
        except pynvml.NVMLError as error:
            self.absent = f"no GPU is sampled: {error}"
            return
        self.handles = {index: handle for index in range(count) if (handle := self.handle(index)) is not None}
        self.listen()

    def handle(self, index: int) -> Any:
        """Open a device; one that has fallen off the bus is None."""
        return self.ask(self.nvml.nvmlDeviceGetHandleByIndex, index)

    def ask(self, question: Callable[..., T], *arguments: Any) -> T | None:
        """Put a question to the driver; a GPU need not support it, and an old driver need not know it."""
        try:
            return question(*arguments)
        except (self.nvml.NVMLError, AttributeError, UnicodeDecodeError):
            return None

    def listen(self) -> None:
        """Ask to be told of Xid errors, where the driver can."""
        events = self.ask(self.nvml.nvmlEventSetCreate)
        for handle in self.handles.values() if events is not None else ():
            self.ask(self.nvml.nvmlDeviceRegisterEvents, handle, self.nvml.nvmlEventTypeXidCriticalError, events)
        self.events = events

    def hear(self) -> None:
        """Take the Xid events that have come since, without waiting."""
        for _ in range(64 if self.events is not None else 0):
            event = self.ask(self.nvml.nvmlEventSetWait, self.events, 0)
            if event is None:
                return
            index = self.ask(self.nvml.nvmlDeviceGetIndex, event.device)
            if index is not None:
                self.xids.setdefault(index, []).append(int(event.eventData))

    def sample(self) -> tuple[GpuSample, ...] | None:
        """Sample every device; None without a driver."""
        if self.absent:
            return None
        self.hear()
        return tuple(self.sample_one(index, handle) for index, handle in self.handles.items())

    def sample_one(self, index: int, handle: Any) -> GpuSample:
        """Sample one device."""
        nvml, ask = self.nvml, self.ask
        rates = ask(nvml.nvmlDeviceGetUtilizationRates, handle)
        memory = ask(nvml.nvmlDeviceGetMemoryInfo, handle)
        power_mw = ask(nvml.nvmlDeviceGetPowerUsage, handle)
        temperature_c = ask(nvml.nvmlDeviceGetTemperature, handle, nvml.NVML_TEMPERATURE_GPU)
        uncorrected, volatile = nvml.NVML_MEMORY_ERROR_TYPE_UNCORRECTED, nvml.NVML_VOLATILE_ECC
        return GpuSample(
            index=index,
            uuid=text_of(ask(nvml.nvmlDeviceGetUUID, handle)),
            name=text_of(ask(nvml.nvmlDeviceGetName, handle)),
            utilization=None if rates is None else rates.gpu / 100,
            memory_used_gib=None if memory is None else memory.used / 2**30,
            memory_total_gib=None if memory is None else memory.total / 2**30,
            power_w=None if power_mw is None else power_mw / 1000,
            temperature_c=temperature_c,
            ecc_uncorrected=ask(nvml.nvmlDeviceGetTotalEccErrors, handle, uncorrected, volatile),
            xids=tuple(self.xids.get(index, ())),
            processes=self.processes(index, handle),
        )

    def processes(self, index: int, handle: Any) -> tuple[GpuProcess, ...]:
        """List the processes that compute on a device, with their memory and their share of its time."""
        running = self.ask(self.nvml.nvmlDeviceGetComputeRunningProcesses, handle) or []
        since = self.last_seen.get(index, 0)
        shares = self.ask(self.nvml.nvmlDeviceGetProcessUtilization, handle, since) or []
        self.last_seen[index] = max((share.timeStamp for share in shares), default=since)
        newest = {share.pid: share.smUtil / 100 for share in sorted(shares, key=lambda share: share.timeStamp)}
        return tuple(
            GpuProcess(
                pid=one.pid,
                memory_gib=None if one.usedGpuMemory is None else one.usedGpuMemory / 2**30,
                utilization=newest.get(one.pid),
            )
            for one in running
        )

    def close(self) -> None:
        """Let go of the driver."""
        if not self.absent:
            self.ask(self.nvml.nvmlShutdown)


def text_of(value: str | bytes | None) -> str:
    """Give a name as text, whatever the binding's version returns."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value or ""
