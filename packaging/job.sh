#!/usr/bin/env bash
# The main job, with a program as it was installed: packaging/job.sh PROGRAM [WORD...]. In a new vault of a new person it makes,
# finds, changes and moves memories, takes up an edit by hand, checks all, and lets a client of the protocol ask the server.
# Each answer is looked at. It prints a line at the end, or what was wrong.
set -euo pipefail
clients=$(cd "$(dirname "$0")/.." && pwd)/bin/clients/node_modules/.bin
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset CP_VAULT CP_PROJECT CP_AGENT "${!GIT_@}"
export HOME=$scratch/home XDG_CONFIG_HOME=$scratch/home/.config GIT_CONFIG_NOSYSTEM=1 NO_COLOR=1
program=("$@")

# expect PATTERN WORD... runs the words and wants the pattern in what they print.
expect() {
  local pattern=$1 got
  shift
  got=$("$@" 2>&1 </dev/null) || { printf 'job: exit %d: %s\n%s\n' $? "$*" "$got" >&2; exit 1; }
  grep -qE -- "$pattern" <<<"$got" || { printf 'job: no "%s" from: %s\n%s\n' "$pattern" "$*" "$got" >&2; exit 1; }
  printf '%s' "$got"
}
memory() { expect "$1" "${program[@]}" "${@:2}" >/dev/null; }
add() { expect '^Created memory' "${program[@]}" add "$1" --title "$2" --summary "$3" | awk '{print $3}'; }
ask() { expect "$1" "$clients/node" "$clients/inspector" --cli "${program[@]}" mcp --format json --method "${@:2}" >/dev/null; }

[ -x "$clients/inspector" ] || { echo "job: no client of the protocol is here: make clients" >&2; exit 1; }
mkdir -p "$HOME" "$scratch/vault" && cd "$scratch/vault"
git config --global user.name "A Person"
git config --global user.email person@example.org
git init -q
memory '^cp version v[0-9.]+' version
memory '^Initialized memory vault' init --prefix pk
gateway=$(add "It restarts last." Gateway "When you release")
token=$(add "A token lives 15 minutes." "Token lifetime" "When you change how long a session lasts")
memory 'Token lifetime' recall "how long does a session last" --limit 1
memory "$token" update "$token" --body "A token lives 20 minutes."
memory "$token" move "$token" "$gateway"
printf '# Worker\n\nAsk before you restart it.\n' >worker.md
memory '^Sync' sync
memory 'Ask before' show worker.md
memory 'CONSISTENT' verify

ask '"memory_recall"' tools/list
ask 'Created|pk-' tools/call --tool-name memory_add --tool-arg title=Cache --tool-arg body="It caches pages." --tool-arg summary="If a page is old"
ask 'caches pages' tools/call --tool-name memory_recall --tool-arg query="old page" --tool-arg limit=3
memory 'CONSISTENT' verify
[ -z "$(git status --porcelain)" ] || { echo "job: the vault is not clean" >&2; git status --short >&2; exit 1; }
echo "did the main job: $("${program[@]}" version | sed -n 1p), $(git rev-list --count HEAD) commits"
