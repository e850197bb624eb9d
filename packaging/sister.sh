#!/usr/bin/env bash
# Commits files of a release into another repository of ours: packaging/sister.sh REPOSITORY FOLDER FILE...
# VERSION is the version. Without SISTERS_TOKEN, which may write there, it says so and does nothing.
set -euo pipefail
repository=$1 folder=$2
shift 2
[ -n "${SISTERS_TOKEN:-}" ] || { echo "sister: no SISTERS_TOKEN, so cp-memory/$repository stays as it is"; exit 0; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# The token goes to git by the environment: an argument could be read by others.
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=http.https://github.com/.extraheader
GIT_CONFIG_VALUE_0="Authorization: Basic $(printf 'x-access-token:%s' "$SISTERS_TOKEN" | base64 -w 0)"
export GIT_CONFIG_VALUE_0
git clone -q --depth 1 "https://github.com/cp-memory/$repository" "$scratch/to"
mkdir -p "$scratch/to/$folder"
cp -R "$@" "$scratch/to/$folder/"
cd "$scratch/to"
git add -A
git diff --cached --quiet && { echo "sister: cp-memory/$repository has it already"; exit 0; }
git -c user.name="cp memory" -c user.email=cp-memory@users.noreply.github.com commit -qm "cp-memory $VERSION"
git push -q
