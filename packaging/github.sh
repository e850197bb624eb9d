#!/usr/bin/env bash
# Makes the release of a tag on GitHub, with what dist/ holds and what the changelog says: packaging/github.sh VERSION.
# It takes gh, and its GH_TOKEN.
set -euo pipefail
cd "$(dirname "$0")/.."
version=$1
flags=()
[[ $version != *-* ]] || flags=(--prerelease)
awk -v head="## [${version%-rc.*}]" 'index($0, head) == 1 {on = 1; next} on && /^## \[/ {exit} on' CHANGELOG.md |
  gh release create "v$version" --verify-tag --title "v$version" --notes-file - "${flags[@]}" dist/*
