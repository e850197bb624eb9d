package about_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/about"
)

// texts are files in which symbols are looked for. A line is counted from 1, below the backquote.
var texts = map[string]string{
	"pool.go": `package pool

const most = 3

var (
	first, second = 1, 2
	table         = map[string]int{
		"a": 1,
	}
)

// Pool keeps connections.
type Pool struct {
	free []conn
	fn   func(a,
		b int)
}

func (p *Pool) acquire(
	ctx context.Context,
	n int,
) (conn, error) {
	return ` + "`\n}\n`" + `
}

func (c *Cache[K, V]) acquire() {}

func New[T any](x T) *Pool { return nil }

type Source interface {
	Next() bool
}
`,
	"db.py": `import os
LIMIT = 10
TABLE = {
    "a": 1,
}

@decorated
class Pool(Base):
    """Text

    def acquire(self): not a definition
    """
    size: int = 3

    @property
    def acquire(
        self,
        a=(1, 2),
    ) -> int:
        text = """
at the margin
"""
        # a comment
        return 1

    async def release(self): return 2


def acquire(a,
            b):
    return a


if True:
    def inner():
        pass
`,
	"app.ts": `export interface Options<T> {
  name: string;
  run(a: number): void;
}
export type Shape =
  | { kind: "a" }
  | {
      kind: "b";
    };
export default class App<
  T extends object = {},
> extends Base<T> {
  #count = 0;
  constructor(private a: string) {
    super();
  }
  get size(): number { return 1; }
  async load(
    { a, b }: Options<T>,
  ): Promise<void> {
    load(a);
    if (b) {
    }
  }
}
export const load = async (a: string) => {
  return a;
};
const values = [
  1,
];
exports.use = function use(fn) {
  fn();
};
App.prototype.stop = function () {
};
const routes = {
  home() {
  },
  "about": 1,
};
`,
	"Pool.java": `public class Pool<T> {
  private static final int MOST = 3;

  @Override
  public <R> R acquire(int a, List<R> b)
      throws IOException {
    acquire(a);
    return acquire(b);
  }

  Pool() {}

  interface Source {
    int next();
  }

  enum Kind { A, B }
}
`,
	"pool.c": `#define MOST 3
#define TWICE(x) \
  ((x) + \
   (x))
struct pool {
  int size;
};
typedef struct {
  int a;
} conn_t;
static int acquire(struct pool *p);
static int
acquire(struct pool *p)
{
#ifdef X
label:
#endif
  return acquire(p);
}
int table[] = {
  1,
};
int long_one(int a,
             int b) {
  return a;
}
`,
	"pool.cpp": `namespace a {
template <class T>
class Pool : public Base {
 public:
  Pool(int a) : a_(a) {}
  ~Pool();
  int acquire() const { return 1; }
  static void stop();
 private:
  int a_ = 1;
};

class Slow : public Pool {
};

Pool::Pool(int a, int b)
    : a_(a),
      b_(b) {
  run();
}

int Pool<T>::release(int a) {
}
}  // namespace a
`,
	"Pool.cs": `namespace A.B
{
    public class Pool<T> : Base
        where T : class
    {
        public int Size { get; set; }
        public string Name => "x";
        public int Count
        {
            get { return 1; }
        }

        public Pool(int a) : base(a)
        {
        }

        public async Task<int> Acquire<R>(int a)
        {
            return await Acquire(a);
        }
    }
}
`,
	"pool.rs": `pub(crate) const MOST: usize = 3;
#[derive(Debug)]
pub struct Pool<'a> {
    size: &'a str,
}

impl<'a> Pool<'a> {
    pub async fn acquire<T>(&'a self, c: char) -> Result<T>
    where
        T: Clone,
    {
        if c == '{' {
        }
    }
}

impl Drop for Pool<'_> {
    fn drop(&mut self) {}
}

macro_rules! pool {
    () => {};
}
`,
	"pool.rb": `module A
  class Pool < Base
    MOST = 3

    def self.open(a)
      new
    end

    private def acquire?(a, b = {})
      text = <<~X
        end
      X
    end

    def size = 3

    def stop; end
  end
end
`,
	"Pool.php": `<?php
final class Pool implements A
{
    private const MOST = 3;

    protected ?int $size = 3;

    public function acquire(int $a): int
    {
        return $this->acquire($a);
    }
}

function acquire(
    int $a
) {
}
`,
	"Pool.kt": `class Pool(
    val size: Int,
) : Base() {
    suspend fun acquire(a: Int): Int =
        a + 1

    companion object {
        const val MOST = 3
    }
}

fun Pool.release() {
}
`,
	"Pool.swift": `public struct Pool {
    public let size: Int
    init(size: Int) {
        self.size = size
    }
}

extension Pool {
    public func acquire<T>(_ a: T) async throws -> T where T: A {
    }
}
`,
	"run.sh": `#!/bin/sh
MOST=3
acquire() {
  echo "}"
}
function release {
  acquire
}
`,
	"hook":      "#!/usr/bin/env bash\nacquire() {\n\ttrue\n}\n",
	"README.md": "# Pool\n\n## Getting started\ntext\n\n```sh\n# Getting started\n```\n\n### v1.2 notes\nmore\n\n## Other\n\nUnder lines\n---\nend\n",
}

