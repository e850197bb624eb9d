package setup

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strconv"

	"github.com/cp-memory/cp/cmd/internal/setup/splice"
	"github.com/cp-memory/cp/vault"
)

// Access says which of the tools an agent calls without asking its person.
type Access string

// The accesses.
const (
	AllTools Access = "all"
	Reading  Access = "reading" // those that change nothing
	NoTools  Access = "none"
)

// readingTools are the tools that change nothing.
var readingTools = [...]string{"memory_recall", "memory_show", "memory_tree", "memory_history"}

// ReadingTools lists the tools that the access [Reading] has.
func ReadingTools() []string { return readingTools[:] }

// Grant is the form in which an agent's settings say that it need not ask. A rule is an element
// of a list, or a member of an object where Value is given.
type Grant struct {
	File  string
	Path  []string // of the list or the object
	All   string   // the rule for all tools
	Tool  string   // begins the rule for one tool; empty where there is none
	Value string   // of the member
	Deny  []string // a list whose rules count for more
	Needs bool     // the object is the server's entry
}

// rules are those of an access.
func (g Grant) rules(a Access) (all []string) {
	switch {
	case a == AllTools:
		return []string{g.All}
	case a == Reading && g.Tool != "":
		for _, tool := range readingTools {
			all = append(all, g.Tool+tool)
		}
	}
	return all
}

// gives reports whether an agent's settings can give an access.
func (g Grant) gives(a Access) bool { return g.File != "" && (a != Reading || g.Tool != "") }

// questions says what an agent asks of its person after the set-up; empty for nothing.
func (a Agent) questions(scope Scope, access Access) string {
	g := a.SiteFor(scope).Allow
	if g.gives(access) && access != NoTools {
		return ""
	}
	note := a.Title + " asks before it calls a tool of the memory"
	switch {
	case g.File != "":
		return note + "; --allow all spares it"
	case a.Asks != "":
		return note + "; this spares it: " + a.Asks
	}
	return note
}

// allowance is a grant in an agent's JSON settings.
type allowance struct {
	Grant
	want Access // empty: what is there stays, else all tools
}

// findRules returns where our rules stand.
func (a allowance) findRules(text []byte) (at map[string][]string, err error) {
	raw, err := splice.Get(text, a.Path)
	if err != nil || raw == nil {
		return nil, err
	}
	at = map[string][]string{}
	ours := append(a.rules(AllTools), a.rules(Reading)...)
	switch said := parseJSON(raw).(type) {
	case []any:
		for i, one := range said {
			if rule, ok := one.(string); ok && slices.Contains(ours, rule) {
				at[rule] = append(slices.Clone(a.Path), strconv.Itoa(i))
			}
		}
	case map[string]any:
		for _, rule := range ours {
			if v, ok := said[rule]; ok && string(compactJSON(v)) == a.Value {
				at[rule] = append(slices.Clone(a.Path), rule)
			}
		}
	}
	return at, nil
}

// access is what rules give.
func (a allowance) access(rules map[string][]string) Access {
	has := func(of Access) bool {
		for _, rule := range a.rules(of) {
			if rules[rule] == nil {
				return false
			}
		}
		return len(a.rules(of)) > 0
	}
	switch {
	case has(AllTools):
		return AllTools
	case has(Reading):
		return Reading
	}
	return NoTools
}

func (a allowance) state(text []byte) (State, error) {
	rules, err := a.findRules(text)
	if err != nil {
		return Broken, err
	}
	switch word := a.wordForAll(text); word {
	case "":
	case a.Value:
		return Current, nil
	default:
		return Other, vault.Errorf(vault.CodeInvalid, "put in by hand what is shown, if it is to ask less", "%s is %s there for all tools", a.Path[0], word)
	}
	if a.isDenied(text) {
		return Other, vault.Errorf(vault.CodeInvalid, "take it out there, if that was not meant", "%s forbids it", a.Deny[len(a.Deny)-1])
	}
	switch there := a.access(rules); {
	case len(rules) == 0:
		return Missing, nil
	case there == a.want || a.want == "" && there != NoTools:
		return Current, nil
	}
	return Stale, nil
}

// wordForAll is the value that stands in place of an object of rules, for all tools of all servers;
// empty for none.
func (a allowance) wordForAll(text []byte) string {
	raw, err := splice.Get(text, a.Path)
	if err != nil || a.Value == "" || !bytes.HasPrefix(raw, []byte(`"`)) {
		return ""
	}
	return string(raw)
}

// isDenied reports whether the agent is told never to call our tools. One of them may be forbidden
// beside a grant for all.
func (a allowance) isDenied(text []byte) bool {
	if len(a.Deny) == 0 {
		return false
	}
	deny := allowance{Grant: a.Grant}
	deny.Path = a.Deny
	rules, err := deny.findRules(text)
	return err == nil && rules[a.All] != nil
}

func (a allowance) apply(text []byte) ([]byte, error) {
	if raw, err := splice.Get(text, a.Path); err != nil || a.Needs && raw == nil {
		return text, err
	}
	text, err := a.remove(text)
	for _, rule := range a.rules(cmp.Or(a.want, AllTools)) {
		switch {
		case err != nil:
			return nil, err
		case a.Value != "":
			text, err = splice.Set(text, append(slices.Clone(a.Path), rule), []byte(a.Value))
		default:
			text, err = splice.Append(text, a.Path, compactJSON(rule))
		}
	}
	return text, err
}

// remove takes our rules out, the last first.
func (a allowance) remove(text []byte) ([]byte, error) {
	rules, err := a.findRules(text)
	for _, path := range slices.Backward(slices.SortedFunc(maps.Values(rules), comparePositions)) {
		if err == nil {
			text, err = splice.Delete(text, path)
		}
	}
	return text, err
}

// comparePositions orders paths that differ in their last name, which may be a position.
func comparePositions(a, b []string) int {
	x, _ := strconv.Atoi(a[len(a)-1])
	y, _ := strconv.Atoi(b[len(b)-1])
	return x - y
}

func (a allowance) snippet() string {
	a.Needs = false
	out, _ := a.apply([]byte("{}\n"))
	return string(out)
}

func (allowance) form() form { return form{blank: "{}\n", settings: true} }

func (a allowance) says(text []byte) said {
	if a.Value != "" && a.wordForAll(text) == a.Value {
		return said{access: AllTools}
	}
	rules, _ := a.findRules(text)
	return said{access: a.access(rules)}
}

// said is what a part that is there says of itself.
type said struct {
	program string // that it starts
	off     string // the setting by which it does not run
	access  Access
}
