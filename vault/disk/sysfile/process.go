//go:build unix

package sysfile

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// Signal is one that ends a process.
type Signal = syscall.Signal

// Terminate is the signal by which a process is asked to end, Hangup that of a terminal that is closed, and BrokenPipe that of
// a write that nobody reads.
const (
	Terminate  = syscall.SIGTERM
	Hangup     = syscall.SIGHUP
	BrokenPipe = syscall.SIGPIPE
)

// Detach gives a process that is not started yet a session of its own: neither an interrupt nor the end of a
// terminal reaches it.
func Detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// EndSession asks a detached process, and all that it started, to end.
func EndSession(cmd *exec.Cmd) error { return unix.Kill(-cmd.Process.Pid, unix.SIGTERM) }

// LowerPriority lets others go before a process and what it starts from then on.
func LowerPriority(pid int) { _ = unix.Setpriority(unix.PRIO_PROCESS, pid, 19) }

// IsAlive reports whether there is a process of that number.
func IsAlive(pid int) bool { return !isOneOf(unix.Kill(pid, 0), unix.ESRCH) }

// Become runs a program in place of this one, with a line added to the environment. It returns only an error.
func Become(program string, argv []string, more string) error {
	return syscall.Exec(program, argv, append(os.Environ(), more))
}
