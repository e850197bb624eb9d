package vault

import (
	"bytes"
	"context"
	"strconv"

	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/secret"
)

// What to do after a refusal: where the command has the flag, and where it has none.
const (
	SecretHint          = "take it out and keep it where secrets are kept; if it is none, repeat the command with --allow-secret"
	SecretHintElsewhere = "take it out and keep it where secrets are kept; if it is none, commit it with `cp memory sync --allow-secret`, then repeat the command"
)

// keepSecrets refuses a change that would put a likely credential into the history, which
// is for ever. It looks at the text that the change adds; text in HEAD's version of the
// file is not asked about again. Pointers are copies of phrases, which are checked where
// they are written.
func (v *Vault) keepSecrets(ctx context.Context, c *Change) error {
	if c.AllowSecret {
		return nil
	}
	for i := range c.Edits {
		if err := v.keepSecretsOf(ctx, &c.Edits[i]); err != nil {
			return err
		}
	}
	return nil
}

// RefuseSecret is that for a text which is to become a new file.
func RefuseSecret(text []byte) error {
	if found := secret.FindCredentials(text); len(found) > 0 {
		return refuseSecret("", text, found[0], false)
	}
	return nil
}

func (v *Vault) keepSecretsOf(ctx context.Context, e *Edit) error {
	if e.Create != nil {
		return v.checkCredentials(ctx, e, e.Create, false)
	}
	for _, s := range e.Steps {
		for _, text := range append([]string{s.Text, s.Value, s.Name}, s.List...) {
			if err := v.checkCredentials(ctx, e, []byte(text), false); err != nil {
				return err
			}
		}
	}
	if !e.Whole && !e.Adopt || e.Outside {
		return nil
	}
	at, err := v.presentPath(ctx, e)
	if err != nil {
		return err
	}
	doc, _, err := v.Store.Read(at)
	switch {
	case CodeOf(err) == CodeNotFound:
		return nil
	case err != nil:
		return err
	case e.Whole:
		return v.checkCredentials(ctx, e, doc, true)
	}
	return v.leakedAdopted(ctx, e, doc)
}

// leakedAdopted is leaked for a file that is committed as it stands where HEAD
// has none; where HEAD has one, only the steps are.
func (v *Vault) leakedAdopted(ctx context.Context, e *Edit, doc []byte) error {
	found := secret.FindCredentials(doc)
	if len(found) == 0 {
		return nil
	}
	if _, held, err := v.headText(ctx, e.Path); held || err != nil {
		return err
	}
	return refuseSecret(e.Path, doc, found[0], true)
}

// presentPath returns where the edit's file is on disk when the change is planned. A person may
// have made a move by hand that is only recorded now.
func (v *Vault) presentPath(ctx context.Context, e *Edit) (Path, error) {
	if e.Whole || e.To == "" {
		return e.Path, nil
	}
	there, err := v.Store.Look(ctx, e.Path)
	if there.File || err != nil {
		return e.Path, err
	}
	return e.To, nil
}

// checkCredentials returns the error for the first credential in text that HEAD's version
// of the file does not hold. standing says that text is the file as it stands on
// disk, so that its lines are the file's.
func (v *Vault) checkCredentials(ctx context.Context, e *Edit, text []byte, standing bool) error {
	found := secret.FindCredentials(text)
	if len(found) == 0 {
		return nil
	}
	var head []byte
	if !e.Outside {
		var err error
		if head, _, err = v.headText(ctx, e.Path); err != nil {
			return err
		}
	}
	for _, f := range found {
		if bytes.Contains(head, text[f.Start:f.End]) {
			continue
		}
		return refuseSecret(e.Path, text, f, standing)
	}
	return nil
}

func refuseSecret(p Path, text []byte, f secret.Finding, standing bool) error {
	what := f.String(text)
	if standing {
		return &Error{Code: CodeSecret, Path: string(p), Line: f.Line, Hint: SecretHint,
			Msg: "this looks like " + what + "; a commit would keep it for ever, so nothing was written"}
	}
	return Errorf(CodeSecret, SecretHint, "%s looks like %s; a commit would keep it for ever, so nothing was written", lineOf(text, f), what)
}

// lineOf names the line of a text that a person gave: its prose, without the
// front matter that was put before it.
func lineOf(text []byte, f secret.Finding) string {
	head, prose := header.Split(text)
	above := len(text) - len(prose)
	switch {
	case !head.HasFrontMatter() || above == 0:
		return "line " + strconv.Itoa(f.Line) + " of the text"
	case f.Start < above:
		if again := secret.FindCredentials(prose); len(again) > 0 { // a title is made of the text
			return "line " + strconv.Itoa(again[0].Line) + " of the text"
		}
		return "the front matter"
	}
	return "line " + strconv.Itoa(f.Line-bytes.Count(text[:above], []byte("\n"))) + " of the text"
}

// headText returns the file's text in HEAD. held is false if HEAD has no such file.
func (v *Vault) headText(ctx context.Context, p Path) (doc []byte, held bool, err error) {
	tip, err := v.Store.Tip(ctx)
	if err != nil || tip == "" {
		return nil, false, err
	}
	doc, err = v.Store.ReadAt(ctx, tip, p)
	if CodeOf(err) == CodeNotFound {
		return nil, false, nil
	}
	return doc, err == nil, err
}
