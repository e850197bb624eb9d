"""Prints the licences of all that is linked into the program: licences.py ZIG. Each text stands once, below those who use it.

Modules come from the go command, with the files of licences in the folders of the linked packages and above them. What is no
module comes after: Go's own library and run-time, musl, and what zig adds for the compiler.
"""
import collections
import pathlib
import re
import subprocess
import sys

LICENCE = re.compile(r"(?i)^(licen[cs]e|copying|copyright|notice|patents)([-._].*)?$")
FORMAT = "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}\t{{$.Dir}}{{end}}{{end}}"
HEAD = """\
The program cp memory contains the work of others. Their licences follow, each below the names of what it is for. SQLite,
which is in github.com/mattn/go-sqlite3, is in the public domain.
"""


def go(*args):
    return subprocess.run(["go", *args], check=True, capture_output=True, text=True).stdout


def licences_in(folder):
    return [f for f in sorted(folder.iterdir()) if LICENCE.match(f.name) and f.is_file() and f.suffix != ".go"]


def of_modules():
    """Yields names of modules with each file of a licence that covers a linked package."""
    for line in sorted(set(go("list", "-deps", "-f", FORMAT, "./cmd/cp-memory").split("\n")) - {""}):
        name, top, folder = line.split("\t")
        top, folder = pathlib.Path(top), pathlib.Path(folder)
        yield from ((name, f) for f in licences_in(top))
        while folder != top:
            yield from ((name, f) for f in licences_in(folder))
            folder = folder.parent


def of_others(zig):
    lib = pathlib.Path(zig).parent
    yield "Go's library and run-time", pathlib.Path(go("env", "GOROOT").strip(), "LICENSE")
    yield "musl", lib / "lib/libc/musl/COPYRIGHT"
    yield "zig's compiler-rt", lib / "LICENSE"


def main(zig):
    users, licensed = collections.defaultdict(list), set()
    for name, file in [*of_modules(), *of_others(zig)]:
        text = file.read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n").strip("\n")
        licensed.add(name)
        if name not in users[text]:
            users[text].append(name)
    noticed = re.findall(r"(?m)^(\S+/\S+ v\S+) [A-Z]\S+$", pathlib.Path("NOTICE").read_text())
    if bare := set(noticed) - licensed:
        sys.exit(f"licences: no text of a licence is found for {', '.join(sorted(bare))}")
    print(HEAD)
    for text, names in users.items():
        print("=" * 100, *names, "-" * 100, text, "", sep="\n")


main(*sys.argv[1:])
