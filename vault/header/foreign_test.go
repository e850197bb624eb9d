package header_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cp-memory/cp/vault/header"
)

// values are what other programs may have under a key, in every way that it is written.
var values = map[string]string{
	"a list": " [a, b]\n", "rows": "\n  - a\n  - b\n", "a list of one": " [a]\n", "keys": "\n  a: 1\n  b: 2\n", "braces": " {a: 1}\n",
	"a list of lists": " [[a], b]\n", "a list of keys": "\n  - a: 1\n", "words": " Not a thing\n",
}

// Each field meets each value, and each write: what stands there stays, or the write fails and
// names the key.
func TestWhatAnotherProgramWroteStays(t *testing.T) {
	writes := map[string]func(doc []byte, key string) ([]byte, error){
		"set":  func(doc []byte, key string) ([]byte, error) { return header.SetField(doc, key, "2026-01-02") },
		"list": func(doc []byte, key string) ([]byte, error) { return header.SetFieldList(doc, key, []string{"x"}) },
		"add":  func(doc []byte, key string) ([]byte, error) { return header.AddItems(doc, key, []string{"x"}) },
		"less": func(doc []byte, key string) ([]byte, error) { return header.RemoveItems(doc, key, []string{"x"}) },
		"drop": header.DropKey,
		"new": func(doc []byte, key string) ([]byte, error) {
			var v header.Values
			f := header.FieldOf(key)
			switch v := f.PointerIn(&v).(type) {
			case *string:
				*v = "2026"
			case *time.Time:
				*v = time.Unix(0, 0)
			case *[]string:
				*v = []string{"x"}
			}
			return header.WriteValues(doc, &v, nil)
		},
	}
	for _, f := range header.Fields {
		for name, value := range values {
			doc := "---\nfirst: 1\n" + f.Key + ":" + value + "last: 2\n---\nText.\n"
			h, _ := header.Split([]byte(doc))
			if f.Kind == header.IDValue || !foreign(f, name) {
				continue
			}
			for write, do := range writes {
				if !fits(f, write) {
					continue
				}
				out, err := do([]byte(doc), f.Key)
				if err == nil && !strings.Contains(string(out), f.Key+":"+value) {
					t.Errorf("%s with %s, %s: got %q", f.Key, name, write, out)
				}
				if err != nil && !strings.Contains(err.Error(), f.Key) {
					t.Errorf("%s with %s, %s: %v does not name the key", f.Key, name, write, err)
				}
				if write == "drop" && (err != nil || string(out) != doc) {
					t.Errorf("%s with %s, dropped: %q, %v", f.Key, name, out, err)
				}
			}
			if name != "words" && len(header.ForeignKeys(h)) != 1 {
				t.Errorf("%s with %s is not told: %v", f.Key, name, header.ForeignKeys(h))
			}
		}
	}
}

// foreign reports whether a value is none that the field can have.
func foreign(f header.Field, name string) bool {
	mixed := name == "keys" || name == "braces" || name == "a list of lists" || name == "a list of keys"
	switch f.Kind {
	case header.ListValue, header.ReferencesValue, header.TextsValue:
		return mixed
	case header.MappingValue:
		return name != "keys" && name != "braces"
	case header.TextValue:
		return name != "words"
	}
	return true
}

// fits reports whether there is such a write of the field.
func fits(f header.Field, write string) bool {
	switch f.Kind {
	case header.ListValue, header.ReferencesValue, header.TextsValue:
		return write != "set"
	case header.MappingValue:
		return write == "drop"
	}
	return write == "set" || write == "drop" || write == "new"
}
