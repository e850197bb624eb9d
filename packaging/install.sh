#!/bin/sh
# Installs cp-memory @VERSION@: curl -fsSL https://github.com/cp-memory/cp/releases/latest/download/install.sh | sh
# It goes into ~/.local/bin, or into the folder that CP_MEMORY_BIN names. CP_MEMORY_FROM names another place to load it from: an
# address, or a folder. What was loaded is used only if its sha256 is the one below; nothing else is written or changed.
set -eu

version='@VERSION@'
sum_amd64='@SHA256_amd64@'
sum_arm64='@SHA256_arm64@'

give_up() {
  printf 'install.sh: %s\n' "$1" >&2
  [ -z "${2:-}" ] || printf 'Hint: %s\n' "$2" >&2
  exit 1
}

# choose sets arch, and the sum of its archive.
choose() {
  [ "$(uname -s)" = Linux ] || give_up "there is no program for $(uname -s) yet, only for Linux" "the source builds elsewhere: https://github.com/cp-memory/cp#install"
  case $(uname -m) in
    x86_64 | amd64) arch=amd64 sum=$sum_amd64 ;;
    aarch64 | arm64) arch=arm64 sum=$sum_arm64 ;;
    *) give_up "there is no program for $(uname -m), only for x86_64 and aarch64" "the source builds elsewhere: https://github.com/cp-memory/cp#install" ;;
  esac
  [ -n "$sum" ] || give_up "this install.sh was made without the program for $arch" "take the one of a release"
}

# load ADDRESS FILE
load() {
  case $1 in
    http://* | https://*)
      if command -v curl >/dev/null; then curl -fsSL --retry 3 -o "$2" "$1"
      elif command -v wget >/dev/null; then wget -qO "$2" "$1"
      else give_up "neither curl nor wget is here to load with" "install one of them, or load $1 by hand and set CP_MEMORY_FROM to its folder"
      fi ;;
    *) cp -- "$1" "$2" ;;
  esac || give_up "cannot load $1" "is the network there? CP_MEMORY_FROM=FOLDER takes an archive that lies in a folder"
}

sha256() {
  if command -v sha256sum >/dev/null; then sha256sum "$1"
  elif command -v shasum >/dev/null; then shasum -a 256 "$1"
  else openssl dgst -sha256 -r "$1"
  fi | cut -d ' ' -f 1
}

# place puts the program into the folder by a rename, after it has started there: one that runs goes on with the old file.
place() {
  mkdir -p "$bin" 2>/dev/null && [ -w "$bin" ] || give_up "$bin cannot be written to" "name a folder of yours: CP_MEMORY_BIN=\$HOME/bin"
  bin=$(cd "$bin" && pwd)
  [ ! -d "$bin/cp-memory" ] || give_up "$bin/cp-memory is a folder" "name another folder to install into: CP_MEMORY_BIN=FOLDER"
  new=$bin/.cp-memory.$$
  cp "$work/$name/cp-memory" "$new" || give_up "$bin has no room for the program, which takes 45 MB"
  said=$("$new" version) || give_up "the program does not start in $bin" "is its disk mounted with noexec? CP_MEMORY_BIN=FOLDER names another one"
  mv "$new" "$bin/cp-memory"
}

tell() {
  printf 'installed %s (%s)\n' "$bin/cp-memory" "$(printf '%s\n' "$said" | sed -n 1p)"
  command -v git >/dev/null || printf 'git is not installed, and a memory is kept in it: install it, too\n'
  case ":$PATH:" in
    *":$bin:"*) ;;
    *) printf '%s is not on your PATH: add it, as in: export PATH="%s:%s"\n' "$bin" "$bin" "\$PATH" ;;
  esac
  printf 'Next: cp-memory setup, which connects your agents\n'
}

main() {
  choose
  bin=${CP_MEMORY_BIN:-${HOME:+$HOME/.local/bin}} new=
  [ -n "$bin" ] || give_up "HOME is not set, so there is no folder to install into" "name one: CP_MEMORY_BIN=FOLDER"
  from=${CP_MEMORY_FROM:-https://github.com/cp-memory/cp/releases/download/v$version}
  name=cp-memory_${version}_linux_$arch
  work=$(mktemp -d) || give_up "no folder for a moment can be made" "set TMPDIR to one that can be written to"
  trap 'rm -rf "$work" ${new:+"$new"}' EXIT
  trap 'exit 1' HUP INT TERM
  load "$from/$name.tar.gz" "$work/archive"
  got=$(sha256 "$work/archive")
  [ "$got" = "$sum" ] || give_up "$from/$name.tar.gz is not what was released: its sha256 is $got, not $sum" "nothing was installed; load it again, and tell us if it stays so"
  tar -xzf "$work/archive" -C "$work"
  place
  tell
}

# All is read before the first line runs, so that a load that was cut off does nothing.
main
