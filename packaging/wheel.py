"""Writes a wheel whose only file of use is the program: wheel.py VERSION PLATFORM STAGE OUT.

STAGE is the folder with cp-memory and its licences. pip puts what is in .data/scripts on the PATH, so no Python runs
between. The same input makes the same bytes: dates are fixed, the order is that of the code.
"""
import base64
import hashlib
import pathlib
import re
import sys
import zipfile

# The registry of MCP servers finds its name for the package in the last line.
METADATA = """\
Metadata-Version: 2.4
Name: cp-memory
Version: {version}
Summary: Git-backed memory for AI agents and the people beside them
License-Expression: Apache-2.0
License-File: LICENSE
License-File: NOTICE
License-File: THIRD_PARTY_LICENSES
Project-URL: Homepage, https://github.com/cp-memory/cp
Requires-Python: >=3.8
Description-Content-Type: text/markdown

# cp memory

Markdown files in a tree, one commit per write, an index that can be thrown away. It needs git.

    uvx cp-memory mcp      # the server for agents
    uvx cp-memory help

<!-- mcp-name: io.github.cp-memory/cp -->
"""
WHEEL = "Wheel-Version: 1.0\nGenerator: cp-memory\nRoot-Is-Purelib: false\n"


def entry(path, mode):
    info = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
    info.create_system = 3  # Unix, so that the mode counts
    info.external_attr = (0o100000 | mode) << 16
    info.compress_type = zipfile.ZIP_DEFLATED
    return info


def record(path, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{path},sha256={digest},{len(data)}\n"


def main(version, platform, stage, out):
    version = re.sub(r"-rc\.", "rc", version)  # as PEP 440 writes it
    name, stage = f"cp_memory-{version}", pathlib.Path(stage)
    about = f"{name}.dist-info"
    tags = "".join(f"Tag: py3-none-{p}\n" for p in platform.split("."))
    files = [(f"{name}.data/scripts/cp-memory", 0o755, (stage / "cp-memory").read_bytes())]
    for licence in ("LICENSE", "NOTICE", "THIRD_PARTY_LICENSES"):
        files.append((f"{about}/licenses/{licence}", 0o644, (stage / licence).read_bytes()))
    files.append((f"{about}/METADATA", 0o644, METADATA.format(version=version).encode()))
    files.append((f"{about}/WHEEL", 0o644, (WHEEL + tags).encode()))
    lines = "".join(record(path, data) for path, _, data in files) + f"{about}/RECORD,,\n"
    files.append((f"{about}/RECORD", 0o644, lines.encode()))
    with zipfile.ZipFile(f"{out}/{name}-py3-none-{platform}.whl", "w") as wheel:
        for path, mode, data in files:
            wheel.writestr(entry(path, mode), data, compresslevel=9)


main(*sys.argv[1:])
