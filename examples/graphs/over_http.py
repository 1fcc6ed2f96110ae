"""Ask a LangGraph server that runs SchedMate's graphs: `langgraph dev --no-browser`, then this in another shell."""

import json
import sys
import urllib.request
from pathlib import Path
from typing import Any


def ask(url: str, graph: str, given: dict[str, Any]) -> dict[str, Any]:
    """Run one graph to its end; its inputs are named as the verbs' parameters."""
    body = json.dumps({"assistant_id": graph, "input": given, "context": {"engine": "auto"}}).encode()
    request = urllib.request.Request(f"{url}/runs/wait", body, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=300) as answer:
        found: dict[str, Any] = json.load(answer)
    return found


if __name__ == "__main__":
    url = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:2024"
    log = Path(__file__).resolve().parent.parent / "logs" / "user_bug.log"
    diagnosis = ask(url, "diagnose", {"path": str(log)})["diagnosis"]
    print(diagnosis["failure_id"], diagnosis["root_line"], diagnosis["root_excerpt"])
