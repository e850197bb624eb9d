package secret

import (
	"regexp"
	"sync"
)

// pattern is a regular expression that is compiled when it is first asked for:
// all of them together take 1.6 ms, which every command would pay at its start.
type pattern func() *regexp.Regexp

func form(expr string) pattern {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
