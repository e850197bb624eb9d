package tier

import (
	"strconv"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
)

// Entry is what the header of a memory tells beside its title, its text and its record: of an
// entry of the journal, a finding, and what people decide about. Of an ordinary memory it is
// empty. Its JSON fields are promises; they are called as in the answers of the journal.
type Entry struct {
	Namespace string `json:"namespace,omitempty"` // as in Standing
	Level     Level  `json:"level,omitempty"`
	Denial
	Spec       string    `json:"spec,omitempty"`
	Phase      string    `json:"phase,omitempty"`
	Commit     string    `json:"commit,omitempty"`
	Severity   string    `json:"severity,omitempty"`
	Category   string    `json:"category,omitempty"`
	Files      []string  `json:"files,omitempty"` // that a finding is about, from the top of the code; file is the memory's own
	Line       int       `json:"line,omitempty"`  // in that file
	Resolution string    `json:"resolution,omitempty"`
	Resolved   time.Time `json:"resolved_at,omitzero"`
	Replaced   time.Time `json:"superseded_at,omitzero"`

	Count     int       `json:"count,omitempty"` // of the sessions that made it
	Sessions  []string  `json:"sessions,omitempty"`
	FirstSeen time.Time `json:"first_seen,omitzero"`
	LastSeen  time.Time `json:"last_seen,omitzero"`

	Approved    time.Time `json:"approved_at,omitzero"`
	ApprovedBy  string    `json:"approved_by,omitempty"`
	DeniedBy    string    `json:"denied_by,omitempty"`
	LongTerm    time.Time `json:"long_term_at,omitzero"`
	Core        time.Time `json:"core_at,omitzero"`
	CoreTargets []string  `json:"core_targets,omitempty"`
}

// EntryOf returns what a header tells.
func EntryOf(h *vault.Header) Entry {
	standing := StandingOf(h)
	e := Entry{Namespace: standing.Namespace, Level: standing.Level, Spec: h.Spec, Phase: h.Phase, Commit: h.Commit, Severity: h.Severity, Category: h.Category,
		Resolution: h.Resolution, Resolved: h.Resolved, Replaced: h.Replaced,
		Count: CountSessions(h), Sessions: header.UniqueItems(h.Sessions), FirstSeen: h.FirstSeen, LastSeen: h.LastSeen,
		Approved: h.Approved, ApprovedBy: h.ApprovedBy, Denial: DenialOf(h), DeniedBy: h.DeniedBy,
		LongTerm: h.LongTerm, Core: h.Core, CoreTargets: h.CoreTargets}
	if h.File != "" {
		e.Files = []string{h.File}
	}
	e.Line, _ = strconv.Atoi(h.Line)
	return e
}

// Rows returns what there is to tell beside a denial, each with its name, in an order that people read.
func (e Entry) Rows() (rows [][2]string) {
	place := strings.Join(e.Files, ", ")
	if e.Line > 0 {
		place += ":" + strconv.Itoa(e.Line)
	}
	for _, row := range [...][2]string{
		{"level", string(e.Level)}, {"spec", e.Spec}, {"phase", e.Phase}, {"commit", e.Commit},
		{"severity", e.Severity}, {"category", e.Category}, {"place", strings.TrimPrefix(place, ":")},
		{"resolved", describeDecision(e.Resolved, "", e.Resolution)}, {"superseded", header.FormatDay(e.Replaced)},
		{"sessions", e.seenBy()}, {"seen", e.formatSeenDays()},
		{"approved", describeDecision(e.Approved, e.ApprovedBy, "")},
		{"placed", header.FormatDay(e.LongTerm)}, {"core", strings.TrimSpace(header.FormatDay(e.Core) + " " + strings.Join(e.CoreTargets, ", "))},
	} {
		if row[1] != "" {
			rows = append(rows, row)
		}
	}
	return rows
}

// seenBy counts the sessions, and names them.
func (e Entry) seenBy() string {
	if e.Count == 0 {
		return ""
	}
	return strings.TrimSuffix(strconv.Itoa(e.Count)+": "+strings.Join(e.Sessions, ", "), ": ")
}

// formatSeenDays tells the days from the first to the last session.
func (e Entry) formatSeenDays() string {
	first, last := header.FormatDay(e.FirstSeen), header.FormatDay(e.LastSeen)
	if first == last || first == "" {
		return last
	}
	return strings.TrimSuffix(first+" to "+last, " to ")
}

// describeDecision tells when a person decided, who, and why.
func describeDecision(at time.Time, by, why string) string {
	said := header.FormatDay(at)
	if by != "" {
		said += " by " + by
	}
	if why != "" {
		said += ": " + why
	}
	return strings.TrimLeft(said, ": ")
}
