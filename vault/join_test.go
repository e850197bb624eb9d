package vault

import "testing"

// What a person types in a facts file is merged with what a pull brings, unless it is half
// typed: then it is in the way.
func TestBlendOfFacts(t *testing.T) {
	const file = "memory/.cp/facts/3f/x.json"
	text := func(prompt, entities string) []byte {
		return []byte(`{"id": "pf-a", "of": "", "by": "", "prompt": ` + prompt + ",\n\"entities\": [\n" + entities + "\n],\n\"relations\": []}\n")
	}
	const drawn, anew, byHand = `{"name": "a", "type": "t"}`, `{"name": "b", "type": "t"}`, `{"name": "c", "type": "t", "hand": true}`
	got, ok := Blend(file, text("1", drawn), text("1", drawn+",\n"+byHand), text("2", anew))
	if want := string(text("2", anew+",\n"+byHand)); !ok || string(got) != want {
		t.Errorf("got %v\n%s\nwant\n%s", ok, got, want)
	}
	if _, ok := Blend(file, text("1", drawn), []byte("{"), text("2", anew)); ok {
		t.Error("what is half typed would be lost")
	}
	got, ok = Blend(".cp/facts/untracked/old.jsonl", []byte("a\n"), []byte("a\nb\n"), []byte("a\nc\n"))
	if !ok || string(got) != "a\nb\nc\n" {
		t.Errorf("lines: %v, %q", ok, got)
	}
}
