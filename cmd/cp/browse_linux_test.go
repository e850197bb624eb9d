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
			cp memory add --title "Root of $(basename $d)" --summary When "Text of $d." >/dev/null); done
		cp project add fam/back >/dev/null; git config --global --add safe.directory "$PWD/fam/back"`) // who trusts another user says so
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
	title := url.Values{"title": {"New"}, "summary": {"When"}, "body": {"Text."}, "root": {"yes"}}

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

// A form that somebody else was faster than comes back with both texts, marked. While a mark
// stands it is not saved, however often, but by the box that says so; and a status is a known one.
func TestBrowseCommitsNoMarks(t *testing.T) {
	p := build(t, "cp").in(t, nil)
	p.must(`git config --global user.name Penny; git config --global user.email p@x; git init -q .; cp init --prefix pf . >/dev/null; cp memory add --title Top --summary When "one two" >/dev/null`)
	cmd := exec.Command(filepath.Join(p.bin, "cp"), "memory", "browse", "-o", "jsonl")
	cmd.Dir, cmd.Env = p.dir, p.env
	link := browsing(t, cmd)[1]
	jar, _ := cookiejar.New(nil)
	client := &http.Client{Jar: jar, Timeout: time.Minute}
	base, _, _ := strings.Cut(link, "/login")
	send := func(form url.Values) (int, string) {
		t.Helper()
		ask := func() (*http.Response, error) { return client.PostForm(base+"/m/top.md/edit", form) }
		if form == nil {
			ask = func() (*http.Response, error) { return client.Get(link) }
		}
		answer, err := ask()
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		text, _ := io.ReadAll(answer.Body)
		return answer.StatusCode, string(text)
	}
	hash := func() string { return strings.TrimSpace(p.must("git hash-object top.md")) }
	send(nil)
	form := url.Values{"hash": {hash()}, "title": {"Top"}, "summary": {"When"}, "status": {"open"}, "base_title": {"Top"}, "base_summary": {"When"}, "base_status": {"open"}, "base": {"one two"}, "body": {"one mine"}}
	p.must(`cp memory update top.md --body "one theirs" >/dev/null`)
	if code, text := send(form); code != http.StatusPreconditionFailed || !strings.Contains(text, "&lt;&lt;&lt;&lt;&lt;&lt;&lt; yours") {
		t.Fatalf("the conflict: %d\n%s", code, text)
	}
	form.Set("hash", hash())
	for _, body := range []string{"<<<<<<< yours\none mine\n=======\none theirs\n>>>>>>> theirs\n", "one mine\n>>>>>>> theirs\n"} {
		form.Set("body", body)
		for _, do := range []string{"save", "save", "both"} {
			form.Set("do", do)
			if code, text := send(form); code != http.StatusConflict || !strings.Contains(text, "save it all the same") || strings.Contains(p.must("cat top.md"), ">>>>>>>") {
				t.Errorf("%s of %q: %d\n%s", do, body, code, text)
			}
		}
	}
	form.Set("do", "save")
	form.Set("marked", "yes")
	if code, _ := send(form); code != 200 || !strings.Contains(p.must("git show HEAD:top.md"), ">>>>>>> theirs") {
		t.Errorf("saved all the same: %d", code)
	}
	form.Del("marked")
	for status, want := range map[string]int{"banana": 400, "IN_PROGRESS": 200} {
		form.Set("hash", hash())
		form.Set("status", status)
		form.Set("body", "one mine\n>>>>>>> theirs\n")
		if code, text := send(form); code != want {
			t.Errorf("status %s: %d, want %d\n%s", status, code, want, text)
		}
	}
	if text := p.must("git show HEAD:top.md"); !strings.Contains(text, "status: in_progress") {
		t.Errorf("the status:\n%s", text)
	}
}
