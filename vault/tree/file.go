package tree

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/prose"
)

// Who works with files names a place, and the place says what the parent is: as by hand, and in
// one commit with the pointers. These verbs serve a tool that was promised a folder of files; see
// also [Move.At] and [MoveFolder].

// NewFile makes a memory of a text in a file that is not there yet. The title is that of the text,
// else the name of the file: no key says it. A front matter in the text stays in the text, so that
// who wrote it reads it again; title and phrase are taken from it.
type NewFile struct {
	At   vault.Path // ends in .md
	Text string
}

// Do makes the file. Where its folder exists, what lies in there gets a parent.
func (o NewFile) Do(ctx context.Context, v *vault.Vault) (Added, error) {
	return vault.Run(ctx, v, o, vault.Options{})
}

// Name is the verb's: what it does is an addition.
func (o NewFile) Name() string { return Add{}.Name() }

// Plan makes the file and the pointers.
func (o NewFile) Plan(ctx context.Context, tx *vault.Tx) (out Added, err error) {
	if err := vault.CheckText("text", o.Text); err != nil {
		return out, err
	}
	n := vault.Node{Path: o.At}
	above, children, err := o.findAround(ctx, tx, &n)
	if err != nil {
		return out, err
	}
	m := &vault.Memory{}
	if n.ID, m.Created, err = Stamp(ctx, tx, "", m.Created); err != nil {
		return out, err
	}
	m.ID, m.Creator = n.ID, tx.Agent()
	if own, err := vault.OwnOf(o.Text); err == nil {
		m.Header.Title, m.Header.Summary = own.Title, own.Summary
	}
	text, err := vault.Render(m)
	if err != nil {
		return out, err
	}
	text = append(text, withFinalNewline(o.Text)...)
	if above != nil {
		n.Parent, n.ParentTitle, n.Depth = above.ID, above.Title, above.Depth+1
	}
	is := vault.Parse(o.At, text)
	out = Added{ID: n.ID, Title: is.Title, Path: o.At, ParentID: n.Parent, ParentTitle: n.ParentTitle, Summary: is.Summary, depth: n.Depth}
	tx.Create(n, text)
	tx.About(n.ID, is.Title)
	if len(children) > 0 {
		folder := Parented{ID: n.ID, Title: is.Title, Children: len(children)}
		return out, AddParent{Dir: n.Folder(), Summary: is.Summary}.planPointers(ctx, tx, &folder, above, children)
	}
	if above == nil {
		return out, nil
	}
	return out, tx.Point(ctx, above, pointer.Entry{ID: string(n.ID), Title: is.Title, Summary: cmp.Or(is.Summary, vault.Placeholder)})
}

// withFinalNewline ends a text that says something with a line end.
func withFinalNewline(text string) string {
	if text != "" && text[len(text)-1] != '\n' {
		text += "\n"
	}
	return text
}

// findAround returns the memory above the new one, and those that lie in its folder already. A
// README.md of a folder that has no memory stands for it.
func (o NewFile) findAround(ctx context.Context, tx *vault.Tx, n *vault.Node) (above *vault.Doc, children []vault.Node, err error) {
	if _, err := tx.CatchUp(ctx, vault.Scope{}); err != nil {
		return nil, nil, err
	}
	there, err := tx.Look(ctx, o.At)
	if err == nil && there.File {
		err = errPlaceTaken(o.At)
	}
	if err != nil {
		return nil, nil, err
	}
	if o.At.FolderRank() > 0 {
		owner, ok, err := tx.Tree().Owner(ctx, o.At.Dir())
		if err != nil {
			return nil, nil, err
		}
		n.Seat = !ok || owner.Folder() != o.At.Dir()
	}
	if above, err = openOwner(ctx, tx, n.Folder().Dir()); err != nil || !there.Folder && !n.Seat {
		return above, nil, err
	}
	children, err = topmostIn(ctx, tx, n.Folder())
	return above, children, err
}

