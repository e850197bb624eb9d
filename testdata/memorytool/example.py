"""Claude with a memory that git keeps: one `cp-memory tool` answers the commands of the memory tool.

    pip install anthropic
    python example.py "Remember that I like coffee."
"""

import json
import os
import subprocess
import sys

from anthropic import Anthropic
from anthropic.tools import ToolError
from anthropic.tools.memory import BetaAbstractMemoryTool


class GitMemory(BetaAbstractMemoryTool):
    def __init__(self, *options: str):
        super().__init__()
        self.process = subprocess.Popen(["cp-memory", "tool", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")

    def answer(self, command):
        print(command.to_json(indent=None), file=self.process.stdin, flush=True)
        result = json.loads(self.process.stdout.readline())
        if result.get("is_error"):
            raise ToolError(result["content"])
        return result["content"]

    view = create = str_replace = insert = delete = rename = answer


runner = Anthropic().beta.messages.tool_runner(
    model=os.environ.get("MODEL", "claude-sonnet-5-5"),
    max_tokens=4096,
    tools=[GitMemory("--agent", "example")],
    messages=[{"role": "user", "content": sys.argv[1]}],
)
for block in runner.until_done().content:
    if block.type == "text":
        print(block.text)
