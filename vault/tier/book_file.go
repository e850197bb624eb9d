package tier

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/cp-memory/cp/vault"
)

// lists are the names under which a list of items may stand in an object.
var lists = [...]string{"observations", "memories", "items"}

// Load replaces what the book holds by what r gives: a list of items in JSON, bare or in an
// object such as {"observations": […]}. Nothing at all is an empty book. An item that cannot
// be read is named by a warning and kept as it is for [Book.Save]. On an error the book
// stays as it was.
func (b *Book) Load(r io.Reader) (warnings []string, err error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, vault.Errorf(vault.CodeIO, "", "the items cannot be read: %w", err)
	}
	all, frame, list, err := splitFrame(text)
	if err != nil {
		return nil, err
	}
	read := Book{ids: make(map[string]*Item)}
	for n, raw := range all {
		var i Item
		err := json.Unmarshal(raw, &i)
		if err == nil {
			err = read.Add(i)
		}
		if err != nil {
			read.rows = append(read.rows, row{raw: slices.Clone(raw)})
			warnings = append(warnings, fmt.Sprintf("item %d is skipped: %v", n+1, err))
		}
	}
	b.rows, b.ids, b.frame, b.list = read.rows, read.ids, frame, list
	return warnings, nil
}

// splitFrame returns the items of a text, and the object around them without the list.
func splitFrame(text []byte) (all []json.RawMessage, frame members, list string, err error) {
	text = bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\ufeff")))
	if len(text) == 0 {
		return nil, nil, "", nil
	}
	if err := json.Unmarshal(text, &all); err == nil {
		return all, nil, "", nil
	}
	if err := json.Unmarshal(text, &frame); err != nil {
		return nil, nil, "", vault.Errorf(vault.CodeDamaged, "nothing was changed; mend the file", "the items are no valid JSON: %w", err)
	}
	for _, name := range lists {
		if raw, ok := frame[name]; ok && json.Unmarshal(raw, &all) == nil {
			delete(frame, name)
			return all, frame, name, nil
		}
	}
	return nil, nil, "", vault.Errorf(vault.CodeDamaged, "nothing was changed; mend the file", "no list of items is in the object")
}

// Save writes what the book holds, in the form in which it was loaded. What is loaded from
// that and saved again is the same byte for byte. The caller makes the file whole or not at
// all.
func (b *Book) Save(w io.Writer) error {
	all := make([]json.RawMessage, len(b.rows))
	for n, r := range b.rows {
		all[n] = r.raw
		if r.Item == nil {
			continue
		}
		raw, err := indentJSON(*r.Item, "")
		if err != nil {
			return err
		}
		all[n] = raw
	}
	text, err := b.addFrame(all)
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// addFrame puts the object around the items that they came in.
func (b *Book) addFrame(all []json.RawMessage) ([]byte, error) {
	if b.frame == nil {
		return indentJSON(all, "  ")
	}
	list, err := indentJSON(all, "")
	if err != nil {
		return nil, err
	}
	frame := members{b.list: list}
	for name, raw := range b.frame {
		frame[name] = raw
	}
	return indentJSON(frame, "  ")
}

// ReadItems returns the items of a file that another program has written, in its order, and a
// warning for each one that cannot be read. An item may be without an id.
func ReadItems(text []byte) (items []Item, warnings []string, err error) {
	all, _, _, err := splitFrame(text)
	for n, raw := range all {
		var i Item
		if err := json.Unmarshal(raw, &i); err != nil {
			warnings = append(warnings, fmt.Sprintf("item %d is skipped: %v", n+1, err))
			continue
		}
		items = append(items, i)
	}
	return items, warnings, err
}
