package wire

import (
	"context"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/cli"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault/disk/sysfile"
)

// Main runs our command line with what the process was given, and returns its exit code:
// 128 and the signal's number when a signal ended it. version is the one from the linker;
// empty is the module's.
func Main(version string) int {
	collectLate()
	err := sqlite.CheckBuild()
	var a *app.App
	if err == nil {
		a, err = wire(version)
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

// collectLate lets the program use its first 32 MB without a collection: most commands end
// before that, and would spend a tenth of their time on one. After the first collection
// nothing differs.
func collectLate() {
	if os.Getenv("GOGC") != "" {
		return
	}
	const first = 800
	was := debug.SetGCPercent(first)
	runtime.AddCleanup(new([16]byte), func(percent int) {
		if now := debug.SetGCPercent(percent); now != first {
			debug.SetGCPercent(now) // a server has set its own
		}
	}, was)
}

// holdMemory takes memory while an index is made of so many files. It is never
// touched, so it costs none itself, and the garbage collector runs a third less often
// while the heap is small. Four times as much would save 2 % of a rebuild more, and cost
// 20 MB at its peak.
func holdMemory(files int) (release func()) {
	held := make([]byte, max(0, 6<<20-120*files))
	return func() { runtime.KeepAlive(held) }
}

// untilSignal returns a context that ends with the first interrupt or
// termination, so that a write finishes or undoes what it began; the second
// one ends the program at once. caught returns the first, or 0.
func untilSignal() (ctx context.Context, caught func() sysfile.Signal) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, sysfile.Terminate)
	go func() {
		s := <-signals
		signal.Stop(signals)
		cancel(signalled{s.(sysfile.Signal)})
	}()
	return ctx, func() sysfile.Signal {
		s, _ := context.Cause(ctx).(signalled)
		return s.Signal
	}
}

// signalled is the cause of a context that a signal ended.
type signalled struct{ sysfile.Signal }

func (s signalled) Error() string { return "stopped by a signal (" + s.Signal.String() + ")" }
