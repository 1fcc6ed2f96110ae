"""Ask SchedMate as an assistant does, over the Model Context Protocol: `python examples/assistant.py`.

It starts `schedmate mcp` itself, as assistants do, and asks why a job died. It needs `pip install 'schedmate[mcp]'`.
"""

import asyncio
import sys
from pathlib import Path

from mcp import Client, StdioServerParameters

LOGS = Path(__file__).parent / "logs"


async def main() -> None:
    """Name the tools, and call one."""
    server = StdioServerParameters(command=sys.executable, args=["-m", "schedmate", "mcp", "--root", str(LOGS)])
    async with Client(server) as client:
        print("tools:", ", ".join(tool.name for tool in (await client.list_tools()).tools))
        answer = await client.call_tool("diagnose_log", {"path": "user_bug.log"})
        told = answer.structured_content or {}
        print(f"diagnose_log user_bug.log: {told['failure_id']} at line {told['root_line']}: {told['root_excerpt']}")


if __name__ == "__main__":
    asyncio.run(main())
