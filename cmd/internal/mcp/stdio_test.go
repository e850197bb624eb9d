package mcp

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"testing"
)

// Each line that is no message is answered, and the next one is read as if nothing had been.
func TestLinesThatAreNoMessages(t *testing.T) {
	const good = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	long := strings.Repeat("x", maxLine+1)
	for _, row := range []struct{ name, in, read, said string }{
		{"a message", good + "\n", good + "\n", ""},
		{"without a line feed", good, good + "\n", ""},
		{"with a carriage return", good + "\r\n", good + "\n", ""},
		{"blank lines", "\n \n" + good + "\n\n", good + "\n", ""},
		{"garbage before", "garbage\n" + good + "\n", good + "\n", "the line is not JSON"},
		{"half a line at the end", good + "\n" + good[:20], good + "\n", "the line is not JSON"},
		{"a number", "42\n" + good + "\n", good + "\n", "no JSON-RPC 2.0 message"},
		{"another object", "{}\n" + good + "\n", good + "\n", "no JSON-RPC 2.0 message"},
		{"an empty list", "[]\n" + good + "\n", good + "\n", "the list holds no message"},
		{"a list", "[" + good + "]\n", "[" + good + "]\n", ""},
		{"a list with something else", "[1]\n", "", "no JSON-RPC 2.0 message"},
		{"bytes", "\x00\xff\xfe\n" + good + "\n", good + "\n", "the line is not JSON"},
		{"a line that is too long", long + "\n" + good + "\n", good + "\n", "longer than 24 MiB"},
		{"one that never ends", long, "", "longer than 24 MiB"},
	} {
		t.Run(row.name, func(t *testing.T) {
			var said bytes.Buffer
			r := &lineReader{in: bufio.NewReader(strings.NewReader(row.in)), answers: &lineWriter{out: &said}}
			read, err := io.ReadAll(r)
			if err != nil || string(read) != row.read {
				t.Errorf("read %.80q, %v; want %q", read, err, row.read)
			}
			if !strings.Contains(said.String(), row.said) || (row.said == "") != (said.Len() == 0) {
				t.Errorf("said %q, want %q", said.String(), row.said)
			}
		})
	}
}
