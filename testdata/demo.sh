#!/usr/bin/env bash
# The main job, shown on the bundled sample: run by `make demo`, which builds bin/cp first.
# Every command is printed as a person would type it. The vault stays in demo/handbook for looking at.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

program=$PWD/bin/cp demo=$PWD/demo
[ -x "$program" ] || { echo "bin/cp is missing: run make demo" >&2; exit 1; }
if [ -e "$demo" ]; then
  [ -f "$demo/.cp-memory-demo" ] || { echo "$demo was not made by this demo: move it away first" >&2; exit 1; }
  rm -rf "$demo"
fi
mkdir -p "$demo/home" "$demo/bin"
echo "made by testdata/demo.sh, which removes the whole folder when it starts" > "$demo/.cp-memory-demo"
ln -s "$program" "$demo/bin/cp"

# Nothing of the person at the machine takes part: neither settings nor a vault nor git's configuration.
unset CP_VAULT CP_PROJECT "${!GIT_@}"
export HOME=$demo/home XDG_CONFIG_HOME=$demo/home/.config GIT_CONFIG_NOSYSTEM=1 CP_AGENT=demo PATH=$demo/bin:$PATH PAGER=cat
git config --global user.name "Demo Person"
git config --global user.email demo@example.com
git config --global init.defaultBranch main
git config --global core.quotePath false

say() { printf '\n# %s\n' "$*"; }
run() {
  printf '\n$ %s\n' "$1"
  eval "$1"
}

cd "$demo"
say "Any folder of Markdown becomes a vault: a git repository in which each file is a memory."
run 'cp -r ../cmd/internal/demo/sample handbook && cd handbook && git init -q'
run 'cp init | head -n 1'
run 'cp memory sync | head -n 1'
run 'cp memory tree --max-depth 1 | head -n 6'

say "An agent begins with the roots, and when one needs each. It goes down only where a phrase fits."
run 'cp memory prime --budget 600 | sed -n 7,10p'
run 'cp memory show deployment/troubleshooting.md | tail -n 4'
run 'cp recall "users still see the old version after a deploy" --limit 1'

say "What it learns is one commit, with its name. The phrase stands in the child and in its parent."
run 'CP_AGENT=mycroft cp memory add-sub deployment/troubleshooting.md --title "Artifact checksum" --summary "If a job fails with a checksum mismatch" --body "CI rebuilt the tag. Never rebuild a tag: make a new one."'
run 'git log -1 --format="%an: %s"'

say "People work on the files with any tool; sync takes it up. What you only typed stays yours to commit."
run 'mv notes/2026/http-caching.md docs/operations/'
run 'printf "\nAsk before you roll back.\n" >>deployment/rollback.md'
run 'cp memory sync'
run 'git status --short deployment'

say "Anything can be taken back, by one commit."
run 'cp memory undo --force'

say "What is seen often waits for a person's decision, and goes up to CLAUDE.md if it is worth it."
run 'cp memory observe "The worker hangs when the clock is set" --session monday'
run 'cp memory observe "the worker hangs, when the clock is set!" --session tuesday'
run 'cp memory review | head -n 8'
run 'cp memory approve "The worker hangs when the clock is set"'

say "One command connects an agent (here in a home of the demo's own), another one shows all of it in a browser."
run 'cp memory setup claude-code --yes | head -n 5'
printf '\n$ cp memory browse\n'
cp memory browse >../browse.txt 2>&1 &
until [ -s ../browse.txt ] || ! kill -0 $! 2>/dev/null; do sleep .1; done
head -n 2 ../browse.txt
kill $! 2>/dev/null || true
wait $! 2>/dev/null || true

say "The index is a mirror: delete it, and the next command makes it anew. And cp is still cp."
run 'rm .cp/index.db*'
run 'cp memory search "pg_blocking_pids" --limit 1'
run 'cp -r deployment ../copy && ls ../copy | wc -l'

cat <<END

The vault is in $demo/handbook. To look at it:

    cd $demo/handbook && PATH=$demo/bin:\$PATH
    cp memory tree; cp memory browse; cp help
END
