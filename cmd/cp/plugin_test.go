package main_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// Each agent that installs a plugin takes the folder that setup writes, unchanged, and knows
// of its server and, where it lists them, of its skill.
func TestAgentsPlugin(t *testing.T) {
	bin := clients(t)
	for _, a := range []struct {
		program, install, list, want string
	}{
		{"claude", `claude plugin marketplace add "$PLUGIN" && claude plugin install cp-memory@cp-memory`, "claude mcp list; claude plugin list", `cp-memory: cp-memory memory mcp - .*Connected(?s:.*)enabled`},
		{"codex", `codex plugin marketplace add "$PLUGIN" && codex plugin add cp-memory@cp-memory`, "codex mcp list", `cp-memory +cp-memory +memory mcp.*enabled`},
		{"copilot", `copilot plugin marketplace add "$PLUGIN" && copilot plugin install cp-memory@cp-memory`, "copilot mcp list; copilot skill list", `cp-memory \(local\)(?s:.*)memory - Notes of earlier`},
		{"gemini", `gemini extensions link "$PLUGIN/cp-memory" --consent`, "gemini extensions list", `MCP servers:\s+cp-memory\s+Agent skills:\s+memory: Notes of earlier`},
	} {
		t.Run(a.program, func(t *testing.T) {
			if _, err := os.Stat(filepath.Join(bin, a.program)); err != nil {
				t.Skipf("NOT RUN: there is no %s in %s", a.program, bin)
			}
			t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
			p := agent{}.begin(t)
			const digests = `; cd "$PLUGIN"; find . -type f -exec sha256sum {} + | sort -k 2`
			const plugin = alone + `export PLUGIN="$PWD/plugin with a space"`
			before := p.must(plugin + `; cp memory setup --plugin "$PLUGIN" >/dev/null` + digests)
			if r := p.sh(plugin + "; { " + a.install + "; } 2>&1 </dev/null"); r.exit != 0 {
				t.Fatalf("%s: %+v", a.install, r)
			}
			if r := p.sh(plugin + "; { " + a.list + "; } 2>&1 </dev/null"); !regexp.MustCompile(a.want).MatchString(r.out) {
				t.Errorf("%s says, without %s,\n%s", a.list, a.want, r.out)
			}
			if after := p.must(plugin + digests); after != before {
				t.Errorf("the plugin was changed: got\n%s\nwant\n%s", after, before)
			}
		})
	}
}
