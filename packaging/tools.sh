# shellcheck shell=bash
# Fetches what makes the packages, at the versions below, into bin/tools. A tool that is there is not fetched again: its
# version is in its name.

TOOLS=$PWD/bin/tools
NFPM=$TOOLS/nfpm-v2.45.2 # the newest whose modules the Go proxy hands out
SBOM=$TOOLS/cyclonedx-gomod-v1.10.0
ZIG_VERSION=0.15.2 # requirements.txt has its sums, sbom.py its musl
ZIG=$TOOLS/ziglang-$ZIG_VERSION/ziglang/zig

fetch_tools() {
  for tool in git go python3; do
    command -v "$tool" >/dev/null || give_up "$tool is not here, and makes a part of the packages: install it"
  done
  mkdir -p "$TOOLS"
  [ -x "$ZIG" ] || fetch_zig
  [ -x "$NFPM" ] || fetch_go_tool github.com/goreleaser/nfpm/v2/cmd/nfpm "$NFPM"
  [ -x "$SBOM" ] || fetch_go_tool github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod "$SBOM"
}

# fetch_zig installs zig beside its place, so that a fetch that was cut off leaves none that looks whole.
fetch_zig() {
  local dir=${ZIG%/ziglang/zig}
  rm -rf "$dir.new"
  python3 -m pip install -q --disable-pip-version-check --root-user-action ignore --no-deps --require-hashes \
    --only-binary :all: --target "$dir.new" -r packaging/requirements.txt ||
    give_up "zig cannot be had from PyPI: pip's message above says why (it asks ${PIP_INDEX_URL:-the index that pip is set to})"
  rm -rf "$dir" && mv "$dir.new" "$dir"
}

# fetch_go_tool PACKAGE FILE installs a Go program at the version that ends the file's name.
fetch_go_tool() {
  local bin=$TOOLS/new
  env -u GOARCH -u GOOS GOBIN="$bin" CGO_ENABLED=0 GOFLAGS=-trimpath go install "$1@${2##*-}" ||
    give_up "${1##*/} ${2##*-} cannot be had through the Go module proxy ($(go env GOPROXY)): go's message above says why"
  mv "$bin/${1##*/}" "$2" && rmdir "$bin"
}

give_up() {
  printf 'release: %s\n' "$*" >&2
  exit 1
}
