package main

import (
	"strings"
	"testing"
	"time"
)

// What passes is silent, what fails says all that it printed, and what takes long is named.
func TestLog(t *testing.T) {
	const in = `# example.com/broken
{"Action":"build-output","Output":"x.go:1: no\n"}
{"Action":"start","Package":"p/cmd/cp"}
{"Action":"run","Package":"p/cmd/cp","Test":"TestA"}
{"Action":"output","Package":"p/cmd/cp","Test":"TestA","Output":"a says\n"}
{"Action":"pass","Package":"p/cmd/cp","Test":"TestA"}
{"Action":"run","Package":"p/cmd/cp","Test":"TestB"}
{"Action":"run","Package":"p/cmd/cp","Test":"TestB/sub"}
{"Action":"output","Package":"p/cmd/cp","Test":"TestB/sub","Output":"b says <\n"}
{"Action":"fail","Package":"p/cmd/cp","Test":"TestB/sub"}
{"Action":"output","Package":"p/cmd/cp","Output":"PASS\n"}
{"Action":"output","Package":"p/cmd/cp","Output":"FAIL p/cmd/cp 1s\n"}
`
	var out strings.Builder
	l := &log{out: &out, said: make(map[string]*strings.Builder), runs: make(map[string]time.Time)}
	events := make(chan event)
	go read(strings.NewReader(in), events)
	from := time.Now()
	for e := range events {
		l.add(e, from)
	}
	l.still(from.Add(90 * time.Second))
	const want = `# example.com/broken
x.go:1: no
begins p/cmd/cp
  runs TestA
  runs TestB
b says <
FAIL p/cmd/cp 1s
  still runs: p/cmd/cp TestB, 90 s
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}
