# A session as programs see it. Each line is run by itself, in one folder.
cp version -o json | sed 's/: ".*"/: "…"/'
cp status -o json
cp memory list -o json
git init -q . && mkdir -p src/auth && echo 'def login(): pass' >src/auth/login.py && git add . && git commit -qm 'The shop'
cp init --project shop -o json
cp memory add --title Deployment --summary "When you release or roll back" --label ops "Deploy from main only." -o json
cp memory add-sub Deployment --title "Old version" --summary "If users see the old version" --body "Restart the worker. See [[Deployment]]." -o json
cp memory add-sub Deployment --title Rollback --summary "When a release must go back" --decision "Never by hand" --rationale "It is slow" --meta team=ops --body "Use make rollback." -o json
cp memory add "Deploy from main only." -o json
cp memory add --title Entities --summary "When you look for a name" "Names." -o json
cp memory add-parent nothing -o json
mkdir -p memory/notes && echo '# Idea' >memory/notes/idea.md
cp memory sync --dry-run -o json
cp memory sync -o json
cp memory add-parent notes --summary "When you look for an idea" -o json
cp memory list -o json
cp memory list --label ops --roots -o jsonl
cp memory tree -o json
cp memory tree --stats --budget 200 -o json
cp memory prime -o json
cp memory show Rollback -o json
cp memory show Deployment --depth 1 -o json
cp memory path Rollback -o json
cp memory hot -o json
cp recall "users see the old page" -o json
cp memory recall "old version" --explain -o json
cp memory search worker -o json
cp memory guide "how to roll back" -o json
cp memory update Rollback --append "It takes a minute." --label slow -o json
cp memory update Rollback --section "No such" --body x -o json
cp memory update Rollback --status banana -o json
cp memory update Rollback --if-match 0000 --append x -o json
cp memory edit Rollback -o json
cp memory move Rollback Entities -o json
cp memory move Rollback Rollback -o json
cp memory promote Rollback -o json
cp memory log -o json
cp memory diff Rollback -o json
cp memory blame Rollback -o json
cp memory changes --since 24h -o json
cp memory undo --dry-run -o json
cp memory undo -o json
cp memory undo --force -o json
cp memory capture decision "Use PostgreSQL" --spec storage -o json
cp memory capture blocker "The disk is full" --spec storage -o json
cp memory capture banana "x" -o json
cp memory observe "The worker hangs when the clock is set" --session monday -o json
cp memory observe "the worker hangs, when the clock is set!" --session tuesday -o json
cp memory observe "Backups run at night" -o json
cp memory awareness -o json
cp memory context storage -o json
cp memory review -o json
cp memory approve "The worker hangs when the clock is set" -o json
cp memory merge-into "Backups run at night" "The worker hangs when the clock is set" -o json
cp memory deny "Backups run at night" --reason "not so" -o json
cp memory promote "The worker hangs when the clock is set" --to long-term --under Deployment --summary "When the worker hangs" -o json
cp memory promote "The worker hangs when the clock is set" --to core --target claude_md -o json
mkdir -p ~/.cp && echo "promotion: {to_core: {min_count: 2, min_days: 0}}" >~/.cp/config.yaml
cp memory promote "The worker hangs when the clock is set" --to core --target claude_md --approve -o json
cp memory demote "The worker hangs when the clock is set" -o json
cp memory supersede "Old version" Rollback -o json
cp memory resolve "Old version" -o json
cp memory defer Entities --until 2030-01-01 -o json
cp memory fact add Deployment --entity db1 -o json
cp memory fact add Deployment --relation "db2|replicates|db1" -o json
cp memory fact list Deployment -o json
cp memory graph db1 -o json
cp memory graph --map -o json
cp memory graph db1 -o svg | head -c 4
cp memory entities -o json
cp memory entity db1 -o json
cp memory search --nodes db1 -o json
cp memory fact remove Deployment --entity db2 -o json
cp memory extract Deployment -o json
cp memory summarize Deployment -o json
echo '[{"severity": "high", "file": "src/auth/login.py", "line": 1, "summary": "No check of the password", "category": "security"}]' >review.json && cp memory findings add review.json -o json
cp memory findings list -o json
cp memory findings plan -o json
cp memory findings patterns -o json
cp memory findings fix -o json
cp memory findings report -o json
cp memory findings resolve "No check of the password" --resolution "It is checked." -o json
echo '{"verb": "add", "title": "Batch", "summary": "When one writes much", "body": "Lines."}' | cp memory batch -o json
echo '{"verb": "add", "titel": "Batch"}' | cp memory batch -o json
cp memory export -o jsonl
mkdir old && echo '# Old notes' >old/n.md && cp memory import old --dry-run -o json
cp memory import old -o json
cp memory import --from banana old -o json
cp memory delete Batch -o json
cp memory delete Batch --force -o json
cp memory restore Batch -o json
cp memory delete Deployment -o json
cp memory show nothing-here -o json
cp memory show -o json
cp memory add -o json
cp memory banana -o json
cp memory list --limit 0 -o json
cp memory list -o banana
cp memory add --title Secret "AKIAIOSFODNN7EXAMPLE and aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" -o json
cp memory pull -o json
cp memory push -o json
cp memory verify -o json
cp memory gc --dry-run -o json
cp memory gc -o json
cp memory reindex -o json
cp memory status -o json
cp memory remember learning "A text." -o json
cp memory setup --list -o json
cp memory setup claude-code --dry-run -o json
cp setup claude-code --check -o json
cp memory hook start --agent claude-code </dev/null
cp memory mcp </dev/null
cp mcp </dev/null
cp shard list --limit 2 -o json
cp shard show src/auth/login.py -o json
cp shard edges Deployment -o json
cp project list -o json
cp project show -o json
cp project add . -o json
cp project scan . -o json
cp project prune -o json
cp admin embed-backfill -o json
cp admin embed-calibrate -o json
cp doctor -o json
cp doctor -o json | sed -n 's/.*"check": /- /p' | sort -u
git checkout -q --detach && cp memory capture learning "While detached" -o json
cp memory update Deployment --append x -o json
git checkout -q - && cp memory status -o json
cp memory handoff "It is done. Next: its tests." --to codex -o json
cp memory handoff -o json
echo '{"command": "view", "path": "/memories"}' | cp memory tool
mkdir -p src && printf 'def login():\n    return 1\n' >src/session.py
cp memory bind Deployment src/session.py#login -o json
cp memory about src/session.py -o json
cp memory stale -o json
cp memory list --about src/session.py -o json
printf 'def login():\n    return 2\n' >src/session.py
cp memory stale --diff -o json
cp memory stale --check
cp memory confirm Deployment -o json
cp memory unbind Deployment src/session.py#login -o json
cp memory reanchor --dry-run -o json
cp memory setup shell --shell bash -o json
cp setup shell --shell fish -o json
cp memory eject -o json
cp memory eject --yes -o json
cp memory sync -o json
cp memory undo --force -o json
cp demo --no-browser -o json
