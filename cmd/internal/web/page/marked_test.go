package page

import "testing"

func TestMarked(t *testing.T) {
	for _, row := range []struct{ text, question, want string }{
		{"Roll back the gateway", "gateway", "Roll back the <mark>gateway</mark>"},
		{"Gateways, and a megagateway", "gateway back", "<mark>Gateway</mark>s, and a megagateway"},
		{"a<b>c & b", "b c", "a&lt;<mark>b</mark>&gt;<mark>c</mark> &amp; <mark>b</mark>"},
		{"ÄNDERUNG und Über", "änderung über", "<mark>ÄNDERUNG</mark> und <mark>Über</mark>"},
		{"部署与回滚步骤", "回滚", "部署与<mark>回滚</mark>步骤"},
		{"<script>", "script <script>", "&lt;<mark>script</mark>&gt;"},
		{"gnp\u202eexe", "exe", `gnp\u202eexe`},
		{"nothing", "", "nothing"},
		{"", "x", ""},
		{"a\xffb", "b", `a\xffb`},
	} {
		if got := string(markWords(row.text, row.question)); got != row.want {
			t.Errorf("%q in %q: %s, want %s", row.question, row.text, got, row.want)
		}
	}
}
