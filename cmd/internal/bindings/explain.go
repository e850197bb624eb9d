package bindings

import (
	"context"
	"fmt"

	"github.com/cp-memory/cp/vault/about"
)

// mostExplained bounds the bindings that an explanation names.
const mostExplained = 20

// explain says what matched a file, and which bindings near to it did not, and why.
func (r Room) explain(ctx context.Context, asked about.Binding, known []Known) (out []string) {
	shown := make(map[string]bool)
	for _, k := range known {
		said := fmt.Sprintf("%s: %s", k.ID, k.Match)
		if k.At != "" {
			said += " " + k.At
		}
		shown[string(k.ID)] = true
		out = append(out, said)
	}
	rows, err := r.Bindings.AllBindings(ctx)
	if err != nil {
		return out
	}
	left := 0
	for _, row := range rows {
		why := whyNot(row, asked)
		if why == "" || shown[string(row.ID)] {
			continue
		}
		if left++; left <= mostExplained {
			out = append(out, fmt.Sprintf("%s: not %s: %s", row.ID, row.Text, why))
		}
	}
	if left > mostExplained {
		out = append(out, fmt.Sprintf("%d more bindings do not match", left-mostExplained))
	}
	return out
}

// whyNot says why a binding does not match; empty where it does.
func whyNot(row about.Row, asked about.Binding) string {
	b, err := about.Parse(row.Text)
	switch {
	case err != nil:
		return err.Error()
	case b.Covers(asked.Path):
		return ""
	case b.Project != asked.Project:
		return "it is about the code of another project"
	case b.Glob:
		return "the glob does not fit the path"
	case b.IsFolder():
		return "the file lies in no such folder"
	}
	return "it is another file"
}
