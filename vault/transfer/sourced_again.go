package transfer

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/tree"
)

// know finds the memory that an item is here, by the ids that it may have; of one that is not
// here the first of them that is free becomes its id.
func (im *importer) know(it *item) error {
	im.bySource[it.Source] = it
	ids, err := im.candidates(it)
	if err != nil {
		return err
	}
	for _, id := range ids {
		d, taken, err := im.at(it, id)
		switch {
		case err != nil:
			return err
		case d != nil:
			it.id, it.doc = d.ID, d
			im.given[d.ID.Fold()] = true
			return nil
		case taken:
			continue
		}
		if it.id == "" && !im.given[id.Fold()] {
			it.id = id
		}
	}
	if it.id == "" {
		return vault.Errorf(vault.CodeInternal, "", "no free id for %s", it.Source)
	}
	im.given[it.id.Fold()] = true
	return nil
}

// at returns the memory with an id if it is the item. taken reports whether it is another one.
func (im *importer) at(it *item, id vault.ID) (d *vault.Doc, taken bool, err error) {
	source := it.readSource()
	if im.known != nil {
		if said, there := im.known[id.Fold()]; said != source {
			return nil, there, nil
		}
	}
	d, err = im.tx.OpenFromMirror(im.ctx, string(id))
	switch {
	case vault.CodeOf(err) == vault.CodeNotFound || vault.CodeOf(err) == vault.CodeAmbiguous:
		return nil, false, nil
	case err != nil || !d.ID.Is(id): // it is the beginning of another one's, or its title
		return nil, false, err
	case d.Mem.Source != source || source != it.Source && d.Mem.SourceOf == "":
		return nil, true, nil
	}
	return d, true, nil
}

// readSource returns what is read as the source in the item's file: what its own header says there,
// which stays, else that of the item. It may be empty, of a list.
func (it *item) readSource() string {
	h, _ := header.Split(it.Text)
	v, _, _ := header.ReadValues(h)
	if h.Err() != nil || v.Source == "" && !slices.Contains(header.ForeignKeys(h), "source") {
		return it.Source
	}
	return v.Source
}

// manyItems is from how many items on the vault is asked once for all that it has: five
// questions for each were 19 of 26 s of cpu for 10,000 (measured).
const manyItems = 32

// listSources asks for the sources of all memories, by their ids.
func (im *importer) listSources() error {
	if len(im.items) < manyItems {
		return nil
	}
	all, _, err := im.tx.Tree().List(im.ctx, vault.ListOptions{Types: []string{"*"}, Status: []string{"*"}, Limit: math.MaxInt32})
	im.known = make(map[string]string, len(all))
	for _, n := range all {
		im.known[n.ID.Fold()] = n.Source
	}
	return err
}

