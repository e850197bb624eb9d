package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// Markers in the files that hold the table and a part of it.
const (
	tableBegin = "<!-- bench -->"
	tableEnd   = "<!-- /bench -->"
)

// report prints the table, and leaves it as Markdown and as JSON.
func (b *bencher) report() error {
	m := thisMachine(b.dir)
	m.Program = programVersion(b.cp)
	m.Took = time.Since(b.started).Round(time.Second).String()
	b.print(m)
	text, err := json.MarshalIndent(struct {
		Machine machine  `json:"machine"`
		Results []result `json:"results"`
	}{m, b.results}, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(b.dir, "result.json"), append(text, '\n'), 0o666); err != nil {
		return err
	}
	table := b.markdown(m)
	if err := os.WriteFile(filepath.Join(b.dir, "result.md"), []byte(table), 0o666); err != nil {
		return err
	}
	fmt.Printf("\nAs JSON: %s. As Markdown:\n\n%s", filepath.Join(b.dir, "result.json"), table)
	if b.page == "" {
		return nil
	}
	return errors.Join(paste(b.page, table), b.sample(filepath.Join(filepath.Dir(b.page), "README.md")))
}

// shown are the rows that the README shows, at shownSize files.
var shown = []string{"tree --max-depth 1, nothing changed", "search of three words, watcher live", "one add-sub"}

const shownSize = 10_000

// sample puts the rows that the README shows into it. A run that measured only some
// of them leaves it as it is.
func (b *bencher) sample(readme string) error {
	lines := tableHead
	for _, what := range shown {
		i := slices.IndexFunc(b.results, func(r result) bool { return r.What == what && r.Size == shownSize })
		if i < 0 {
			return nil
		}
		lines += b.results[i].line()
	}
	return paste(readme, lines)
}

func (b *bencher) print(m machine) {
	fmt.Printf("%s\n\n", m)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "WHAT\tFILES\tCPU ms\tWALL ms\tPEAK MB\tFLOOR\tCPU ms\tWALL ms\tPEAK MB\tMEASURED\tGOAL\t")
	for _, r := range b.results {
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t%s\n", r.What, r.Size, figures(r.Product, r.Rounds), r.Beside, figures(r.Floor, r.Rounds), strings.Join(r.verdict(), "\t"))
	}
	w.Flush()
}

// figures are the three of one side.
func figures(c cost, rounds int) string {
	if rounds == 0 {
		return "\t\t"
	}
	return fmt.Sprintf("%s\t%s\t%s", millis(c.CPU), millis(c.Wall), number(float64(c.Peak)/1e6))
}

func millis(d time.Duration) string { return number(float64(d) / 1e6) }

// number writes three digits that say something.
func number(f float64) string {
	switch {
	case f >= 99.95 || f <= -99.95:
		return fmt.Sprintf("%.0f", f)
	case f >= 9.995 || f <= -9.995:
		return fmt.Sprintf("%.1f", f)
	}
	return fmt.Sprintf("%.2f", f)
}

// verdict is what was measured, what it should be, and what to say of it.
func (r result) verdict() []string {
	goal, said := "", r.Note
	if r.Limit > 0 {
		goal = "≤ " + strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.1f", r.Limit), "0"), ".")
	}
	if r.Rounds == 0 {
		return []string{"", goal, said}
	}
	if r.Limit > 0 && said == "" {
		said = r.against()
	}
	return []string{number(r.Value) + " " + r.Unit, goal, said}
}

// against says whether the goal is reached, and by how much it is not.
func (r result) against() string {
	switch over := r.Value - r.Limit; {
	case r.Reached:
		return "reached"
	case strings.HasPrefix(r.Unit, "×"):
		return fmt.Sprintf("missed by %.0f %%", 100*over/r.Limit)
	default:
		unit, _, _ := strings.Cut(r.Unit, " ")
		return "missed by " + number(over) + " " + unit
	}
}

const tableHead = "| what | files | cp, cpu | floor | floor, cpu | measured | goal | |\n|---|--:|--:|---|--:|--:|--:|---|\n"

// markdown returns what BENCH.md holds: the machine, the misses and the table.
func (b *bencher) markdown(m machine) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s\n\n%s%s", m, b.misses(), tableHead)
	for _, r := range b.results {
		s.WriteString(r.line())
	}
	return s.String()
}

// misses lists the goals that are not reached, a line for each row.
func (b *bencher) misses() string {
	goals, missed := 0, 0
	var order []string
	by := make(map[string][]string)
	for _, r := range b.results {
		if r.Limit == 0 || r.Rounds == 0 || r.Note != "" {
			continue
		}
		goals++
		if r.Reached {
			continue
		}
		missed++
		if by[r.What] == nil {
			order = append(order, r.What)
		}
		by[r.What] = append(by[r.What], strings.TrimPrefix(r.against(), "missed ")+" at "+thousands(r.Size))
	}
	var s strings.Builder
	fmt.Fprintf(&s, "%d of %d goals are reached.", goals-missed, goals)
	if missed > 0 {
		s.WriteString(" Missed are:\n")
	}
	for _, what := range order {
		fmt.Fprintf(&s, "\n- %s: %s", what, strings.Join(by[what], ", "))
	}
	return s.String() + "\n\n"
}

// line returns the result as a row of the table.
func (r result) line() string {
	cpu, floor := "", ""
	if r.Rounds > 0 {
		cpu, floor = millis(r.Product.CPU)+" ms", millis(r.Floor.CPU)+" ms"
	}
	if strings.HasSuffix(r.Unit, "wall") && r.Rounds > 0 {
		cpu, floor = millis(r.Product.Wall)+" ms wall", millis(r.Floor.Wall)+" ms wall"
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %s |\n", r.What, thousands(r.Size), cpu, r.Beside, floor, strings.Join(r.verdict(), " | "))
}

func thousands(n int) string { return fmt.Sprintf("%d,%03d", n/1000, n%1000) }

// paste puts the table between the markers of the file.
func paste(file, table string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(text), tableBegin)
	_, after, closed := strings.Cut(rest, tableEnd)
	if !ok || !closed {
		return fmt.Errorf("%s has no %s and %s", file, tableBegin, tableEnd)
	}
	return os.WriteFile(file, []byte(before+tableBegin+"\n"+table+tableEnd+after), 0o666)
}
