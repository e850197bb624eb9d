package console

import (
	"io"
)

// Streams are the program's three streams and what is known about them.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer

	InTTY, OutTTY, ErrTTY bool // whether each is a terminal
	Width                 int  // of the terminal behind Out in columns; 0 when unknown

	Beside func(Aside) // takes what a program is told beside an answer; nil where it reads the words alone
}

// Aside counts what would answer, too, if it was asked for.
type Aside struct {
	Closed   int `json:"closed,omitempty"`
	Deferred int `json:"deferred,omitempty"`
}
