#!/usr/bin/env bash
# Prints version=0.1.0 for the tag v0.1.0, if that is the topmost version of the changelog; v0.1.0-rc.1 is a candidate of it.
# packaging/check-tag.sh TAG
set -euo pipefail
cd "$(dirname "$0")/.."
tag=${1:-}
[[ $tag =~ ^v[0-9]+\.[0-9]+\.[0-9]+(-rc\.[0-9]+)?$ ]] || { echo "check-tag: '$tag' is no tag of a version, as v0.1.0 is" >&2; exit 1; }
version=${tag#v}
newest=$(sed -n 's/^## \[\([0-9.]*\)\].*/\1/p' CHANGELOG.md | head -n 1)
[ "${version%-rc.*}" = "$newest" ] || { echo "check-tag: the tag says $version; the topmost version of CHANGELOG.md is $newest" >&2; exit 1; }
if [ "$version" = "$newest" ] && grep -q "^## \[$newest\].*unreleased" CHANGELOG.md; then
  echo "check-tag: CHANGELOG.md calls $newest unreleased; it has no date yet" >&2
  exit 1
fi
echo "version=$version"
