package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cp-memory/cp/vault"
)

// The SDK ends a connection at the first line that is no message, and answers nothing that is
// under way when stdin ends. Here each such line is answered with an error, and the end waits a
// while for the answers: so lines from a file or a pipe are all answered, and one wrong line
// harms no other.

// maxLine bounds a line in bytes: the largest text that a memory can have, every character of
// it escaped.
const maxLine = 6*vault.MaxFile + 64<<10

// patience is how long answers are waited for when the client has said all it has to say.
const patience = 5 * time.Second

// Stdio serves one client on two streams until in ends or ctx does.
func (s *Server) Stdio(ctx context.Context, in io.ReadCloser, out io.Writer) error {
	w := &lineWriter{out: out}
	err := s.Serve(ctx, &patient{Transport: &sdk.IOTransport{Reader: &lineReader{Closer: in, in: bufio.NewReaderSize(in, 64<<10), answers: w}, Writer: w, MaxLineLength: -1}})
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// lineWriter writes whole lines, one after the other.
type lineWriter struct {
	mu  sync.Mutex
	out io.Writer
}

func (w *lineWriter) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.out.Write(b)
}

func (w *lineWriter) Close() error { return nil }

// refuseLine answers a line that is no message. Whose it was cannot be known.
func (w *lineWriter) refuseLine(code int, why string) {
	b, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": code, "message": why}})
	_, _ = w.Write(append(b, '\n'))
}

// lineReader hands on the lines that are messages.
type lineReader struct {
	io.Closer
	in      *bufio.Reader
	answers *lineWriter
	left    []byte // of a line
}

func (r *lineReader) Read(p []byte) (int, error) {
	for len(r.left) == 0 {
		line, err := r.readLine()
		if line = bytes.TrimSpace(line); len(line) > 0 && r.message(line) {
			r.left = append(line, '\n')
		} else if err != nil {
			return 0, err
		}
	}
	n := copy(p, r.left)
	r.left = r.left[n:]
	return n, nil
}

// readLine reads a line. One that is too long is passed over and refused.
func (r *lineReader) readLine() (line []byte, err error) {
	for {
		part, err := r.in.ReadSlice('\n')
		if len(line)+len(part) > maxLine {
			for errors.Is(err, bufio.ErrBufferFull) {
				_, err = r.in.ReadSlice('\n')
			}
			r.answers.refuseLine(jsonrpc.CodeInvalidRequest, fmt.Sprintf("the message is longer than %d MiB", maxLine>>20))
			return nil, err
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// message reports whether a line is a message or a list of them, and refuses it otherwise.
func (r *lineReader) message(line []byte) bool {
	if !json.Valid(line) {
		r.answers.refuseLine(jsonrpc.CodeParseError, "the line is not JSON")
		return false
	}
	var messages []json.RawMessage
	if line[0] != '[' {
		messages = append(messages, line)
	} else {
		_ = json.Unmarshal(line, &messages)
	}
	for _, m := range messages {
		if _, err := jsonrpc.DecodeMessage(m); err != nil || len(m) == 0 || m[0] != '{' {
			r.answers.refuseLine(jsonrpc.CodeInvalidRequest, "the line is no JSON-RPC 2.0 message")
			return false
		}
	}
	if len(messages) == 0 {
		r.answers.refuseLine(jsonrpc.CodeInvalidRequest, "the list holds no message")
		return false
	}
	return true
}

// patient is a transport whose connection ends only when what was asked is answered.
type patient struct{ sdk.Transport }

// Connect is [sdk.Transport.Connect].
func (p *patient) Connect(ctx context.Context) (sdk.Connection, error) {
	c, err := p.Transport.Connect(ctx)
	return &waiting{Connection: c, asked: map[any]bool{}, answered: make(chan struct{}, 1)}, err
}

// waiting is such a connection.
type waiting struct {
	sdk.Connection
	mu       sync.Mutex
	asked    map[any]bool  // by id
	answered chan struct{} // signals each answer
}

// listen is the request that is answered when the client goes.
const listen = "subscriptions/listen"

// Read notes what is asked.
func (w *waiting) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := w.Connection.Read(ctx)
	if err != nil {
		w.rest(ctx)
		return m, err
	}
	if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() && r.Method != listen {
		w.mu.Lock()
		w.asked[r.ID.Raw()] = true
		w.mu.Unlock()
	}
	return m, nil
}

// Write notes what is answered.
func (w *waiting) Write(ctx context.Context, m jsonrpc.Message) error {
	err := w.Connection.Write(ctx, m)
	if r, ok := m.(*jsonrpc.Response); ok {
		w.mu.Lock()
		delete(w.asked, r.ID.Raw())
		w.mu.Unlock()
		select {
		case w.answered <- struct{}{}:
		default:
		}
	}
	return err
}

// rest waits until all is answered, or for as long as the patience lasts.
func (w *waiting) rest(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		w.mu.Lock()
		left := len(w.asked)
		w.mu.Unlock()
		if left == 0 {
			return
		}
		select {
		case <-w.answered:
		case <-ctx.Done():
			return
		}
	}
}
