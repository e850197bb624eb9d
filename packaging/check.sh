#!/usr/bin/env bash
# Installs each package of a folder, where this machine can, and does the main job with what was installed:
# packaging/check.sh [DIST]. What it cannot try it names, and goes on; what is wrong ends it. Nothing stays on the machine.
# Wants the clients of "make clients", and root for what needs a root of its own.
set -euo pipefail
cd "$(dirname "$0")/.."
dist=$(realpath "${1:-dist}")
job=$PWD/packaging/job.sh
node22=$PWD/bin/clients/node_modules/.bin/node
uv=$PWD/bin/tools/uv-0.13.9
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export HOME=$scratch/home LC_ALL=C.UTF-8 npm_config_cache=$scratch/npm npm_config_update_notifier=false
mkdir "$HOME"

say() { printf '%s: %s\n' "$1" "$2"; }
wrong() { say "$1" "WRONG: $2" >&2; exit 1; }
# use NAME WORD... does the main job with the words.
use() { printf '%s: ' "$1"; "$job" "${@:2}"; }
has() { command -v "$1" >/dev/null; }
# one PATTERN prints the one file of dist/ that fits.
one() { find "$dist" -name "$1" | head -n 1; }
# isolated WORD... runs them as root of a mount namespace, which ends with them.
isolated() { [ "$(id -u)" = 0 ] && unshare -m "$@"; }

sums() { (cd "$dist" && sha256sum -c --quiet SHA256SUMS) || wrong sums "a file is not what SHA256SUMS says"; }

# sizes: what a person loads is 18 MB at the most.
sizes() {
  local large
  large=$(find "$dist" -type f -size +18432k -printf '%f ')
  [ -z "$large" ] || wrong sizes "more than 18 MB: $large"
}

# archive unpacks the program of this machine and that of the other one, which runs under qemu.
archive() {
  tar -xzf "$1" -C "$scratch"
  local program
  program=$scratch/$(basename "$1" .tar.gz)/cp-memory
  use "$(basename "$1")" "${@:2}" "$program"
}

# empty_root starts the program where nothing but it is.
empty_root() {
  local dir=$scratch/empty
  mkdir -p "$dir"
  cp "$scratch"/cp-memory_*_linux_amd64/cp-memory "$dir/"
  grep -q '^Usage' <<<"$(chroot "$dir" /cp-memory help)" || wrong "empty root" "it does not start"
  say "empty root" "$(chroot "$dir" /cp-memory version | sed -n 1p)"
}

# unpacked starts what is in a package for a system that is not this one.
unpacked() {
  local dir=$scratch/$2
  mkdir "$dir"
  bsdtar -xf "$1" -C "$dir" 2>/dev/null # it warns of names that begin with /
  [ "$(ls "$dir/usr/bin")" = cp-memory ] || wrong "$2" "/usr/bin has $(ls "$dir/usr/bin")"
  say "$2" "unpacked: $("$dir/usr/bin/cp-memory" version | sed -n 1p)"
}

# can_copy_root reports whether a copy of this system can be laid over it.
# shellcheck disable=SC2016
can_copy_root() {
  isolated bash -c 'mount -t tmpfs tmpfs "$1" && mkdir "$1"/{upper,work,root} &&
    mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"' - "$HOME" 2>/dev/null
}

# deb installs with apt, in a copy of this system that holds only what differs and lasts as long as the command.
# shellcheck disable=SC2016
deb() {
  printf 'deb, by apt: '
  mkdir "$scratch/apt"
  isolated bash -euc '
    mount -t tmpfs tmpfs "$1" && mkdir "$1"/{upper,work,root}
    mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
    mount -t proc proc "$1/root/proc" && mount --rbind /dev "$1/root/dev" && mount -t tmpfs tmpfs "$1/root/tmp"
    mkdir -p "$1/root/$PWD" && mount --bind "$PWD" "$1/root/$PWD"
    cp "$2" "$1/root/root/cp-memory.deb"
    chroot "$1/root" bash -euc "
      apt-get install -qqy --no-install-recommends /root/cp-memory.deb >/tmp/log 2>&1 || { cat /tmp/log; exit 1; }
      \"\$1\" cp-memory
      [ \"\$(dpkg -L cp-memory | grep /bin/)\" = /usr/bin/cp-memory ]
      apt-get remove -qqy cp-memory >/dev/null
      [ ! -e /usr/bin/cp-memory ]" - "$3"' - "$scratch/apt" "$1" "$job"
}

npm_install() {
  mkdir "$scratch/node"
  (cd "$scratch/node" && npm install --silent --no-audit --no-fund --offline "$@")
  local bin=$scratch/node/node_modules/.bin/cp-memory
  use npm "$bin"
  use "npm, node 22" "$node22" "$bin"
  (cd "$scratch/node" && npx --no-install cp-memory version >/dev/null) || wrong npx "it does not start"
}

# fetch_uv fetches what has uvx, which is no part of the packages.
fetch_uv() {
  [ -x "$uv/bin/uvx" ] || python3 -m pip install -q --disable-pip-version-check --root-user-action ignore --target "$uv" uv==0.13.9
}

# wheel installs with pip, and starts as uvx does.
wheel() {
  python3 -m pip install -q --disable-pip-version-check --root-user-action ignore --no-index --prefix "$scratch/wheel" "$1"
  use wheel "$scratch/wheel/bin/cp-memory"
  fetch_uv
  use uvx "$uv/bin/uvx" -q --offline --from "$1" cp-memory
}

install_sh() {
  CP_MEMORY_FROM=$dist CP_MEMORY_BIN=$scratch/bin sh "$dist/install.sh" >/dev/null
  use install.sh "$scratch/bin/cp-memory"
  mkdir "$scratch/false"
  for f in "$dist"/*.tar.gz; do echo no >"$scratch/false/$(basename "$f")"; done
  ! CP_MEMORY_FROM=$scratch/false CP_MEMORY_BIN=$scratch/bin2 sh "$dist/install.sh" 2>/dev/null || wrong install.sh "it took a false archive"
  [ ! -e "$scratch/bin2" ] || wrong install.sh "it left something"
}

sums
sizes
archive "$(one 'cp-memory_*_linux_amd64.tar.gz')"
install_sh
if [ "$(id -u)" = 0 ]; then empty_root; else say "empty root" "NOT TRIED: it takes root"; fi
if has apt-get && can_copy_root; then deb "$(one '*_amd64.deb')"; else say deb "NOT TRIED: it takes root on a Debian, and overlayfs"; fi
if has bsdtar; then
  unpacked "$(one '*.x86_64.rpm')" rpm
  unpacked "$(one '*_x86_64.apk')" apk
  unpacked "$(one '*-x86_64.pkg.tar.zst')" arch
else say "rpm, apk, arch" "NOT TRIED: it takes bsdtar"; fi
npm_install "$(one 'cp-memory-[0-9]*.tgz')" "$(one 'cp-memory-linux-x64-*.tgz')"
wheel "$(one '*x86_64.whl')"
arm=$(one 'cp-memory_*_linux_arm64.tar.gz')
if [ -z "$arm" ]; then say arm64 "NOT TRIED: it was not built"
elif has qemu-aarch64-static; then archive "$arm" qemu-aarch64-static
else say arm64 "NOT TRIED: it takes qemu-aarch64-static"; fi