// candidates returns the ids that an item may have: its own, and those that follow from its
// source and from what the import hangs under.
func (im *importer) candidates(it *item) (ids []vault.ID, err error) {
	const drawn = 4
	if own, ok := header.ParseID(it.Own); ok && !header.StandIn(own) {
		ids = append(ids, vault.ID(own))
	}
	for n := range drawn {
		id, err := idFrom(im.tx.Prefix(), fmt.Sprintf("%s\x00%s\x00%d", it.Source, im.root, n))
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// makeFile makes the item's file: its text with the links, its id and where it comes from.
func (it *item) makeFile(im *importer) {
	body := im.relinkText(it)
	it.read = shortHash(body)
	steps := []vault.Step{vault.Identify(it.id, "", "")}
	if it.readSource() == it.Source {
		steps = append(steps, vault.Step{Op: vault.OpSetKey, Key: "source", Value: it.Source})
	}
	if title := newSource(body).missingTitle(); title != "" {
		steps = append(steps, vault.Step{Op: vault.OpSetKey, Key: "title", Value: title})
	}
	text, ok := editHeader(body, steps)
	if ok {
		made := vault.ParseText(vault.Path(it.Place+".md"), text)
		text, ok = editHeader(text, []vault.Step{{Op: vault.OpSetKey, Key: "source_of", Value: sourceSum(it.read, made)}})
	}
	it.text = text
	if !ok {
		it.text = it.Text
	}
}

// relinkText returns the item's text with its links below, as wikilinks by id.
func (im *importer) relinkText(it *item) []byte {
	if len(it.Links) == 0 {
		return it.Text
	}
	var b strings.Builder
	text := strings.TrimRight(string(it.Text), "\n")
	b.WriteString(text + "\n")
	if _, body := header.Split(it.Text); len(bytes.TrimSpace(body)) > 0 {
		b.WriteString("\n")
	}
	b.WriteString("## Relations\n\n")
	for _, l := range it.Links {
		name := strings.NewReplacer("[", "(", "]", ")", "|", "/", "\n", " ").Replace(l.Name)
		if to := im.bySource[l.To]; to != nil && name != "" {
			name = "[[" + string(to.id) + "|" + name + "]]"
		}
		b.WriteString(strings.TrimSpace("- "+l.Says+" "+name) + "\n")
	}
	return []byte(b.String())
}

// decideExisting decides about an item that is here.
func (im *importer) decideExisting(it *item) error {
	d := it.doc
	it.row = Row{Source: it.Source, Path: d.Path, ID: d.ID, Action: Unchanged}
	read, made, _ := strings.Cut(d.Mem.SourceOf, ".")
	made, phrase, _ := strings.Cut(made, ".")
	it.phrased = d.Mem.Summary != "" && shortHash([]byte(d.Mem.Summary)) != phrase
	edited := fingerprint(d.Mem) != made
	switch {
	case read == it.read && edited:
		it.row.Reason = "edited here"
	case read == it.read:
	case edited:
		it.row.Action, it.row.Reason = Differs, "changed there, and edited here: what is here stays"
	case !im.o.Update:
		it.row.Action, it.row.Reason = Differs, "--update replaces it"
	default:
		return im.updateItem(it)
	}
	return nil
}

// updateItem takes over what changed there.
func (im *importer) updateItem(it *item) (err error) {
	it.row.Action = Differs
	if it.row.Reason = im.credential(it.text); it.row.Reason != "" {
		return nil
	}
	was, err := it.doc.Text()
	if err != nil {
		return err
	}
	text, ok := it.mergeFile(was)
	if !ok {
		it.row.Reason = unfitText
		return nil
	}
	it.row.Action, it.row.Reason, err = im.planNewText(it.doc, text)
	return err
}

// mergeFile returns the item's file with what the memory has beyond it: labels, a phrase, and the
// keys that the item does not set.
func (it *item) mergeFile(was []byte) ([]byte, bool) {
	h, _ := header.Split(it.text)
	steps := it.keepBindings(stepsToKeepKeys(h, was), was)
	if mine := it.doc.Mem.Labels; len(mine) > 0 {
		steps = append(steps, vault.Step{Op: vault.OpAddToList, Key: "labels", List: mine})
	}
	if it.phrased {
		steps = append(steps, vault.Step{Op: vault.OpSetKey, Key: "summary", Value: it.doc.Mem.Summary})
	}
	return editHeader(it.text, steps)
}

// keepBindings has a rule keep the code that it was bound to here. That of the patterns which it had,
// and has no more, goes.
func (it *item) keepBindings(steps []vault.Step, was []byte) []vault.Step {
	if it.patterns == "" {
		return steps
	}
	h, _ := header.Split(was)
	theirs, _ := bindingsOf(h, it.patterns)
	steps = slices.DeleteFunc(steps, func(s vault.Step) bool { return s.Key == "about" })
	mine := slices.DeleteFunc(slices.Clone(it.doc.Mem.About), func(b string) bool { return slices.Contains(theirs, b) })
	if len(mine) > 0 {
		steps = append(steps, vault.Step{Op: vault.OpAddToList, Key: "about", List: mine})
	}
	return steps
}

// fingerprint returns the beginning of the hash of what a person may edit of a memory: its title,
// text and status. A phrase or a label of ours is no edit.
func fingerprint(m *vault.Memory) string {
	return shortHash([]byte(tree.HashOf(m) + "\n" + m.Status))
}

// sourceSum returns what source_of says: the beginnings of the hashes of what was read and of what
// was made of it, and of the phrase, if the item has one.
func sourceSum(read string, made *vault.Memory) string {
	all := read + "." + fingerprint(made)
	if made.Summary != "" {
		all += "." + shortHash([]byte(made.Summary))
	}
	return all
}

// shortHash returns the beginning of a hash.
func shortHash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:6])
}
