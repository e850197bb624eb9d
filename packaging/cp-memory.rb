# The formula of Homebrew on Linux, filled in by packaging/release.sh.
class CpMemory < Formula
  desc "Git-backed memory for AI agents and the people beside them"
  homepage "https://github.com/cp-memory/cp"
  version "@VERSION@"
  license "Apache-2.0"
  depends_on "git"
  depends_on :linux

  on_intel do
    url "https://github.com/cp-memory/cp/releases/download/v@VERSION@/cp-memory_@VERSION@_linux_amd64.tar.gz"
    sha256 "@SHA256_amd64@"
  end
  on_arm do
    url "https://github.com/cp-memory/cp/releases/download/v@VERSION@/cp-memory_@VERSION@_linux_arm64.tar.gz"
    sha256 "@SHA256_arm64@"
  end

  def install
    bin.install "cp-memory"
    man1.install Dir["man/man1/*"]
    man7.install Dir["man/man7/*"]
    bash_completion.install "completions/bash/cp-memory"
    zsh_completion.install "completions/zsh/_cp-memory"
    fish_completion.install "completions/fish/cp-memory.fish"
    doc.install "NOTICE", "THIRD_PARTY_LICENSES"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/cp-memory version")
  end
end
