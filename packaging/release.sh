#!/usr/bin/env bash
# Makes all packages of a version into dist/: packaging/release.sh VERSION [ARCH...]. Without ARCH, amd64 and arm64. It asks the
# Go module proxy and PyPI for the tools that bin/tools lacks, and nothing else. The same commit gives the same bytes.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=packaging/tools.sh
. packaging/tools.sh
# shellcheck source=packaging/build.sh
. packaging/build.sh

version=${1:-}
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+(-rc\.[0-9]+)?$ ]] || give_up "say which version, as in: packaging/release.sh 0.1.0"
shift
[ $# -gt 0 ] || set -- amd64 arm64
for arch; do [[ $arch =~ ^(amd64|arm64)$ ]] || give_up "$arch is not built for: amd64 and arm64 are"; done
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
dist=$PWD/dist work=$PWD/dist/.work

# pack DIR FILE NAME makes a tar.gz of the folder's files, in which nothing tells of this machine or this minute.
pack() {
  (cd "$1" && find "$3" -type f | sort) |
    tar -C "$1" -T - --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --format=ustar -cf - | gzip -9n >"$2"
}

# manual makes the man pages, gzipped as systems want them, and the completions of four shells.
manual() {
  GOARCH='' CGO_ENABLED=0 go run ./cmd/manual -version "v$version" "$work/manual"
  gzip -9n "$work"/manual/man/*/*
}

# stage ARCH lays out what every package of it holds.
stage() {
  local dir=$work/$1
  mkdir -p "$dir"
  build_program "$1" "$(stamp "$version")" "$dir/cp-memory"
  cp LICENSE NOTICE "$work/THIRD_PARTY_LICENSES" "$dir/"
  cp -R "$work/manual/man" "$work/manual/completions" "$dir/"
  cat "$dir/NOTICE" "$dir/LICENSE" "$dir/THIRD_PARTY_LICENSES" >"$dir/copyright"
  find "$dir" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
}

archive() {
  local name=cp-memory_${version}_linux_$1
  mkdir "$work/$name"
  cp -pR "$work/$1"/{cp-memory,LICENSE,NOTICE,THIRD_PARTY_LICENSES,man,completions} "$work/$name/"
  pack "$work" "$dist/$name.tar.gz" "$name"
  write_sbom "$version" "$1" "$work/$1/cp-memory" "$dist/$name.cdx.json"
}

system_packages() {
  for kind in deb rpm apk archlinux; do
    ARCH=$1 VERSION=$version STAGE=$work/$1 "$NFPM" package -f packaging/nfpm.yaml -p "$kind" -t "$dist" >/dev/null
  done
}

# npm_package NAME JSON CPU FILE... packs the files for npm: a tarball with all in the folder "package", programs in its bin.
npm_package() {
  local name=$1 json=$2 cpu=$3 dir=$work/npm-$1/package
  shift 3
  mkdir -p "$dir/bin"
  sed "s/@VERSION@/$version/; s/@CPU@/$cpu/" "packaging/npm/$json" >"$dir/package.json"
  install -m 755 "$1" "$dir/bin/"
  cp LICENSE NOTICE "$dir/"
  [ $# -eq 1 ] || cp "${@:2}" "$dir/"
  pack "$dir/.." "$dist/$name-$version.tgz" package
}

npm_platform() {
  local cpu=x64
  [ "$1" = amd64 ] || cpu=arm64
  npm_package "cp-memory-linux-$cpu" platform.json "$cpu" "$work/$1/cp-memory" "$work/THIRD_PARTY_LICENSES"
}

wheel() {
  local cpu=x86_64
  [ "$1" = amd64 ] || cpu=aarch64
  python3 packaging/wheel.py "$version" "manylinux_2_17_$cpu.musllinux_1_1_$cpu" "$work/$1" "$dist"
}

# fill FILE replaces @VERSION@ and the sums of the archives; an architecture that was not built has none.
fill() {
  local sum=()
  for arch in amd64 arm64; do
    sum+=(-e "s/@SHA256_$arch@/$(sum_of "$dist/cp-memory_${version}_linux_$arch.tar.gz")/")
  done
  sed -e "s/@VERSION@/$version/g" "${sum[@]}" "packaging/$1" >"$dist/$1"
}

sum_of() { [ ! -f "$1" ] || sha256sum "$1" | cut -d ' ' -f 1; }

fetch_tools
rm -rf "$dist" && mkdir -p "$work"
GOARCH=amd64 python3 packaging/licences.py "$ZIG" >"$work/THIRD_PARTY_LICENSES"
manual
for arch; do
  stage "$arch"
  for make in archive system_packages npm_platform wheel; do "$make" "$arch"; done
done
npm_package cp-memory package.json - packaging/npm/cp-memory.js README.md
fill install.sh && chmod 755 "$dist/install.sh"
fill cp-memory.rb
rm -rf "$work"
(cd "$dist" && sha256sum -- * >SHA256SUMS && cat SHA256SUMS)
