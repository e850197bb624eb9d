"""Completes the list that cyclonedx-gomod wrote of a program: sbom.py FILE ZIG_VERSION.

It adds what is no module of Go, SQLite and musl, and drops the sums of the tool's own file, which differ by the machine.
"""
import json
import pathlib
import re
import subprocess
import sys

# The musl that comes with a zig: its source tells it nowhere.
MUSL = {"0.15.2": "1.2.5"}


def sqlite_version():
    module = subprocess.run(["go", "list", "-m", "-f", "{{.Dir}}", "github.com/mattn/go-sqlite3"], check=True, capture_output=True, text=True)
    header = pathlib.Path(module.stdout.strip(), "sqlite3-binding.h").read_text()
    return re.search(r'#define SQLITE_VERSION\s+"([^"]+)"', header)[1]


def component(name, version, licence):
    purl = f"pkg:generic/{name}@{version}"
    return {"bom-ref": purl, "type": "library", "name": name, "version": version, "licenses": [{"license": {"id": licence}}], "purl": purl}


def main(path, zig):
    file = pathlib.Path(path)
    bom = json.loads(file.read_text())
    for tool in bom["metadata"]["tools"]:
        tool.pop("hashes", None)
    others = [component("musl", MUSL[zig], "MIT"), component("sqlite", sqlite_version(), "blessing")]
    bom["components"] += others
    top = bom["metadata"]["component"]["bom-ref"]
    for row in bom["dependencies"]:
        if row["ref"] == top:
            row["dependsOn"] += [c["bom-ref"] for c in others]
    file.write_text(json.dumps(bom, indent=2) + "\n")


main(*sys.argv[1:])
