package header

import "testing"

// TestCommitKey keeps what is compared after a rebase, and takes nothing else for a key.
func TestCommitKey(t *testing.T) {
	k := NewCommitKey(1707123456, "pat@example.org", "Limit the rate")
	if got := k.String(); got != "1707123456 80254a4b 183d8685" {
		t.Errorf("got %q", got)
	}
	amended := NewCommitKey(1707123456, "pat@example.org", "Limit the rate (#12)")
	if other := NewCommitKey(1707123456, "sam@example.org", "Limit the rate"); k == amended || k.WithoutSubject() != amended.WithoutSubject() || k.WithoutSubject() == other.WithoutSubject() {
		t.Error("an amended commit is the work of its author, and of nobody else")
	}
	for _, text := range []string{"", "1707123456", "1707123456 95480a59", "1707123456  95480a59 3b4e49d9", "+1707123456 95480a59 3b4e49d9", "01 95480a59 3b4e49d9",
		"1707123456 95480A59 3b4e49d9", "1707123456 95480a5 3b4e49d9", "x 95480a59 3b4e49d9", "1707123456 95480a59 3b4e49d9 ", "99999999999999999999 95480a59 3b4e49d9"} {
		if k, ok := ParseCommitKey(text); ok {
			t.Errorf("%q is read as %v", text, k)
		}
	}
}

// TestSuccessors keeps what is known, and nothing of a text that was cut off.
func TestSuccessors(t *testing.T) {
	s := Successors{"h", map[string]Successor{"a": {Commit: "a"}, "b": {Commit: "c"}, "d": {}, "e": {Candidates: []string{"a", "c"}}}}
	text := s.String()
	if want := "h\na\nb c\nd ?\ne ? a c\n"; text != want {
		t.Errorf("got %q", text)
	}
	if again := ParseSuccessors(text); again.String() != text {
		t.Errorf("got %v", again)
	}
	for _, text := range []string{"", "h", "h\n", "h\na b", "h\na\nb"} {
		if got := ParseSuccessors(text); len(got.Next) > 0 {
			t.Errorf("%q: got %v", text, got)
		}
	}
}

func FuzzCommitKey(f *testing.F) {
	f.Add("1707123456 95480a59 3b4e49d9")
	f.Add("-5 95480a59 3b4e49d9")
	f.Fuzz(func(t *testing.T, text string) {
		if k, ok := ParseCommitKey(text); ok && k.String() != text {
			t.Errorf("%q became %q", text, k)
		}
	})
}
