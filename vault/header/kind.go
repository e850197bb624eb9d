package header

import "slices"

// Kind is what an entry tells of.
type Kind string

// The kinds.
const (
	Inception     Kind = "inception"
	Elicitation   Kind = "elicitation"
	Research      Kind = "research"
	Decision      Kind = "decision"
	Progress      Kind = "progress"
	Blocker       Kind = "blocker"
	Review        Kind = "review"
	Learning      Kind = "learning"
	Retrospective Kind = "retrospective"
	Pattern       Kind = "pattern"
	Finding       Kind = "finding"     // of a review
	Observation   Kind = "observation" // counted by the sessions that made it
	Handoff       Kind = "handoff"     // word for the next session
)

// row is a kind with its namespace.
type row struct {
	kind      Kind
	namespace string
}

// all are the kinds in the order in which they are listed: as the phases of a project
// follow each other.
var all = [...]row{
	{Inception, "inception"}, {Elicitation, "elicitation"}, {Research, "research"}, {Decision, "decisions"},
	{Progress, "progress"}, {Blocker, "blockers"}, {Review, "reviews"}, {Learning, "learnings"},
	{Retrospective, "retrospective"}, {Pattern, "patterns"}, {Finding, "reviews"}, {Observation, "observations"},
	{Handoff, "handoffs"},
}

// Kinds returns the kinds in the order in which they are listed.
func Kinds() []Kind {
	kinds := make([]Kind, len(all))
	for i, r := range all {
		kinds[i] = r.kind
	}
	return kinds
}

// ParseKind returns the kind that a word names, as a kind or as a namespace. "reviews" names
// [Review]. ok is false for any other word; case counts.
func ParseKind(word string) (k Kind, ok bool) {
	i := slices.IndexFunc(all[:], func(r row) bool { return string(r.kind) == word || r.namespace == word })
	if i < 0 {
		return "", false
	}
	return all[i].kind, true
}

// Namespace returns the plural under which entries of the kind are counted; empty for no
// kind. Findings count as reviews.
func (k Kind) Namespace() string {
	if i := k.Rank(); i < len(all) {
		return all[i].namespace
	}
	return ""
}

// Rank returns the kind's place in [Kinds]; beyond the last for no kind.
func (k Kind) Rank() int {
	i := slices.IndexFunc(all[:], func(r row) bool { return r.kind == k })
	if i < 0 {
		return len(all)
	}
	return i
}
