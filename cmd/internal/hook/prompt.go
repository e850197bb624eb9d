package hook

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/cmd/internal/target"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/prose"
	"github.com/cp-memory/cp/vault/recall"
	"github.com/cp-memory/cp/vault/transcript"
)

// prompt is the memories that a prompt is about, if the user's settings ask for them.
func (h hooked) prompt(ctx context.Context) (text string, err error) {
	asked := strings.TrimSpace(transcript.Clean(h.in.Prompt))
	said := significantWords(asked)
	personal, err := settings.Personal(h.flags, h.Place())
	if err != nil || !personal.Hooks.Prompt || len(said) < 2 || strings.HasPrefix(asked, "/") {
		return "", err
	}
	quick, cancel := context.WithDeadline(ctx, h.deadline.Add(-answering))
	defer cancel()
	err = h.openVault(ctx, asSet, func(t target.Target) error {
		var a recall.Answer
		here := ""    // the path of the current project, where those below answer
		below := true // once the time was up, this vault answers alone
		_, err := h.inTime(ctx, quick, t.Session, func(ctx context.Context, s *app.Session) (err error) {
			q := recall.Query{Text: vault.Clip(asked, 2000), Filter: vault.ListOptions{Limit: promptRows}, MinSimilarity: near, Strict: true}
			if fam := family(ctx, t.In(s), below); fam != nil {
				below, here = false, fam.Of.Path
				defer fam.Close()
				a, err = fam.Recall(ctx, q, app.Filter{Limit: promptRows})
				return err
			}
			a, err = s.Finder().Recall(ctx, q)
			return err
		})
		if err != nil {
			return err
		}
		var b strings.Builder
		for _, row := range a.Rows {
			line := prose.Harmless(fmt.Sprintf("- %s %s: %s", render.Line(string(row.ID)), render.Line(row.Title+projectSuffix(row, here)), render.Line(row.Summary))) + "\n"
			if row.Phraseless || !speaksOf(said, row) || vault.Tokens(b.String()+line) > promptCost-promptFrame {
				continue
			}
			b.WriteString(line)
		}
		if b.Len() > 0 {
			text = h.say("The memory has this on it; read one with `cp memory show ID` when its phrase fits.\n") + data(b.String())
		}
		return nil
	})
	return text, err
}

// A memory is told where its title and phrase share two words with the prompt and it is near,
// or one word and it is very near. On the sample of this repository that keeps what each of
// its questions asks for, and answers none of ten prompts about other things.
const (
	near     = 0.2
	veryNear = 0.4
)

// speaksOf reports whether a memory's title and phrase speak of what was said.
func speaksOf(said map[string]bool, row recall.Row) bool {
	shared := 0
	for word := range significantWords(row.Title + " " + row.Summary) {
		if said[word] {
			shared++
		}
	}
	return shared >= 2 || shared == 1 && row.Similarity >= veryNear
}

// significantWords are the words of a text that tell something: those of four letters and more, by
// their first five, so that "deploy" and "deploys" are one.
func significantWords(text string) map[string]bool {
	words := map[string]bool{}
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		letters := []rune(word)
		if len(letters) >= 4 && !strings.Contains(idle, " "+word+" ") {
			words[string(letters[:min(len(letters), 5)])] = true
		}
	}
	return words
}

// idle are words of four letters and more that tell nothing.
const idle = " about after again also another because been before being both cannot could does doing done down each else ever every from have here into just know like look make many more most much must need only other over please same should some something such sure take tell than that them then there these they thing this those through under until using very want well were what when where which while will with without work would write writes writing written your "
