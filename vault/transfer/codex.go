package transfer

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/cp-memory/cp/vault"
)

// Codex keeps what it learned of all sessions in a folder. What it reads again is MEMORY.md, a
// row of task groups:
//
//	# Task Group: Gateway, releases and rollbacks
//	scope: Releasing the gateway; use when a rollback hangs.
//	applies_to: cwd=/src/gateway; reuse_rule=safe in this checkout
//
//	## Task 1: Roll back 2.3, done
//	### rollout_summary_files
//	- rollout_summaries/a.md (cwd=/src/gateway, thread_id=…)
//	### keywords
//	- nomad, rollback, connection refused
//	## Reusable knowledge
//	- …
//
// Each group becomes a memory: its scope is the phrase, keywords that read like tags are labels.
// Codex reorders groups and may name two alike, so groups of one name are told apart by what
// they apply to, not by where they stand. What is of no group, before the first one or below
// another heading of level 1, is the text of the memory above. The other files stay behind, and
// links to them become text.

const codexBook = "MEMORY.md"

// codexFiles says what the other files are, and the files of a folder.
var codexFiles = map[string]string{
	"memory_summary.md":  "Codex's overview of MEMORY.md",
	"raw_memories.md":    "what Codex makes MEMORY.md of",
	"rollout_summaries/": "logs of sessions",
	"skills/":            "skills, which `cp memory import` takes as they stand",
}

