package main_test

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// serve lets git's own server answer over HTTP for the bare repositories in the
// working folder, to those who know a password. It sets SERVER to host:port.
func serve(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: serve USER PASSWORD")
	}
	out, err := exec.Command("git", "--exec-path").Output()
	ts.Check(err)
	backend := &cgi.Handler{
		Path: filepath.Join(strings.TrimSpace(string(out)), "git-http-backend"),
		Env:  []string{"GIT_PROJECT_ROOT=" + ts.MkAbs("."), "GIT_HTTP_EXPORT_ALL=1", "REMOTE_USER=" + args[0]},
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if user, password, _ := r.BasicAuth(); user != args[0] || password != args[1] {
			w.Header().Set("WWW-Authenticate", `Basic realm="hub"`)
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		backend.ServeHTTP(w, r)
	}))
	ts.Defer(server.Close)
	ts.Setenv("SERVER", strings.TrimPrefix(server.URL, "http://"))
}

// unchanged compares everything of a clone that a person or git goes by with
// what it was at "unchanged before": files, index, refs, configuration and what
// is under way.
func unchanged(ts *testscript.TestScript, neg bool, args []string) {
	now := picture(ts, ts.MkAbs("."))
	file := ts.MkAbs("../unchanged.txt")
	if len(args) == 1 && args[0] == "before" {
		ts.Check(os.WriteFile(file, []byte(now), 0o644))
		return
	}
	if was := ts.ReadFile(file); neg || was != now {
		ts.Fatalf("was:\n%s\nnow:\n%s", was, now)
	}
}

func picture(ts *testscript.TestScript, dir string) string {
	var b strings.Builder
	for _, line := range []string{"for-each-ref", "status --porcelain=v2", "stash list", "config --local --list", "rev-parse HEAD"} {
		cmd := exec.Command("git", append([]string{"-C", dir}, strings.Fields(line)...)...)
		cmd.Env = append(os.Environ(), "HOME="+ts.Getenv("HOME"), "GIT_OPTIONAL_LOCKS=0")
		out, err := cmd.CombinedOutput()
		if err != nil {
			ts.Fatalf("git %s: %v\n%s", line, err, out)
		}
		fmt.Fprintf(&b, "# %s\n%s", line, out)
	}
	ts.Check(filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		name := strings.TrimPrefix(path, dir)
		switch {
		case err != nil:
			return err
		case d.IsDir() && (strings.HasPrefix(name, "/.git/objects") || strings.HasPrefix(name, "/.git/cp")):
			return filepath.SkipDir
		case d.IsDir() || strings.HasPrefix(name, "/.cp/index.db"):
			return nil
		}
		text, err := os.ReadFile(path)
		fmt.Fprintf(&b, "%s %x\n", name, sha256.Sum256(text))
		return err
	}))
	return b.String()
}
