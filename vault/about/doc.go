// Package about says which code a memory is about, and whether a text still holds the
// bound lines. It does no I/O: texts, paths and stamps come from the caller.
//
// A [Binding] is one item of the list "about:" of a memory's front matter:
//
//	[NAME:]PATH[#PART]
//
//	src/auth.py             a whole file
//	src/auth.py#L10-L24     lines, 1-based, both included
//	src/db.py#Pool.acquire  a symbol: acquire inside Pool
//	src/                    a folder, with all below it
//	src/**/*.go             a glob: * ? [a-z] {a,b} **
//	api:src/auth.py         a file of the project "api"
//
// A [Stamp] is one item of "about_at:". It holds ids of what the code was, never code.
// [MapRange] finds bound lines again in a later text, [FindSymbol] the lines of a symbol.
//
//	b, err := about.ParseTyped("auth.py:10-24", "src") // src/auth.py#L10-L24
//	m := about.MapRange(about.SplitLines(was), about.SplitLines(is), b.From, b.To)
//	if m.Kind == about.Changed {
//		fmt.Printf("%d of %d lines\n", m.Changed, m.Of)
//	}
//
// There is no parser of any language here: a symbol is located by patterns, and its
// text decides. Patterns, globs and diffs take a time that a hostile repository or memory
// cannot blow up.
package about
