package console

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

// bound has an option of each type that a flag may have, and of a part.
type bound struct {
	Ref    string   `json:"id" need:"yes"`
	Title  *string  `flag:"title" help:"the <title>"`
	Kind   string   `flag:"kind" help:"a <word>"`
	Labels []string `flag:"label" commas:"yes" help:"<labels>, separated by commas"`
	Texts  []string `flag:"text" help:"a <text>"`
	Nths   []int    `flag:"nth"`
	Depth  int      `flag:"depth"`
	Root   bool     `flag:"root"`
	Least  int      `flag:"least" help:"at least <n>"`
	Own    string   `flag:"own" help:"not this one"`
	Parts  struct {
		Why string `json:"why" flag:"why"`
	} `json:"parts"`
}

func TestBind(t *testing.T) {
	o := bound{Least: 4}
	cmd := &cobra.Command{Use: "x"}
	own := cmd.Flags().String("own", "", "its own")
	Bind(cmd, &o)
	if err := cmd.ParseFlags(strings.Split("--title= --kind k --label a,b --label c --text a,b --nth 3,1 --depth 2 --root --why because --own x", " ")); err != nil {
		t.Fatal(err)
	}
	empty := ""
	want := bound{Title: &empty, Kind: "k", Labels: []string{"a", "b", "c"}, Texts: []string{"a,b"}, Nths: []int{3, 1}, Depth: 2, Root: true, Least: 4}
	want.Parts.Why = "because"
	if diff := cmp.Diff(want, o); diff != "" {
		t.Error(diff)
	}
	if help := cmd.Flags().FlagUsages(); *own != "x" || !strings.Contains(help, "--label labels   labels, separated by commas") || strings.Count(help, "default") != 1 || !strings.Contains(help, "at least n (default 4)") {
		t.Errorf("the help is\n%s", help)
	}
}
