"""What NVML knows of a GPU's health: is it there, does its memory err, is it too hot. Nothing is run on it."""

from collections.abc import Sequence

from schedmate.tools.gpus import Gpus

HOT_C = 95
"""Too hot for any board, where this one does not tell its own limit."""
THROTTLES = {
    "nvmlClocksThrottleReasonHwThermalSlowdown": "is slowed down by its heat",
    "nvmlClocksThrottleReasonHwPowerBrakeSlowdown": "is slowed down by its power supply",
}


def ailments(gpus: Gpus, devices: Sequence[int]) -> dict[int, list[str]]:
    """List what is wrong with each of these GPUs; one with an empty list is well as far as the driver tells."""
    samples = {one.index: one for one in gpus.sample() or ()}
    told: dict[int, list[str]] = {}
    for device in devices:
        sample = samples.get(device)
        if sample is None or sample.memory_total_gib is None:
            told[device] = [f"GPU {device} is lost" if is_lost(gpus, device) else f"GPU {device} does not answer"]
            continue
        wrong = [f"GPU {device}: Xid {xid}" for xid in sample.xids]
        if sample.ecc_uncorrected:
            wrong.append(f"GPU {device}: {sample.ecc_uncorrected} uncorrected ECC errors")
        told[device] = [*wrong, *memory_rows(gpus, device), *heat(gpus, device, sample.temperature_c)]
    return told


def is_lost(gpus: Gpus, device: int) -> bool:
    """Ask again for the reason: a GPU that has fallen off the bus is told apart from one that is not there."""
    nvml = gpus.nvml
    try:
        nvml.nvmlDeviceGetMemoryInfo(nvml.nvmlDeviceGetHandleByIndex(device))
    except nvml.NVMLError as error:
        return bool(error.value == nvml.NVML_ERROR_GPU_IS_LOST)
    return False


def memory_rows(gpus: Gpus, device: int) -> list[str]:
    """Ask whether broken rows of memory could be replaced; those that wait for a reset count, too."""
    handle = gpus.handles[device]
    rows = gpus.ask(gpus.nvml.nvmlDeviceGetRemappedRows, handle)
    if rows is None:
        pending = gpus.ask(gpus.nvml.nvmlDeviceGetRetiredPagesPendingStatus, handle)
        return [f"GPU {device}: pages of its memory wait for a reset to be retired"] if pending else []
    _, _, is_pending, has_failed = rows
    if has_failed:
        return [f"GPU {device}: a row of its memory could not be remapped"]
    return [f"GPU {device}: a row of its memory waits for a reset to be remapped"] if is_pending else []


def heat(gpus: Gpus, device: int, temperature_c: float | None) -> list[str]:
    """Compare with the board's own limit, and ask what holds its clocks back."""
    nvml, handle = gpus.nvml, gpus.handles[device]
    limit_c = gpus.ask(nvml.nvmlDeviceGetTemperatureThreshold, handle, nvml.NVML_TEMPERATURE_THRESHOLD_SLOWDOWN)
    limit_c = limit_c or HOT_C
    reasons = gpus.ask(nvml.nvmlDeviceGetCurrentClocksThrottleReasons, handle) or 0
    wrong = [f"GPU {device} {words}" for name, words in THROTTLES.items() if reasons & getattr(nvml, name, 0)]
    if temperature_c is not None and temperature_c >= limit_c:
        wrong.append(f"GPU {device}: {temperature_c:.0f} C, its limit is {limit_c} C")
    return wrong
