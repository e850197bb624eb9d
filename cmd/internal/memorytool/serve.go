package memorytool

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/cmd/internal/target"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/prose"
)

// agent writes where nobody says who does.
const agent = "memory-tool"

// Server answers the commands, one after the other.
type Server struct {
	App     *app.App
	Request target.Request // what the process is about
}

// Serve answers line after line until in ends. The error is that of the vault, which is looked for
// first, or of a stream.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	s.Request.Flags.Writer = settings.Writer{Tool: true}
	if err := s.withVault(ctx, app.Read, func(*folder) error { return nil }); err != nil {
		return err
	}
	lines := bufio.NewReaderSize(in, 64<<10)
	for {
		line, err := lines.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			if err := s.answerLine(ctx, line, out); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return cmp.Or(context.Cause(ctx), err)
		}
	}
}

// result is what a line is answered with; with an id it is a block for the next message.
type result struct {
	Type    string `json:"type,omitempty"`
	ID      string `json:"tool_use_id,omitempty"`
	Content string `json:"content"`
	IsError bool   `json:"is_error,omitempty"`
}

func (s *Server) answerLine(ctx context.Context, line []byte, out io.Writer) error {
	var r result
	c, id, err := parseCommand(line)
	if r.ID = id; id != "" {
		r.Type = "tool_result"
	}
	if err == nil {
		err = vault.Guard("the memory tool", nil, func() (err error) {
			r.Content, err = s.run(ctx, c)
			return err
		})
	}
	if err != nil {
		r.Content, r.IsError = c.complain(err), true
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r); err != nil {
		return err
	}
	_, err = out.Write(b.Bytes())
	return err
}

// run does one command in the vault as it is now.
func (s *Server) run(ctx context.Context, c command) (content string, err error) {
	do, ok := commands[c.Command]
	if !ok {
		return "", refuse("Error: Unknown command: %s. The commands are view, create, str_replace, insert, delete and rename.", cmp.Or(c.Command, "(none)"))
	}
	door := app.Write
	if c.Command == "view" {
		door = app.Read
	}
	err = s.withVault(ctx, door, func(f *folder) (err error) {
		content, err = do(f, ctx, c)
		return err
	})
	return content, err
}

// withVault opens the vault for fn. It is opened anew for each line, so that one which was made anew,
// moved or locked meanwhile is the one that is used.
func (s *Server) withVault(ctx context.Context, door app.Door, fn func(*folder) error) error {
	q := s.Request
	q.Door = door
	q.Open = func(ctx context.Context) (*app.Session, error) {
		set, err := settings.Load(q.Flags, s.App.Place())
		if err != nil {
			return nil, err
		}
		set.Agent = cmp.Or(set.Agent, agent)
		return s.App.Open(ctx, set)
	}
	return target.Resolver{App: s.App}.Do(ctx, q, func(t target.Target) error {
		f := &folder{Vault: t.Vault}
		if t.Vault.Part != "" {
			n, err := t.Locate(ctx, t.Vault.Part)
			if err != nil {
				return err
			}
			f.base = n.Folder()
		}
		return fn(f)
	})
}

// complain is the text for an error. What to type on a command line is of no use to the caller.
func (c command) complain(err error) string {
	var own refusal
	var e *vault.Error
	switch {
	case errors.As(err, &own):
		return string(own)
	case !errors.As(err, &e):
		return "Error: " + prose.Visible(err.Error())
	}
	said := "Error: " + cmp.Or(c.Path, c.OldPath) + ": " + e.Msg
	if e.Hint != "" && !strings.ContainsAny(e.Hint, "`") && !strings.Contains(e.Hint, "--") && !strings.Contains(e.Hint, "cp ") {
		said += ". " + strings.ToUpper(e.Hint[:1]) + e.Hint[1:]
	}
	return prose.Visible(said)
}
