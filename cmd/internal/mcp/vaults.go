package mcp

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sync"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/registry"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/cmd/internal/target"
	"github.com/cp-memory/cp/vault"
)

// spare is how many sessions that nobody uses are kept open. A client asks for one or two
// things at once.
const spare = 4

// vaults keeps the vaults in use open between calls. A session belongs to one call at a time,
// so that calls run side by side; one whose settings, folder or index is not any more what it
// was opened by is closed instead of used again.
type vaults struct {
	app   *app.App
	asked registry.About // by who started the server
	warn  func(string)
	end   context.CancelFunc // of the watchers
	ctx   context.Context

	calls sync.WaitGroup // sessions in use
	kept  sync.WaitGroup // watchers

	mu      sync.Mutex
	idle    []*held
	watched map[string]*watching // by the vault's folder
	closed  bool
}

func newVaults(o Options) *vaults {
	v := &vaults{app: o.App, asked: o.About, warn: o.Warn, watched: map[string]*watching{}}
	v.asked.Flags.Writer = settings.Writer{Tool: true}
	if v.warn == nil {
		v.warn = func(string) {}
	}
	v.ctx, v.end = context.WithCancel(context.Background())
	return v
}

// held is an open session.
type held struct {
	*app.Session
	app     *app.App      // of this session alone
	target  target.Target // of the call that uses it
	warned  []string      // by the call that uses it
	receipt noting        // of what that call wrote
	folder  os.FileInfo
	stale   bool
}

// noting notes the receipt of what is committed.
type noting struct {
	vault.Writer
	last vault.Receipt
}

// Commit is [vault.Writer.Commit].
func (n *noting) Commit(ctx context.Context, c *vault.Change) (vault.Receipt, error) {
	r, err := n.Writer.Commit(ctx, c)
	if err == nil {
		n.last = r
	}
	return r, err
}

// call says for whom and in which project a session is wanted, and which memories it is about.
type call struct {
	caller
	project string

	verb   string        // as the command line calls it
	refs   []string      // that the call names; a project below the current one may have them
	sought target.Sought // what these are
}

// viewVault hands fn the vault with what waits in the outbox shown as it will be.
func (v *vaults) viewVault(ctx context.Context, c call, fn func(*held) error) error {
	return v.withSession(ctx, c, app.Look, fn)
}

// changeVault hands fn the vault after committing what waits in the outbox.
func (v *vaults) changeVault(ctx context.Context, c call, fn func(*held) error) error {
	return v.withSession(ctx, c, app.Read, func(h *held) error {
		added, err := h.Deliver(ctx)
		h.warned = append(h.warned, describeTended(vault.Tended{Added: added, Why: err})...)
		h.receipt.last = vault.Receipt{}
		if err := fn(h); err != nil {
			return err
		}
		h.Tidy(ctx)
		return nil
	})
}

// describeTended says what was finished on the way.
func describeTended(t vault.Tended) (said []string) {
	for _, d := range t.Added {
		said = append(said, "what waited is committed now: "+string(d.ID)+" "+d.Title)
	}
	return append(said, t.Notes...)
}

// takeSession returns a session by the settings as they are now.
func (v *vaults) takeSession(ctx context.Context, c call, flags settings.Flags, own app.App) (*held, error) {
	s, err := settings.Load(flags, own.Place())
	if err != nil {
		return nil, err
	}
	if s.Agent == "" {
		s.Agent = agentOf(c.agent)
	}
	if h := v.reuse(s); h != nil {
		return h, nil
	}
	return v.openHeld(ctx, own, s)
}

// agentOf is the name under which a client writes that was given none.
func agentOf(client string) string {
	if client == "" || settings.CheckName("agent", client) != nil {
		return name
	}
	return client
}

func (v *vaults) openHeld(ctx context.Context, own app.App, s settings.Settings) (h *held, err error) {
	h = &held{app: &own}
	own.Progress, own.Debug = nil, v.app.Debug
	own.Warn = func(text string) { h.warned = append(h.warned, text) }
	if h.folder, err = os.Stat(s.Root); err != nil {
		return nil, vault.Errorf(vault.CodeIO, "", "cannot read the vault's folder: %w", err)
	}
	if h.Session, err = own.Open(ctx, s); err != nil {
		return nil, err
	}
	h.noteReceipts()
	return h, nil
}

// noteReceipts has the session note what it commits.
func (h *held) noteReceipts() {
	h.receipt.Writer, h.Vault.Store.Writer = h.Vault.Store.Writer, &h.receipt
}

// reuse returns a session that was opened by the same settings and whose vault is still there:
// the one that was used last, which is the warmest.
func (v *vaults) reuse(s settings.Settings) *held {
	v.mu.Lock()
	defer v.mu.Unlock()
	for i, h := range slices.Backward(v.idle) {
		if !reflect.DeepEqual(h.Settings, s) {
			continue
		}
		v.idle = append(v.idle[:i], v.idle[i+1:]...)
		if now, err := os.Stat(s.Root); err == nil && os.SameFile(now, h.folder) && h.hasGit() {
			return h
		}
		h.app.Close(h.Session)
		return nil
	}
	return nil
}

// hasGit reports whether the state in the git directory is where it was. A repository that was
// made anew has none yet.
func (h *held) hasGit() bool {
	dir := h.State.StateDir()
	if dir == "" {
		return true
	}
	_, err := os.Stat(filepath.Dir(filepath.Dir(dir)))
	return err == nil
}

// releaseSession takes a session back.
func (v *vaults) releaseSession(h *held) {
	h.warned, h.target = nil, target.Target{}
	v.mu.Lock()
	keep := !h.stale && !v.closed && len(v.idle) < spare
	if keep {
		v.idle = append(v.idle, h)
	}
	v.mu.Unlock()
	if !keep {
		h.app.Close(h.Session)
	}
}

// closeAll waits for the calls under way and ends all that runs.
func (v *vaults) closeAll() {
	v.mu.Lock()
	v.closed = true
	v.mu.Unlock()
	v.calls.Wait()
	v.end()
	v.kept.Wait()
	for _, h := range v.idle {
		h.app.Close(h.Session)
	}
	v.idle = nil
}
