package vault

import "testing"

func TestALineIsAddedOnce(t *testing.T) {
	for _, row := range []struct{ name, doc, want string }{
		{"an empty file", "", "!facts/\n"},
		{"behind the others", "*\n!vault.yaml\n", "*\n!vault.yaml\n!facts/\n"},
		{"no final newline", "*\n!vault.yaml", "*\n!vault.yaml\n!facts/\n"},
		{"CRLF", "*\r\n!vault.yaml\r\n", "*\r\n!vault.yaml\r\n!facts/\r\n"},
		{"it is there", "!facts/\n*\n", "!facts/\n*\n"},
		{"it is there, without a newline", "*\n!facts/", "*\n!facts/"},
		{"it is there, with CRLF", "*\r\n!facts/\r\n", "*\r\n!facts/\r\n"},
		{"a longer line", "*\n!facts/**\n", "*\n!facts/**\n!facts/\n"},
		{"what looks like front matter", "---\n*\n", "---\n*\n!facts/\n"},
	} {
		step := Step{Op: OpAddLine, Text: "!facts/"}
		got, err := step.Apply([]byte(row.doc))
		if err != nil || string(got) != row.want {
			t.Errorf("%s: got %q, %v", row.name, got, err)
		}
		if again, _ := step.Apply(got); string(again) != row.want || !step.Done(got) {
			t.Errorf("%s: twice: %q", row.name, again)
		}
		if step.Replaces() {
			t.Error("a line that is added replaces nothing")
		}
	}
}
