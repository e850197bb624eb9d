package vault

import "fmt"

// Fault is the cause of the error for a panic: a mistake of the program's own.
type Fault struct {
	Cause any
	Stack []byte // where it was; empty where nobody asked for it
}

// Error returns what the panic said.
func (f *Fault) Error() string { return fmt.Sprint(f.Cause) }

// Guard calls do, and returns a panic in it as an error with CodeInternal. what names the
// work, as a person would: a command, a tool, an address. stack returns the stack of the
// caller, as debug.Stack does; nil is for nobody who asks.
func Guard(what string, stack func() []byte, do func() error) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			fault := &Fault{Cause: cause}
			if stack != nil {
				fault.Stack = stack()
			}
			err = &Error{Code: CodeInternal, Msg: what + " failed by a mistake in the program: " + fault.Error(), Hint: FaultHint, Err: fault}
		}
	}()
	return do()
}

// FaultHint is the hint of the error for a panic.
const FaultHint = "what was written before is safe; report this, with what the command says with --debug"
