package vault

import (
	"bytes"
	"testing"
)

func TestParseID(t *testing.T) {
	for _, ok := range []string{"pf-7k2m9qx4", "pf-aa1", "a-1", "proj2-x-y"} {
		if id, err := ParseID(ok); err != nil || string(id) != ok {
			t.Errorf("%q: %v", ok, err)
		}
	}
	long := "pf-" + string(bytes.Repeat([]byte("a"), 70))
	for _, bad := range []string{"", "pf", "pf-", "-a", "1e-5", "PF-aa1", "pf--a", "pf-a_b", "pf-é", "pf-a\n", long} {
		if _, err := ParseID(bad); CodeOf(err) != CodeInvalid {
			t.Errorf("%q: want an invalid_argument, got %v", bad, err)
		}
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
