#!/usr/bin/env bash
# The main job, shown on the bundled sample: run by `make demo`, which builds bin/cp first.
# Every command is printed as a person would type it. The vault stays in demo/handbook for looking at.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

program=$PWD/bin/cp sample=$PWD/testdata/sample demo=$PWD/demo
[ -x "$program" ] || { echo "bin/cp is missing: run make demo" >&2; exit 1; }
if [ -e "$demo" ]; then
  [ -f "$demo/.cp-memory-demo" ] || { echo "$demo was not made by this demo: move it away first" >&2; exit 1; }
  rm -rf "$demo"
fi
mkdir -p "$demo/home" "$demo/bin"
echo "made by testdata/demo.sh, which removes the whole folder when it starts" > "$demo/.cp-memory-demo"
ln -s "$program" "$demo/bin/cp"
ln -s "$sample" "$demo/sample"

# Nothing of the person at the machine takes part: neither settings nor a vault nor git's configuration.
unset CP_VAULT CP_PROJECT "${!GIT_@}"
export HOME=$demo/home XDG_CONFIG_HOME=$demo/home/.config GIT_CONFIG_NOSYSTEM=1 CP_AGENT=demo PATH=$demo/bin:$PATH PAGER=cat
git config --global user.name "Demo Person"
git config --global user.email demo@example.com
git config --global init.defaultBranch main
git config --global core.quotePath false

say() { printf '\n\n# %s\n' "$*"; }
run() {
  printf '\n$ %s\n' "$1"
  eval "$1"
}

cd "$demo"
say "A vault is a folder of Markdown in a git repository."
run 'git init -q handbook && cd handbook'
run 'cp init'

say "Any tree of Markdown comes in as it stands, in one commit. First the plan, then the deed, then again: a second run changes nothing."
run 'cp memory import ../sample --dry-run | tail -n 4'
run 'cp memory import ../sample | tail -n 4'
run 'cp memory import ../sample | tail -n 1'
run 'cp memory tree --max-depth 1'

say "A child has a trigger phrase: when does one need it? It is written to the child and to the pointer block of its parent, in one commit."
run 'cp memory add-sub deployment.md --title "Maintenance window" --label deployment --summary "When users must be told of downtime beforehand" --body "Announce 48 hours ahead on the status page. Tuesdays, 06:00 to 07:00 UTC."'
run 'cp memory add-sub deployment/troubleshooting.md --title "Artifact checksum" --summary "If a job fails with a checksum mismatch after a rebuild" --body "CI rebuilt the tag, so the file changed under the same name. Never rebuild a tag: make a new one."'
run 'tail -n 12 deployment.md'
run 'git show --stat --format="%an: %s" HEAD'

say "Read one memory; its pointers say where to go on. With --depth its children are unfolded."
run 'cp memory show deployment.md'
run 'cp memory show deployment/troubleshooting.md --depth 1 | sed -n 1,40p'

say "Search knows words, identifiers and scripts without spaces."
run 'cp memory search "disk full inodes" --limit 3'
run 'cp memory search "数据库迁移" --limit 3'
run 'cp memory search "pg_blocking_pids" --limit 1 -o json'

say "Move a memory, with all below it. Both parents change in the same commit; the phrase goes along."
run 'cp memory move deployment/windows-agents.md docs/operations/_index.md'
run 'git show --stat --format="%s" HEAD'

say "Work on the files by hand, with any tool: move one, edit one, write one without any front matter, delete one."
run 'mv notes/2026/http-caching.md docs/operations/'
run 'sed "s/^title: Rollback/title: Roll back a release/" deployment/rollback.md > rollback.tmp && mv rollback.tmp deployment/rollback.md'
run 'printf "# Pager etiquette\n\nAcknowledge within five minutes, also when you cannot help: somebody else stops waiting.\n" > docs/operations/pager.md'
run 'rm git-recovery/detached-head.md'
run 'cp memory sync --dry-run'
run 'cp memory sync'
run 'cp memory sync'
run 'cp memory update docs/operations/http-caching.md --summary "When something is cached and should not be, or the other way round"'
run 'cp memory update docs/operations/pager.md --summary "When the pager goes off"'
run 'tail -n 9 docs/operations/_index.md'

say "The edit of rollback.md is still yours to commit: no command swept it into a commit of its own."
run 'git diff --stat'

say "What is read more often than its parent is a candidate for promotion."
run 'for i in 1 2 3; do cp memory show deployment/troubleshooting/nomad-stuck.md > /dev/null; done'
run 'cp memory hot'
run 'cp memory tree deployment.md --stats'
run 'cp memory promote deployment/troubleshooting/nomad-stuck.md'

say "The index is a mirror: delete it, and the next command makes it anew. What counts is in git."
run 'rm .cp/index.db*'
run 'cp memory list --roots --limit 5'
run 'cp doctor'
run 'git log --oneline'
run 'git fsck --strict'

say "And cp is still cp."
run 'cp -r deployment ../copy && ls ../copy'

cat <<END


The vault is in $demo/handbook. To look at it:

    cd $demo/handbook && PATH=$demo/bin:\$PATH
    cp memory tree
    cp memory browse
    cp help
END
