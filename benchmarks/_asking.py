"""Ask an index that lies on the disk, as a process of its own: what it costs to start, to ask, and to hold.

`python -m benchmarks._asking FOLDER QUESTIONS.npy` prints one line of JSON.
"""

import json
import sys
import time
from pathlib import Path

import numpy as np

from schedmate.history.vector_index import open_vectors


def most_memory_mb() -> float:
    """Give the most memory that this program held; what getrusage tells includes its parent's."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def answers(folder: Path, questions: Path) -> dict[str, object]:
    """Open, ask each question once, then all again; CPU time of all threads, and the clock beside it."""
    asked = np.load(questions)
    began = time.process_time(), time.perf_counter()
    with open_vectors(folder, "benchmark", asked.shape[1]) as index:
        index.nearest(asked[0], 3)
        figures = {
            "start_cpu_s": time.process_time() - began[0],
            "start_s": time.perf_counter() - began[1],
        }
        for way in ("once", "again"):
            cpu_ms, wall_ms, found = [], [], []
            for question in asked:
                before = time.process_time(), time.perf_counter()
                found.append([number for number, _ in index.nearest(question, 3)])
                wall_ms.append((time.perf_counter() - before[1]) * 1000)
                cpu_ms.append((time.process_time() - before[0]) * 1000)
            for unit, took in (("cpu", cpu_ms), ("wall", wall_ms)):
                figures |= {f"{way}_{unit}_p{share}": float(np.percentile(took, share)) for share in (50, 99)}
        figures["memory_mb"] = most_memory_mb()
        return {"figures": figures, "found": found}


if __name__ == "__main__":
    print(json.dumps(answers(Path(sys.argv[1]), Path(sys.argv[2]))))
