package app

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/about"
)

// openCode opens the code that the vault's memories are about: that of [Session.CodeTop], without git
// the vault's own folder.
func (s *Session) openCode() (about.Code, error) {
	top, err := s.CodeTop()
	if vault.CodeOf(err) == vault.CodeNoGit {
		top, err = s.Root, nil
	}
	if err != nil {
		return about.Code{}, err
	}
	return s.app.Code(top)
}

// Judge returns a judge of bindings, for one question: what the code is now is looked at once.
func (s *Session) Judge() (*about.Judge, error) {
	code, err := s.code()
	judge := &about.Judge{Code: code}
	if s.HasIndex() { // a question about one memory makes none
		judge.Verdicts = s.Verdicts
	}
	return judge, err
}

// IsBound reports whether any memory is about code.
func (s *Session) IsBound(ctx context.Context) bool {
	if s.Bindings == nil { // a vault without an index has none
		return false
	}
	any, err := s.Bindings.HasAny(ctx)
	return err == nil && any
}

// codeStates tells how the code of memories stands, for [vault.Vault]. What cannot be told is
// explained with --debug: no answer fails for it.
func (s *Session) codeStates(ctx context.Context, ids []vault.ID, m *vault.Memory) map[vault.ID]*vault.CodeState {
	var rows []about.Row
	var err error
	switch {
	case m != nil:
		rows = about.RowsOf(m)
	case s.IsBound(ctx):
		rows, err = s.Bindings.OfMemories(ctx, ids)
	}
	if err != nil || len(rows) == 0 {
		return nil
	}
	states, err := s.StatesOf(ctx, rows)
	if err != nil {
		s.app.Debugf("how the code stands that memories are about: %v", err)
	}
	return states
}

// CountStale counts the memories about code that has changed; what cannot be told is none.
func (s *Session) CountStale(ctx context.Context) (n int) {
	if !s.IsBound(ctx) {
		return 0
	}
	rows, err := s.Bindings.AllBindings(ctx)
	if err != nil {
		return 0
	}
	states, _ := s.StatesOf(ctx, rows)
	for _, c := range states {
		if c.IsLoud() {
			n++
		}
	}
	return n
}

// StaleLine says that so many memories are about code that has changed; empty for none.
func StaleLine(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "1 memory is about code that changed (cp memory stale)"
	}
	return fmt.Sprintf("%d memories are about code that changed (cp memory stale)", n)
}

// StatesOf tells how the code of the bindings' memories stands.
func (s *Session) StatesOf(ctx context.Context, rows []about.Row) (map[vault.ID]*vault.CodeState, error) {
	judge, err := s.Judge()
	if err != nil {
		return nil, err
	}
	return judge.StatesOf(ctx, rows)
}

// Binding reads a binding as it is typed: a path counts from the working directory, and where nothing
// is there, from the top of the code.
func (s *Session) Binding(typed string) (about.Binding, error) {
	code, err := s.code()
	if err != nil {
		return about.Binding{}, err
	}
	if text, ok := s.belowTop(code.Root, typed); ok {
		return about.ParseTyped(text, "")
	}
	dir, err := filepath.Rel(code.Root, realDir(s.app.Dir))
	if err != nil || !filepath.IsLocal(dir) || dir == "." {
		dir = ""
	}
	b, err := about.ParseTyped(typed, filepath.ToSlash(dir))
	if err == nil && dir != "" && !b.Glob && !hasFile(code, b) {
		if top, terr := about.ParseTyped(typed, ""); terr == nil && hasFile(code, top) {
			return top, nil
		}
	}
	return b, err
}

// belowTop returns an absolute path as it counts from the top of the code.
func (s *Session) belowTop(top, typed string) (string, bool) {
	if !filepath.IsAbs(typed) {
		return "", false
	}
	dir, base := filepath.Split(typed)
	rel, err := filepath.Rel(top, filepath.Join(realDir(dir), base))
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// realDir returns a folder with its links resolved, where it is there.
func realDir(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}

func hasFile(code about.Code, b about.Binding) bool {
	if code.Files == nil {
		return false
	}
	_, there, _ := code.Files.Stat(strings.TrimSuffix(b.Path, "/"))
	return there
}

// filesAbout returns the files of the memories that are about a file of the code: with lines, those
// whose lines meet them, and those about all of it.
func (s *Session) filesAbout(ctx context.Context, typed string) (*[]vault.Path, error) {
	asked, err := s.Binding(typed)
	if err != nil {
		return nil, err
	}
	rows, err := s.Bindings.OfFile(ctx, asked.Path)
	files := []vault.Path{}
	for _, r := range rows {
		if b, perr := about.Parse(r.Text); perr == nil && b.Meets(asked) && !slices.Contains(files, r.File) {
			files = append(files, r.File)
		}
	}
	return &files, err
}

// CodeCommit returns the commit of the code that a revision names.
func (s *Session) CodeCommit(ctx context.Context, revision string) (string, error) {
	code, err := s.code()
	if err != nil {
		return "", err
	}
	a, err := s.app.Commits.FindCommit(ctx, code.Root, revision)
	return a.Commit, err
}

// StampTyped returns bindings as memories have them, and their stamps by what the code is now.
func (s *Session) StampTyped(ctx context.Context, typed []string) (bindings, stamps []string, err error) {
	for _, text := range typed {
		if about.SaysNothing(text) {
			continue
		}
		b, err := s.Binding(strings.TrimSpace(text))
		if err != nil {
			return nil, nil, err
		}
		if slices.Contains(bindings, b.String()) {
			continue
		}
		stamp, err := s.Stamp(ctx, b)
		if err != nil {
			return nil, nil, err
		}
		bindings, stamps = append(bindings, b.String()), append(stamps, stamp...)
	}
	return bindings, stamps, nil
}

// Stamp returns the stamp of a binding, none for a folder or a glob.
func (s *Session) Stamp(ctx context.Context, b about.Binding) ([]string, error) {
	code, err := s.code()
	if err != nil {
		return nil, err
	}
	stamp, ok, err := about.MakeStamp(ctx, code, b, s.app.Now())
	if !ok || err != nil {
		return nil, err
	}
	return []string{stamp.String()}, nil
}

// BindNew completes what a new memory is said to be about.
func (s *Session) BindNew(ctx context.Context, o *about.New) (err error) {
	if len(o.About) > 0 {
		o.About, o.AboutAt, err = s.StampTyped(ctx, o.About)
	}
	return err
}
