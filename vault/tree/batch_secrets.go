package tree

import (
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/secret"
)

// atSecret names the line whose text holds the credential for which the batch was refused.
// If the credential is in a file that a line brings into the vault, the error names that
// file already.
func (o *Batch) atSecret(err error) error {
	if vault.CodeOf(err) != vault.CodeSecret {
		return err
	}
	for i := range o.Lines {
		l := &o.Lines[i]
		verb, texts := l.texts()
		for _, text := range texts {
			if found := secret.Scan([]byte(text)); len(found) > 0 {
				f := found[0]
				return vault.Errorf(vault.CodeSecret, vault.SecretHint, "line %d: line %d of the text of the %s looks like %s; a commit would keep it for ever, so nothing was written",
					l.Number, f.Line, verb, f.String([]byte(text)))
			}
		}
	}
	return err
}

// texts returns the line's verb and what it says.
func (l *BatchLine) texts() (verb string, all []string) {
	switch {
	case l.Add != nil:
		return "add", append([]string{l.Add.Text, l.Add.Title, l.Add.Summary}, l.Add.Labels...)
	case l.AddSub != nil:
		return "add-sub", append([]string{l.AddSub.Body, l.AddSub.Title, l.AddSub.Summary}, l.AddSub.Labels...)
	}
	all = append([]string{l.Amend.Section, l.Amend.Resolution}, l.Amend.AddLabels...)
	for _, text := range []*string{l.Amend.Body, l.Amend.Append, l.Amend.Title, l.Amend.Summary, l.Amend.Status} {
		if text != nil {
			all = append(all, *text)
		}
	}
	return "update", all
}
