package cli

import (
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/batch"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/tree"
)

// recordFlags are the flags of what a memory says beside its text.
type recordFlags struct {
	metadata []string
	json     string
}

// bind adds those that the options of no verb name.
func (r *recordFlags) bind(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&r.metadata, "meta", nil, "`key=value` to keep with it; may be repeated, and key= drops a key")
	cmd.Flags().StringVar(&r.json, "json", "", "- reads all of it as one JSON object from stdin (`cp memory batch --help` has its keys)")
}

// meta returns the keys that --meta sets. The values are texts; JSON has other kinds.
func (r *recordFlags) meta(cmd *cobra.Command, fresh bool) (header.Map, error) {
	all := make(map[string]json.RawMessage)
	for _, pair := range r.metadata {
		key, value, ok := strings.Cut(pair, "=")
		switch {
		case !ok:
			return "", console.Invalid(cmd, "--meta takes key=value, not %s", vault.Clip(pair, 80))
		case value == "" && fresh:
			delete(all, key)
			continue
		case value == "":
			all[key] = json.RawMessage("null")
			continue
		}
		text, err := json.Marshal(value)
		if err != nil {
			return "", err
		}
		all[key] = text
	}
	return header.MapOf(all), nil
}

// isAllJSON reports whether all of it comes as JSON.
func (r *recordFlags) isAllJSON(cmd *cobra.Command) (bool, error) {
	if !cmd.Flags().Changed("json") {
		return false, nil
	}
	if r.json != "-" {
		return false, console.Invalid(cmd, "--json takes -, which is stdin")
	}
	return true, nil
}

// readFlags reads what the flags say. Where all of it comes as JSON, it fills the options from stdin,
// and all says so.
func (r *recordFlags) readFlags(f face, cmd *cobra.Command, meta *header.Map, fresh bool, verb string, into any) (all bool, err error) {
	if all, err = r.isAllJSON(cmd); err != nil {
		return all, err
	}
	if *meta, err = r.meta(cmd, fresh); err != nil || !all {
		return all, err
	}
	return all, batch.ReadOptions(f.Stdin(cmd.Context()), verb, into)
}

// fillAdd fills the options of add.
func (r *recordFlags) fillAdd(f face, cmd *cobra.Command, o *tree.Add, body *console.BodyFlags, args []string) error {
	said := struct {
		*tree.Add
		Body *string `json:"body"`
	}{Add: o}
	all, err := r.readFlags(f, cmd, &o.Metadata, true, o.Name(), &said)
	if said.Body != nil {
		o.Text = *said.Body
	}
	if err == nil && !all {
		o.Text, err = body.ReadNewText(f.Console, cmd, args...)
	}
	return err
}

// fillAddSub fills the options of add-sub. check comes before a text is read from stdin.
func (r *recordFlags) fillAddSub(f face, cmd *cobra.Command, o *tree.AddSub, body *console.BodyFlags, check func() error) error {
	parent := o.Parent
	all, err := r.readFlags(f, cmd, &o.Metadata, true, o.Name(), o)
	if err != nil {
		return err
	}
	o.Parent = parent
	if err := check(); err != nil || all {
		return err
	}
	o.Body, err = body.ReadNewText(f.Console, cmd)
	return err
}

// fillAmend fills the options of update, but for the body that its flags give.
func (r *recordFlags) fillAmend(f face, cmd *cobra.Command, o *tree.Amend, ref string) error {
	_, err := r.readFlags(f, cmd, &o.Metadata, false, o.Name(), o)
	o.Ref = ref
	return err
}
