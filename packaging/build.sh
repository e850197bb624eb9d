# shellcheck shell=bash
# Builds the program for one architecture of Linux: static, with musl, so that it runs on any. Two builds of a commit are one
# file: the versions of compilers are pinned, no path and no date is in it but the commit's.

export LC_ALL=C TZ=UTC
export GOTOOLCHAIN=go1.26.8 GOAMD64=v1 GOARM64=v8.0 GOEXPERIMENT='' GOOS=linux CGO_ENABLED=1
# Look-ups of names and users by Go's own code: libc's would depend on files of the system that musl does not read.
export GOFLAGS="-trimpath -buildvcs=false -mod=readonly -tags=sqlite_fts5,netgo,osusergo"
export CGO_CFLAGS=-O2 CGO_CPPFLAGS='' CGO_CXXFLAGS='' CGO_LDFLAGS=''
umask 022

# stamp VERSION prints what "cp-memory version" says: v0.1.0+385b8d8a.20261128, with the commit and its date.
stamp() {
  local changed=
  git diff --quiet HEAD || changed=.changed
  printf 'v%s+%s.%s%s' "$1" "$(git rev-parse --short=8 HEAD)" "$(git log -1 --format=%cd --date=format-local:%Y%m%d)" "$changed"
}

# build_program ARCH STAMP FILE. Go names its C compiler in what it caches, so that name is no path: clones share the cache.
build_program() {
  local target=x86_64-linux-musl
  [ "$1" = amd64 ] || target=aarch64-linux-musl
  PATH=$PWD/packaging:$PATH ZIG=$ZIG GOARCH=$1 CC="zigcc $target" go build -o "$3" \
    -ldflags "-s -w -buildid= -linkmode external -extldflags '-static -s' -X main.version=$2" ./cmd/cp-memory
}

# write_sbom VERSION ARCH PROGRAM FILE lists what is in the program (CycloneDX), from what Go wrote into it.
write_sbom() {
  env -u GOFLAGS "$SBOM" bin -json -std -noserial -notimestamp -version "v$1" -output "$4" "$3" 2>"$4.log" ||
    { cat "$4.log" >&2; give_up "the list of what is in the program could not be written"; }
  rm "$4.log"
  GOARCH=$2 python3 packaging/sbom.py "$4" "$ZIG_VERSION"
}
