package main_test

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// nobody is the user as whom a program runs that cannot write what root has made.
const nobody = 65534

// unwritable makes a family whose project back cannot be written by the one who serves it: root
// serves as another user, and any other user has no right to write in it.
func unwritable(t *testing.T) (p *program, as *syscall.SysProcAttr) {
	t.Helper()
	p = build(t, "cp").in(t, nil)
	p.must(`git config --global user.name Penny; git config --global user.email p@x
		for d in fam fam/back; do mkdir -p $d; (cd $d; git init -q .; cp init --prefix $(basename $d | cut -c1-2) >/dev/null
			cp memory add --title "Root of $(basename $d)" --summary When "Text of $d." >/dev/null); done`)
	if os.Getuid() != 0 {
		p.must("chmod -R a-w fam/back")
		t.Cleanup(func() { p.must("chmod -R u+w fam/back") })
		return p, nil
	}
	p.must(`chmod -R a+rX .. "$TMPDIR" && chmod -R a+rX "$(dirname "$(command -v cp)")" && chmod a+rx "$(dirname "$(dirname "$(command -v cp)")")"
		chown -R 65534:65534 fam .. "$TMPDIR" && chown -R 0:0 fam/back`)
	return p, &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody, NoSetGroups: true}}
}

// A vault that cannot be written is shown without forms, and a form that is sent all the same is
// refused; what lies beside it is written as ever. A vault alone has no such address at all.
func TestBrowseUnwritable(t *testing.T) {
	p, as := unwritable(t)
	serve := func(dir string, flags ...string) (get func(path string) (int, string), post func(path string, form url.Values) int) {
		t.Helper()
		cmd := exec.Command(filepath.Join(p.bin, "cp"), append([]string{"memory", "browse", "-o", "jsonl"}, flags...)...)
		cmd.Dir, cmd.Env, cmd.SysProcAttr = filepath.Join(p.dir, dir), p.env, as
		link := browsing(t, cmd)[1]
		jar, _ := cookiejar.New(nil)
		client := &http.Client{Jar: jar, Timeout: time.Minute}
		base, _, _ := strings.Cut(link, "/login")
		get = func(path string) (int, string) {
			t.Helper()
			answer, err := client.Get(base + path)
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			text, _ := io.ReadAll(answer.Body)
			return answer.StatusCode, string(text)
		}
		get(strings.TrimPrefix(link, base))
		return get, func(path string, form url.Values) int {
			t.Helper()
			answer, err := client.PostForm(base+path, form)
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			return answer.StatusCode
		}
	}
	title := url.Values{"title": {"New"}, "summary": {"When"}, "body": {"Text."}}

	get, post := serve("fam")
	if code, text := get("/p/back/m/Root%20of%20back"); code != 200 || !strings.Contains(text, "Text of fam/back.") || !strings.Contains(text, "cannot be written") || strings.Contains(text, "/edit") || strings.Contains(text, "/delete") {
		t.Errorf("a memory of the vault that cannot be written: %d\n%s", code, text)
	}
	if code, text := get("/p/fam/m/Root%20of%20fam"); code != 200 || !strings.Contains(text, "/edit") {
		t.Errorf("a memory of the vault beside it: %d\n%s", code, text)
	}
	if code := post("/p/back/new", title); code != 403 {
		t.Errorf("a new memory where nothing can be written: %d, want 403", code)
	}
	if code := post("/p/fam/new", title); code != 200 {
		t.Errorf("a new memory beside it: %d, want 200", code)
	}

	get, post = serve("fam/back", "--exact-project")
	if code, text := get("/"); code != 200 || !strings.Contains(text, "Root of back") || !strings.Contains(text, "Read only") || strings.Contains(text, "Add a memory") {
		t.Errorf("the vault alone: %d\n%s", code, text)
	}
	for _, at := range []string{"/m/Root%20of%20back.json", "/search?q=text", "/m/Root%20of%20back/history", "/map", "/review", "/journal", "/changes", "/health", "/jump.json?q=root"} {
		if code, text := get(at); code != 200 {
			t.Errorf("%s: %d\n%s", at, code, text)
		}
	}
	for _, at := range []string{"/new", "/m/Root%20of%20back/edit", "/m/Root%20of%20back/delete", "/undo?op=x"} {
		if code, _ := get(at); code != 404 {
			t.Errorf("%s: %d, want 404", at, code)
		}
	}
	if code := post("/new", title); code != 404 && code != 405 {
		t.Errorf("a form for an address that there is not: %d", code)
	}
	if changed := p.must("git -c safe.directory='*' -C fam/back status --porcelain"); changed != "" {
		t.Errorf("something was written: %s", changed)
	}
}
