package guard

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/disk/sysfile"
)

// Address says where to listen. Its zero value is a free port of this machine.
type Address struct {
	Port   int      `flag:"port" help:"listen on this <number> in place of a free one"`
	Socket string   `flag:"socket" help:"listen on a socket, a <file>, in place of a port; for ssh -L"`
	Allow  []string `flag:"allow-host" commas:"yes" help:"a further <host:port> by which a browser may call, as the other end of a tunnel"`
}

// Place is where a server listens.
type Place struct {
	Listeners []net.Listener
	Hosts     []string // by which a browser may call it, the best first
}

// Close stops listening.
func (p Place) Close() (err error) {
	for _, l := range p.Listeners {
		err = errors.Join(err, l.Close())
	}
	return err
}

// attempts bounds the search for a port that is free in both families of addresses.
const attempts = 20

// Listen begins to listen on 127.0.0.1 and ::1, with one port, or on a socket. Nothing else
// can be reached. The first host is a name of its own below localhost: a browser sends the
// cookie of that name to no other port's server, as it would for 127.0.0.1.
func Listen(ctx context.Context, a Address, random io.Reader) (Place, error) {
	for _, host := range a.Allow {
		if _, _, err := net.SplitHostPort(host); err != nil {
			return Place{}, vault.Errorf(vault.CodeInvalid, "write it as the browser's address has it: localhost:8080", "'%s' is no host with a port", vault.Clip(host, 80))
		}
	}
	if a.Socket != "" {
		return onSocket(ctx, a)
	}
	for range attempts {
		p, err := onPort(ctx, a.Port)
		switch {
		case err != nil && (a.Port != 0 || !sysfile.IsTaken(err)):
			return Place{}, vault.Errorf(vault.CodeIO, "leave --port out to take a free one", "cannot listen: %w", err)
		case err == nil:
			port := strconv.Itoa(p.Listeners[0].Addr().(*net.TCPAddr).Port)
			p.Hosts = []string{"cp-" + token(random, 5) + ".localhost:" + port, "127.0.0.1:" + port}
			if len(p.Listeners) > 1 {
				p.Hosts = append(p.Hosts, "[::1]:"+port)
			}
			p.Hosts = append(p.Hosts, a.Allow...)
			return p, nil
		}
	}
	return Place{}, vault.Errorf(vault.CodeIO, "name one with --port", "no port is free in both families of addresses")
}

// onPort listens on a port of both loopback addresses. A machine without IPv6 has one; a port
// that somebody else has there is not taken, since a browser could ask them.
func onPort(ctx context.Context, port int) (p Place, err error) {
	var lc net.ListenConfig
	four, err := lc.Listen(ctx, "tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return p, err
	}
	p.Listeners = []net.Listener{four}
	port = four.Addr().(*net.TCPAddr).Port
	six, err := lc.Listen(ctx, "tcp6", net.JoinHostPort("::1", strconv.Itoa(port)))
	switch {
	case err == nil:
		p.Listeners = append(p.Listeners, six)
	case sysfile.IsTaken(err):
		return p, errors.Join(err, four.Close())
	}
	return p, nil
}

// onSocket listens on a socket that nobody else on the machine can open: it is made in a
// folder that is the person's alone.
func onSocket(ctx context.Context, a Address) (Place, error) {
	if len(a.Allow) == 0 {
		return Place{}, vault.Errorf(vault.CodeInvalid, "ssh -L 8080:"+a.Socket+" there, and --allow-host localhost:8080 here", "a socket is reached through a tunnel, and --allow-host names its other end")
	}
	dir := filepath.Dir(a.Socket)
	info, err := os.Stat(dir)
	if err != nil {
		return Place{}, vault.Errorf(vault.CodeNotFound, "mkdir -m 700 "+dir, "cannot read the folder of the socket: %w", disk.Cause(err))
	}
	if info.Mode().Perm()&0o077 != 0 {
		return Place{}, vault.Errorf(vault.CodeInvalid, "chmod 700 "+dir, "others can enter %s, the folder of the socket", dir)
	}
	l, err := ListenAt(ctx, a.Socket)
	if err != nil {
		return Place{}, err
	}
	return Place{Listeners: []net.Listener{l}, Hosts: a.Allow}, nil
}
