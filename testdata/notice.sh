#!/usr/bin/env bash
# Prints NOTICE: the modules that are linked into the program, with version and licence. The licences are what go-licenses
# (v1.6.0) recognises in the modules' own files.
set -euo pipefail
cd "$(dirname "$0")/.."
export GOFLAGS=-tags=sqlite_fts5
licences=$(go run github.com/google/go-licenses@v1.6.0 csv ./cmd/cp --ignore github.com/cp-memory/cp 2>/dev/null)
cat <<'END'
cp memory
Licensed under the Apache License, Version 2.0; see LICENSE.

The program contains the modules below, with their licences. SQLite, which is in go-sqlite3, is in the public domain. Of
modules under MPL-2.0 the source is at the module's path, unchanged.

END
go list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{end}}{{end}}' ./cmd/cp | LC_ALL=C sort -u |
  while read -r path version; do
    licence=$(awk -F, -v m="$path" '$1 == m || index($1, m "/") == 1 {print $3; exit}' <<<"$licences")
    printf '%s %s %s\n' "$path" "$version" "${licence:?"no licence is known of $path"}"
  done
