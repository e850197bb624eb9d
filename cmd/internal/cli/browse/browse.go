package browse

import (
	"context"
	"crypto/rand"
	"errors"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/web"
	"github.com/cp-memory/cp/cmd/internal/web/guard"
	"github.com/cp-memory/cp/cmd/internal/web/live"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk/sysfile"
	"github.com/cp-memory/cp/vault/doctor"
)

// options are the flags.
type options struct {
	guard.Address
	ReadOnly bool `flag:"read-only" help:"no page changes anything"`
}

// Command returns the command. checks are what doctor finds of the agents on this machine.
func Command(f console.Console, checks func(console.Console) []doctor.Finding) *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:   "browse",
		Short: "Serve the vault to your browser: read, search, edit, review",
		Long: `Serves the vault to a browser on this machine until interrupted, and prints a link that
logs a browser in once; on a terminal, Enter prints another one. Each page can be read and
each form sent without scripts, and has its data as JSON beside it. The projects below the
current one are shown with it, as they answer the other commands; --project serves another
one, and --exact-project one alone.

It listens on this machine alone. Nobody gets a page who has not followed a link. While it
runs it keeps the index current, as "cp memory watch" does. cp help browse tells more.`,
		Example: `  cp memory browse
  cp memory browse --read-only
  cp memory browse --socket ~/.cp/run/browse --allow-host localhost:8080`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.Port < 0 || o.Port > 65535 {
				return console.Invalid(cmd, "--port is a number from 1 to 65535")
			}
			if o.Socket != "" && o.Port != 0 {
				return console.Invalid(cmd, "a server has a port or a socket: use --port or --socket")
			}
			if o.Socket != "" {
				o.Socket = f.Abs(o.Socket)
			}
			return serve(cmd.Context(), f, o, func() []doctor.Finding { return checks(f) })
		},
	}
	console.Bind(cmd, &o)
	return cmd
}

// Served is the first answer of the command: where the pages are.
type Served struct {
	Links    []string `json:"links"` // each logs a browser in once
	Hosts    []string `json:"hosts"`
	Socket   string   `json:"socket,omitempty"`
	ReadOnly bool     `json:"read_only"`
}

// serve serves until ctx ends.
func serve(ctx context.Context, f console.Console, o options, checks func() []doctor.Finding) error {
	var project string
	err := f.Read(ctx, func(s *app.Session) error {
		project = s.Settings.Project
		o.ReadOnly = o.ReadOnly || sysfile.CanWrite(s.Root) != nil && f.ProjectFinder().Lone(s.Settings)
		return nil
	})
	if err != nil {
		return err
	}
	place, err := guard.Listen(ctx, o.Address, rand.Reader)
	if err != nil {
		return err
	}
	defer place.Close()
	f.Clear()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	quiet := *f.App
	quiet.Progress = nil
	keep := &keeper{app: quiet, about: f.Request().About, live: live.New(), why: map[string]string{}}
	handler, err := web.New(web.Options{App: &quiet, About: f.Request().About, Project: project, ReadOnly: o.ReadOnly, Live: keep.live, Caution: keep.caution,
		Writable: func(dir string) bool { return sysfile.CanWrite(dir) == nil }, Checks: checks})
	if err != nil {
		return err
	}
	g := guard.New(place.Hosts, rand.Reader)
	if err := answerLinks(f, g, place, o); err != nil {
		return err
	}
	go keep.run(ctx)
	if f.InTTY && !f.Form.NoInput {
		go more(ctx, f, g, place)
	}
	return listen(ctx, g.Server(handler), place)
}

// answerLinks answers with the links.
func answerLinks(f console.Console, g *guard.Guard, place guard.Place, o options) error {
	served := Served{Hosts: place.Hosts, Socket: o.Socket, ReadOnly: o.ReadOnly}
	for _, host := range place.Hosts {
		served.Links = append(served.Links, g.Link(host))
	}
	return f.Answer(served, func(s render.Screen) {
		s.Println("Open one of these links; each logs one browser in, once:")
		for _, link := range served.Links {
			s.Printf("  %s\n", link)
		}
		if o.ReadOnly {
			s.Println("Nothing can be changed there.")
		}
		s.Println("Ctrl+C ends it.")
	})
}

// more prints a new link for each line that the person sends.
func more(ctx context.Context, f console.Console, g *guard.Guard, place guard.Place) {
	for ctx.Err() == nil {
		if line := console.ReadLine(f.In); line == "" {
			return // the end of the input
		}
		f.Errs().Printf("  %s\n", g.Link(place.Hosts[0]))
	}
}

// listen serves on all listeners until ctx ends.
func listen(ctx context.Context, server *http.Server, place guard.Place) error {
	server.BaseContext = func(net.Listener) context.Context { return context.WithoutCancel(ctx) } // a write that has begun is finished
	failed := make(chan error, len(place.Listeners))
	for _, l := range place.Listeners {
		go func() { failed <- server.Serve(l) }()
	}
	select {
	case err := <-failed:
		_ = server.Close()
		return vault.Errorf(vault.CodeIO, "", "the server ended: %w", err)
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err := server.Shutdown(last); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return vault.Errorf(vault.CodeIO, "", "the server ended: %w", err)
	}
	return nil
}
