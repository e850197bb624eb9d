package vault

import (
	"bytes"
	"testing"
)

func TestParseID(t *testing.T) {
	for _, ok := range []string{"pf-7k2m9qx4", "pf-aa1", "a-1", "proj2-x-y", "intro", "ADR-0007", "1e-5"} {
		if id, err := ParseID(ok); err != nil || string(id) != ok {
			t.Errorf("%q: %v", ok, err)
		}
	}
	long := "pf-" + string(bytes.Repeat([]byte("a"), 98))
	for _, bad := range []string{"", "-a", "new-1", "a/b", "a b", "pf-a\n", long} {
		if _, err := ParseID(bad); CodeOf(err) != CodeInvalid {
			t.Errorf("%q: want an invalid_argument, got %v", bad, err)
		}
	}
}

// Only what has the form of an id of ours may give way to another one.
func TestDrawn(t *testing.T) {
	for id, want := range map[ID]bool{"pf-7k2m9qx4": true, "hn-7k2m9qx4": false, "pf-aa1": false, "pf-7k2m9qxi": false, "intro": false, "pf-7k2m-qx4": false} {
		if id.IsDrawn("pf") != want {
			t.Errorf("%s: want %v", id, want)
		}
	}
	if !ID("hn-7k2m9qx4").IsDrawn("") {
		t.Error("with any prefix it is one")
	}
}

func TestNewIDIsAnID(t *testing.T) {
	id, err := NewID("pf", bytes.NewReader([]byte{0, 31, 32, 63, 64, 200, 255, 10}))
	if err != nil || id != "pf-0z0z08za" {
		t.Errorf("got %q, %v", id, err)
	}
	if _, err := ParseID(string(id)); err != nil {
		t.Error(err)
	}
	if _, err := NewID("pf", bytes.NewReader(nil)); err == nil {
		t.Error("want an error when there is no randomness")
	}
}

func TestValidPrefix(t *testing.T) {
	for prefix, want := range map[string]bool{"pf": true, "a1b2c3d4": true, "p": false, "1a": false, "toolong99": false, "p-f": false, "new": false, "": false} {
		if ValidPrefix(prefix) != want {
			t.Errorf("%q: want %v", prefix, want)
		}
	}
}