func TestFindSymbol(t *testing.T) {
	for file, rows := range map[string]string{
		"pool.go":    "most 3-3, first 6-6, table 7-9, Pool 13-17, Pool.acquire 19-26, Cache.acquire 28-28, New 30-30, Pool.free 14-14, Pool.fn 15-16, Source.Next 33-33",
		"db.py":      "LIMIT 2-2, TABLE 3-5, Pool 8-26, Pool.size 13-13, Pool.acquire 16-24, Pool.release 26-26, acquire 29-31, inner 35-36",
		"app.ts":     "Options 1-4, Options.run 3-3, Options.name 2-2, Shape 5-9, App 10-25, App.constructor 14-16, App.size 17-17, App.load 18-24, load 26-28, values 29-31, use 32-34, App.stop 35-36, routes.home 38-39, routes.about 40-40",
		"Pool.java":  "Pool.MOST 2-2, acquire 5-9, Pool.acquire 5-9, Pool.Pool 11-11, Pool.Source.next 14-14, Source 13-15, Pool.Kind 17-17",
		"pool.c":     "MOST 1-1, TWICE 2-4, pool 5-7, pool.size 6-6, conn_t 8-10, acquire 12-19, table 20-22, long_one 23-26",
		"pool.cpp":   "Pool 2-11, Pool.~Pool 6-6, Pool.acquire 7-7, Pool.stop 8-8, Pool.release 22-23, Pool::release 22-23, a.Pool.acquire 7-7, Slow 13-14",
		"Pool.cs":    "Pool 3-21, Pool.Size 6-6, Pool.Name 7-7, Pool.Count 8-11, Pool.Pool 13-15, Acquire 17-20, B.Pool.Acquire 17-20",
		"pool.rs":    "MOST 1-1, Pool 3-5, Pool.size 4-4, Pool.acquire 8-14, Pool.drop 18-18, pool 21-23",
		"pool.rb":    "A 1-19, Pool 2-18, A.Pool.MOST 3-3, Pool.open 5-7, acquire? 9-13, Pool.size 15-15, stop 17-17",
		"Pool.php":   "Pool 2-12, Pool.MOST 4-4, Pool.size 6-6, Pool.acquire 8-11, acquire 14-17",
		"Pool.kt":    "Pool 1-10, Pool.acquire 4-5, MOST 8-8, Pool.release 12-13",
		"Pool.swift": "Pool 1-6, Pool.size 2-2, Pool.init 3-5, Pool.acquire 9-10",
		"run.sh":     "MOST 2-2, acquire 3-5, release 6-8",
		"hook":       "acquire 2-4",
		"README.md":  "Pool 1-17, Getting started 3-11, v1.2 notes 10-11, Other 13-13, Under lines 15-17, Pool.Other 13-13",
	} {
		for row := range strings.SplitSeq(rows, ", ") {
			symbol, want := row[:strings.LastIndex(row, " ")], row[strings.LastIndex(row, " ")+1:]
			from, to, err := about.FindSymbol("src/"+file, about.SplitLines([]byte(texts[file])), symbol)
			if got := fmt.Sprintf("%d-%d", from, to); got != want || err != nil {
				t.Errorf("%s#%s: got %s, %v, want %s", file, symbol, got, err, want)
			}
		}
	}
}

