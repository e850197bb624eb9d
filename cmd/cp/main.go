// Command cp is a Git-backed memory for agents and the people beside them:
// Markdown files in a tree, one commit per write, an index that can be thrown
// away. See "cp help", and "go doc ./vault" for the design.
//
// Called as cp, it hands every command line that is not its own to the
// system's cp, before anything else is initialised: see package passthrough.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/cli"
	"github.com/cp-memory/cp/index/sqlite"
)

// version is set by the linker: -X main.version=v1.2.3.
var version string

func main() {
	collectLate()
	os.Exit(run())
}

// collectLate lets the program use its first 32 MB without a collection: most commands end
// before that, and would spend a tenth of their time on one. After the first collection
// nothing differs.
func collectLate() {
	if os.Getenv("GOGC") != "" {
		return
	}
	was := debug.SetGCPercent(800)
	runtime.AddCleanup(new([16]byte), func(percent int) { debug.SetGCPercent(percent) }, was)
}

// holdMemory takes memory while an index is made of so many files. It is never
// touched, so it costs none itself, and the garbage collector runs a third less often
// while the heap is small. Four times as much would save 2 % of a rebuild more, and cost
// 20 MB at its peak.
func holdMemory(files int) (release func()) {
	held := make([]byte, max(0, 6<<20-120*files))
	return func() { runtime.KeepAlive(held) }
}

// run runs our command line and returns its exit code: 128 and the signal's
// number when a signal ended it.
func run() int {
	err := sqlite.Built()
	var a *app.App
	if err == nil {
		a, err = wire()
	}
	if err != nil {
		return cli.Fail(os.Stderr, os.Args[1:], err)
	}
	ctx, caught := untilSignal()
	exit := cli.Run(ctx, a, streams(), os.Args[1:])
	if s := caught(); s != 0 && exit != 0 {
		return 128 + int(s)
	}
	return exit
}

// untilSignal returns a context that ends with the first interrupt or
// termination, so that a write finishes or undoes what it began; the second
// one ends the program at once. caught returns the first, or 0.
func untilSignal() (ctx context.Context, caught func() syscall.Signal) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		s := <-signals
		signal.Stop(signals)
		cancel(signalled{s.(syscall.Signal)})
	}()
	return ctx, func() syscall.Signal {
		s, _ := context.Cause(ctx).(signalled)
		return s.Signal
	}
}

// signalled is the cause of a context that a signal ended.
type signalled struct{ syscall.Signal }

func (s signalled) Error() string { return "stopped by a signal (" + s.Signal.String() + ")" }
