package render

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// drawings are all functions that tell of a value.
var drawings = []any{
	WriteParented, WriteAdded, WriteAddedSub, Similar, WriteQueued, WriteDelivered, DeletePreview, WriteDeleted, WriteMoved, WritePromoted,
	WriteAmended, WriteBatched, WriteSuperseded, WriteImported, ImportAnswer, WritePulled, WritePushed, Sync, Conflicts, Left, Problems,
	WriteExtracted, WriteFactsChanged, Facts, FailureOf, PrimeFamily, Prime, Guide, WriteRecalled, Distances, WriteRecalledAny,
	WriteFindingsAdded, FindingList, WriteFindingsReported, Patterns, FindingsWork, WriteRemedied, ReviewPlan, ParseFormat,
	Value, OfCapture, FaultOf, Error, Graph, Entities, NodeHits, EntityPages, WriteCollected, WriteImportedGraph, WriteLog,
	Diff, BlameRows, Blame, WriteRestored, Undo, UndoQuestion, WriteUndone, WriteEjected, WriteChanges, WriteCaptured, WriteResolved, WriteObserved,
	WriteDecided, LeftOver, LongTerm, Core, WriteCoreDemoted, WriteTakenOut, WriteDemoted, Awareness, Work, WriteExported, List,
	Hits, Files, Hot, EdgeRows, Edges, Propose, WriteSummarized, WriteEmbedded, WriteReindexed, WriteVerified, Queue, Item, Because,
	Evidence, Likeness, ReviewKeys, CodeOf, Outcome, Outcomes, WriteReviewed, LongTermView, Show,
	ShowAny, WriteInitialized, Status, Findings, Damage, ToFix, WriteFixed, Pass, Tree, IsBareName, RenameCommands, Line, WriteMergedInto, Decisions,
	WriteHandedOver, OpenHandoffs, WriteKnown, DescribeMatch, Stale, WriteBound, WriteReanchored, ReleaseNotes, WriteVersions,
}

// noDrawings tell of nothing that stands in a file, or need something to tell of.
var noDrawings = []string{"StartProgress", "DescribeUnfinished"}

// TestDrawings compares the table with the package.
func TestDrawings(t *testing.T) {
	want := slices.Clone(noDrawings)
	for _, fn := range drawings {
		want = append(want, nameOf(fn))
	}
	slices.Sort(want)
	if got := exported(t); !slices.Equal(got, want) {
		t.Errorf("the package exports\n%v\nand the tests know\n%v", got, want)
	}
}

func nameOf(fn any) string {
	name := runtime.FuncForPC(reflect.ValueOf(fn).Pointer()).Name()
	return name[strings.LastIndexByte(name, '.')+1:]
}

// exported lists the functions that the package exports.
func exported(t *testing.T) (names []string) {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.IsExported() {
				names = append(names, fn.Name.Name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// foreign are texts as files of other tools have them, for each type, status and key.
var foreign = []string{"", " ", "a", "é", "\xff\x80", "\x1b[31m\x00", "線", "memory", "journal", "blocker", "findings", "critical", "open", "OPEN", "closed",
	"0", "-1", "2026-01-02", "a/b.md", "/", "../x", "pf-7k2m9qx4", "new-1", "# a\n\n<!-- sub-memories -->\n[", "a\nb\n", "\r\n", "`x`", "%s%!d", strings.Repeat("long ", 400)}

// filler fills values at random.
type filler struct{ *rand.Rand }

// value returns a value of the type; deeper ones are empty from some depth on.
func (f filler) value(t reflect.Type, depth int) reflect.Value {
	v := reflect.New(t).Elem()
	if depth == 0 {
		return v
	}
	switch t.Kind() {
	case reflect.String:
		v.SetString(foreign[f.IntN(len(foreign))])
	case reflect.Bool:
		v.SetBool(f.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt([]int64{0, 1, 2, 3, 7, 100, -1}[f.IntN(7)])
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uint:
		v.SetUint(uint64(f.IntN(100)))
	case reflect.Float32, reflect.Float64:
		v.SetFloat([]float64{0, 0.5, 1, -1, 1e9}[f.IntN(5)])
	default:
		f.compound(v, depth)
	}
	return v
}

func (f filler) compound(v reflect.Value, depth int) {
	t := v.Type()
	switch {
	case t == reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf([]time.Time{{}, now, now.AddDate(-3000, 0, 0), now.AddDate(9000, 0, 0)}[f.IntN(4)]))
	case t == reflect.TypeFor[error]():
		v.Set(reflect.ValueOf(errors.New(foreign[f.IntN(len(foreign))])))
	case t.Kind() == reflect.Pointer && f.IntN(2) == 0:
		v.Set(reflect.New(t.Elem()))
		v.Elem().Set(f.value(t.Elem(), depth-1))
	case t.Kind() == reflect.Slice:
		for range f.IntN(4) {
			v.Set(reflect.Append(v, f.element(t.Elem(), depth-1)))
		}
	case t.Kind() == reflect.Map:
		v.Set(reflect.MakeMap(t))
		for range f.IntN(3) {
			v.SetMapIndex(f.value(t.Key(), depth-1), f.element(t.Elem(), depth-1))
		}
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			if v.Field(i).CanSet() {
				v.Field(i).Set(f.value(t.Field(i).Type, depth-1))
			}
		}
	}
}

// element returns a value that stands in a list, where no pointer is nil.
func (f filler) element(t reflect.Type, depth int) reflect.Value {
	if t.Kind() != reflect.Pointer {
		return f.value(t, depth)
	}
	p := reflect.New(t.Elem())
	p.Elem().Set(f.value(t.Elem(), depth))
	return p
}

// draw calls a function with values at random, and returns its panic.
func (f filler) draw(fn reflect.Value) (fault any) {
	defer func() { fault = recover() }()
	var in []reflect.Value
	for i := range fn.Type().NumIn() {
		in = append(in, f.argument(fn.Type().In(i)))
	}
	if fn.Type().IsVariadic() {
		in = in[:len(in)-1]
	}
	fn.Call(in)
	return nil
}

func (f filler) argument(t reflect.Type) reflect.Value {
	switch t {
	case reflect.TypeFor[Screen]():
		return reflect.ValueOf(Screen{Writer: io.Discard, Width: []int{0, 1, 20, 80}[f.IntN(4)], Rows: f.IntN(3), Name: "cp", Color: f.IntN(2) == 0, Now: now, Asked: foreign[f.IntN(5)]})
	case reflect.TypeFor[io.Writer]():
		return reflect.ValueOf(io.Discard)
	}
	return f.value(t, 6)
}

// FuzzDrawings tells of values of every shape: of files with any type, status and key.
func FuzzDrawings(t *testing.F) {
	for seed := range uint64(40) {
		t.Add(seed)
	}
	t.Fuzz(func(t *testing.T, seed uint64) {
		for _, fn := range drawings {
			f := filler{rand.New(rand.NewPCG(seed, seed))}
			if fault := f.draw(reflect.ValueOf(fn)); fault != nil {
				t.Errorf("seed %d: %s panics: %v", seed, nameOf(fn), fault)
			}
		}
	})
}