// openOwner opens the memory whose children live in a folder; nil for none. Files come and go
// below it, so it has to be one that can be edited.
func openOwner(ctx context.Context, tx *vault.Tx, dir vault.Path) (*vault.Doc, error) {
	n, ok, err := tx.Tree().Owner(ctx, dir)
	if err != nil || !ok {
		return nil, err
	}
	d, err := tx.Open(ctx, string(n.ID))
	if err != nil {
		return nil, err
	}
	return d, d.Editable()
}

// topmostIn lists the memories in a folder that have no parent in it.
func topmostIn(ctx context.Context, tx *vault.Tx, dir vault.Path) (top []vault.Node, err error) {
	all, err := tx.Tree().Walk(ctx, vault.WalkOptions{Dir: dir, MaxDepth: 1, Closed: true, Outline: true, Uncounted: true})
	for _, n := range all {
		if n.Depth == all[0].Depth {
			top = append(top, n)
		}
	}
	return top, err
}

// EditFile changes the text of a memory, by what it is at that moment.
type EditFile struct {
	At   vault.Path
	Edit func(text string) (string, error) // line ends are line feeds; it may be called again
}

// Do changes the text. What a person has typed and not committed is neither replaced nor committed:
// the change is made beside it where it lies in another section, and else refused.
func (o EditFile) Do(ctx context.Context, v *vault.Vault) (Amended, error) {
	return vault.Run(ctx, v, o, vault.Options{})
}

// Name is the verb's.
func (o EditFile) Name() string { return Amend{}.Name() }

// Plan edits the file, and the parent's pointer where the title changes.
func (o EditFile) Plan(ctx context.Context, tx *vault.Tx) (out Amended, err error) {
	d, err := openFile(ctx, tx, o.At)
	if err == nil {
		err = d.Editable()
	}
	if err != nil {
		return out, err
	}
	was := prose.WithEnds(d.Mem.Prose, "\n")
	is, err := o.Edit(was)
	if err == nil {
		err = vault.CheckText("text", is)
	}
	changed := false
	if err == nil && is != was {
		step := vault.Step{Op: vault.OpSetProse, Text: is}
		if err = tx.Clean(ctx, d.Path); vault.CodeOf(err) == vault.CodeDirty {
			if section, ok := stepInSection(d, was, is); ok {
				step, err = section, nil
			}
		}
		if err == nil {
			changed, err = tx.Amend(ctx, d, step)
		}
	}
	if err != nil {
		return out, err
	}
	out, err = newAmended(tx, d)
	out.Unchanged = !changed
	return out, err
}

// openFile opens the memory in a file, and none that only has its name elsewhere.
func openFile(ctx context.Context, tx *vault.Tx, at vault.Path) (*vault.Doc, error) {
	d, err := tx.OpenMemory(ctx, string(at))
	if err == nil && d.Path != at {
		err = vault.NotFound(string(at))
	}
	return d, err
}

// stepInSection returns the step that makes a change in the innermost section that holds all of it.
// ok is false where none does, or where the text would not be the wanted one.
func stepInSection(d *vault.Doc, was, is string) (step vault.Step, ok bool) {
	from, left := 0, min(len(was), len(is))
	for from < left && was[from] == is[from] {
		from++
	}
	until := len(was)
	for until > from && len(is)-(len(was)-until) > from && was[until-1] == is[len(is)-(len(was)-until)-1] {
		until--
	}
	doc, err := d.Text()
	above := strings.Split(was[:from], "\n")
	for _, heading := range slices.Backward(above[:len(above)-1]) {
		if !strings.HasPrefix(heading, "#") || err != nil {
			continue
		}
		at, none := prose.FindSection(was, heading)
		if none != nil || from < at.Start || until > at.End {
			continue
		}
		step = vault.Step{Op: vault.OpSetSection, Name: heading, Value: at.Heading, Text: is[at.Start : at.End+len(is)-len(was)]}
		after, failed := step.Apply(doc)
		return step, failed == nil && prose.WithEnds(vault.Parse(d.Path, after).Prose, "\n") == is
	}
	return step, false
}