var (
	groupHead  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^# +task group *:\s*(.*?)\s*$`) })
	groupScope = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\A\s*(?:applies_to:[^\n]*\n\s*)?(scope:[ \t]*([^\n]*)\n?)`)
	})
	appliesTo = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?im)^applies_to:.*$`) })
	keywords  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?im)^### keywords[ \t]*\n\s*- (.*)$`) })
	tagLike   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\pL\pN][\pL\pN_-]{1,29}$`) })
	usedWhen  = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)(?:^|(not |never |n't )?\buse(?: this| it)?(?: block| group| memory)?(?: only)? )((?:when|whenever|if) .*)`)
	})
	coversWhat = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^(?:covers|use(?: this| it)? for) +`) })
	leftLink   = sync.OnceValue(func() *regexp.Regexp {
		const file = `(?:\./)?((?:rollout_summaries|skills|extensions)/[^\s()<>\[\]|]+|raw_memories\.md|memory_summary\.md)`
		return regexp.MustCompile(`\[([^\[\]\n]*)\]\(<?` + file + `>?\)|\[\[` + file + `(?:\|[^\]\n]*)?\]\]|<` + file + `>`)
	})
)

// codex reads the form.
func (r *reader) codex() {
	book := slices.IndexFunc(r.files, func(f File) bool {
		return f.Rel == codexBook || len(r.files) == 1 && !strings.Contains(f.Rel, "/")
	})
	if book >= 0 {
		r.takeGroups(r.files[book])
	} else if len(r.files) > 0 {
		r.noteLeftOut(codexBook, "it is not there, and Codex keeps its memory in it")
	}
	left := make(map[string]int)
	for i, f := range r.files {
		if name, _, inside := strings.Cut(f.Rel, "/"); inside {
			left[name+"/"]++
		} else if i != book {
			left[name]++
		}
	}
	for _, name := range slices.Sorted(maps.Keys(left)) {
		r.noteLeftOut(name, "%s: %s", vault.Plural(left[name], "file", "files"), cmp.Or(codexFiles[name], "no part of MEMORY.md"))
	}
}

// takeGroups takes in the task groups of MEMORY.md, and above them what is of none.
func (r *reader) takeGroups(f File) {
	text := strings.TrimPrefix(strings.ReplaceAll(string(f.Text), "\r\n", "\n"), "\ufeff")
	above, groups := cutAtGroups(text)
	if len(groups) == 0 {
		r.noteLeftOut(f.Rel, "no line of it begins with '# Task Group: ', as those of Codex do")
		return
	}
	folder := r.top("Codex memory", "When you want what Codex has noted of its tasks and its people",
		cmp.Or(trimBody(unlinkLeft(above)), "Task groups of Codex, brought in from its MEMORY.md.\n"))
	slices.SortStableFunc(groups, byNameAndReach)
	seen := make(map[string]int)
	for _, g := range groups {
		source := r.source(g.heading)
		for r.sources[source] {
			seen[g.heading]++
			source = fmt.Sprintf("%s-%d", r.source(g.heading), seen[g.heading]+1)
		}
		r.takeGroup(fmt.Sprintf("%s:%d", f.Rel, g.line), Item{Source: source}, folder, g)
	}
}

// byNameAndReach orders task groups, those of one name by what they apply to.
func byNameAndReach(a, b *part) int {
	return cmp.Or(strings.Compare(a.heading, b.heading), strings.Compare(appliesTo().FindString(a.body.String()), appliesTo().FindString(b.body.String())))
}

// takeGroup takes a task group in.
func (r *reader) takeGroup(where string, i Item, folder string, g *part) {
	if strings.TrimSpace(g.body.String()) == "" {
		r.noteLeftOut(where, "nothing stands below the task group '%s'", vault.Clip(g.heading, 80))
		return
	}
	title, phrase, body := g.group()
	i.Place = r.placeForTitle(folder, g.heading, "group")
	r.takeComposed(where, i, vault.Header{Title: title, Summary: phrase, Labels: g.tags()}, body)
}

// cutAtGroups cuts a text at its task groups. above is what is of none.
func cutAtGroups(body string) (above string, groups []*part) {
	rows := slices.Collect(strings.Lines(body))
	code := codeRows(rows)
	top := &part{}
	at := top
	for i, row := range rows {
		if m := groupHead().FindStringSubmatch(row); m != nil && !code[i] {
			at = &part{level: 1, heading: cmp.Or(cleanLine(m[1]), "Task group"), line: i + 1}
			groups = append(groups, at)
			continue
		}
		if level(row) == 1 && !code[i] {
			at = top
		}
		at.body.WriteString(row)
	}
	return top.body.String(), groups
}

// codeRows says which lines are in a fence of code. One that nothing closes is none here: what
// follows it would not be found.
func codeRows(rows []string) []bool {
	code := make([]bool, len(rows))
	var fence fence
	from := 0
	for i, row := range rows {
		if fence == "" {
			from = i
		}
		code[i] = fence.code(strings.TrimLeft(row, " "))
	}
	if fence != "" {
		code[from] = false
		copy(code[from+1:], codeRows(rows[from+1:]))
	}
	return code
}

// group returns what a task group becomes. The line of the scope stays where the phrase does
// not say all of it, and so does a name that is no title.
func (p *part) group() (title, phrase, body string) {
	body = p.body.String()
	if at := groupScope().FindStringSubmatchIndex(body); at != nil {
		scope := cleanLine(body[at[4]:at[5]])
		phrase = phraseOfScope(scope)
		if strings.HasSuffix(strings.ToLower(phrase), strings.ToLower(scope)) {
			body = body[:at[2]] + body[at[3]:]
		}
	}
	title, whole := titleFromText(p.heading)
	if !whole {
		body = p.heading + "\n\n" + trimBody(body)
	}
	return title, phrase, unlinkLeft(body)
}

// phraseOfScope makes a trigger phrase of what a task group covers; empty of nothing.
func phraseOfScope(scope string) string {
	if scope == "" {
		return ""
	}
	phrase := "When the task is: " + coversWhat().ReplaceAllString(scope, "")
	if m := usedWhen().FindStringSubmatch(scope); m != nil && m[1] == "" {
		phrase = strings.ToUpper(m[2][:1]) + m[2][1:]
	}
	phrase, _ = titleFromText(phrase)
	return phrase
}

// tags returns the keywords of a task group that read like tags, and are no files, commands or
// texts of errors.
func (p *part) tags() []string {
	const most = 8
	var all []string
	for _, m := range keywords().FindAllStringSubmatch(p.body.String(), -1) {
		for word := range strings.SplitSeq(m[1], ",") {
			if word = strings.Trim(word, " \t`\"'"); tagLike().MatchString(word) {
				all = append(all, word)
			}
		}
	}
	all = labels(all...)
	return all[:min(len(all), most)]
}

// unlinkLeft makes text of the links to files that stay behind.
func unlinkLeft(body string) string {
	return outsideCode(body, func(text string) string {
		return leftLink().ReplaceAllStringFunc(text, func(link string) string {
			m := leftLink().FindStringSubmatch(link)
			file := m[2] + m[3] + m[4]
			if strings.HasSuffix(file, m[1]) {
				return file
			}
			return m[1] + " (" + file + ")"
		})
	})
}