// C3: a symbol that is not there, or there twice, is refused with the places.
func TestFindSymbolRefuses(t *testing.T) {
	for _, row := range []struct{ file, symbol, err, hint string }{
		{"pool.go", "Pool.aquire", "'Pool.aquire' is not defined in pool.go", "did you mean acquire (line 19)?"},
		{"pool.go", "acquire", "'acquire' is defined 2 times in pool.go: lines 19, 28", "name what it is in, as A.acquire, or bind its lines, as pool.go#L19"},
		{"pool.cpp", "Pool.Pool", "'Pool.Pool' is defined 2 times in pool.cpp: lines 5, 16", "name what it is in, as A.Pool, or bind its lines, as pool.cpp#L5"},
		{"pool.go", "nothing_like_it", "'nothing_like_it' is not defined in pool.go", "bind its lines, as pool.go#L10-L24"},
		{"pool.go", "Pool.", "'Pool.' is not defined in pool.go", "bind its lines, as pool.go#L10-L24"},
		{"pool.go", "\x80ol.acquire", "'\x80ol.acquire' is not defined in pool.go", "did you mean acquire (line 19)?"},
		{"data.xyz", "a", "the symbols of data.xyz are not known: its language is none of those that are", "bind its lines, as data.xyz#L10-L24"},
	} {
		_, _, err := about.FindSymbol(row.file, about.SplitLines([]byte(texts[row.file])), row.symbol)
		var e *vault.Error
		if !errors.As(err, &e) || e.Msg != row.err || e.Hint != row.hint {
			t.Errorf("%s#%s: got %+v, want %s (%s)", row.file, row.symbol, e, row.err, row.hint)
		}
	}
}

// A block is bound up to 400 lines.
func TestFindSymbolBindsNoMoreThan400Lines(t *testing.T) {
	text := "def f():\n" + strings.Repeat("    pass\n", 500)
	if from, to, err := about.FindSymbol("a.py", about.SplitLines([]byte(text)), "f"); from != 1 || to != 400 || err != nil {
		t.Errorf("got %d-%d, %v", from, to, err)
	}
}

// A text that is made to take long is given up: each of its lines may be a definition that does not end, and each look above
// may go to its top.
func TestFindSymbolEnds(t *testing.T) {
	for file, line := range map[string]string{
		"a.js": "function a() {", "a.c": "int a(int b,", "a.go": "\ta = 1", "a.py": "class a: b = \"\"\"", "a.rb": "def a", "a.md": "# a", "a.cs": "  a(", "a.rs": "fn a",
	} {
		for _, symbol := range []string{"a", "a.a.a.a.a.a", "b"} {
			_, _, _ = about.FindSymbol(file, slices.Repeat([]string{line}, about.MaxLines), symbol)
		}
	}
}

// Whatever a text holds, the lines of a symbol are lines of it.
func FuzzFindSymbol(f *testing.F) {
	for file, text := range texts {
		f.Add(file, text, "Pool.acquire")
	}
	f.Fuzz(func(t *testing.T, file, text, symbol string) {
		lines := about.SplitLines([]byte(text))
		from, to, err := about.FindSymbol(file, lines, symbol)
		if err == nil && (from < 1 || to < from || to > len(lines) || to-from >= 400) {
			t.Fatalf("got %d-%d of %d", from, to, len(lines))
		}
	})
}
