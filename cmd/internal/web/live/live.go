package live

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/cp-memory/cp/vault"
)

// How many may listen, how many memories one vault's news name, and how many steps of a vault
// are remembered for those who come back.
const (
	mostListen = 64
	mostIDs    = 200
	mostSteps  = 100
)

// Feed tells who listens which vaults have changed.
type Feed struct {
	mu     sync.Mutex
	vaults map[string]*followed // by their marks
	subs   map[*Listener]bool
	over   bool
}

// followed is a vault and its last steps, the oldest first. Each begins where the one before it
// ended.
type followed struct {
	project string
	now     string
	steps   []step
}

// step is a change of a vault from one generation to another; ids are nil where it is not known
// which memories show something else.
type step struct {
	from string
	ids  []vault.ID
}

// News is what has changed in a vault.
type News struct {
	Vault      string     `json:"vault"` // its mark
	Project    string     `json:"project"`
	Generation string     `json:"generation"`
	IDs        []vault.ID `json:"ids"` // of the memories whose pages show something else
	All        bool       `json:"all"` // they are not named: everything is to be looked at
}

// New returns a feed that nobody listens to.
func New() *Feed { return &Feed{vaults: map[string]*followed{}, subs: map[*Listener]bool{}} }

// Mark is a name for a vault that says nothing of where it lies.
func Mark(root string) string {
	sum := sha256.Sum256([]byte(root))
	return hex.EncodeToString(sum[:4])
}

// formatGeneration is a generation as stamps and news have it.
func formatGeneration(g vault.Generation) string { return fmt.Sprintf("%d.%d", g.Epoch, g.Number) }

// noteGeneration takes up that a vault is at a generation.
func (f *Feed) noteGeneration(mark, project, now string, ids []vault.ID) {
	f.mu.Lock()
	defer f.mu.Unlock()
	v := f.vaults[mark]
	switch {
	case v == nil: // it came
		f.vaults[mark] = &followed{project: project, now: now}
	case v.now == now:
		return
	default:
		v.steps = append(v.steps, step{v.now, ids})
		v.steps = slices.Delete(v.steps, 0, max(len(v.steps)-mostSteps, 0))
		v.now = now
	}
	for l := range f.subs {
		l.call()
	}
}

// since returns what a vault's steps tell from a generation on.
func (v *followed) since(seen string) (ids []vault.ID, all bool) {
	from := -1
	for i, s := range slices.Backward(v.steps) {
		if s.from == seen {
			from = i
			break
		}
	}
	if from < 0 {
		return nil, true
	}
	ids = []vault.ID{}
	for _, s := range v.steps[from:] {
		if s.ids == nil {
			return nil, true
		}
		ids = append(ids, s.ids...)
	}
	slices.Sort(ids)
	if ids = slices.Compact(ids); len(ids) > mostIDs {
		return nil, true
	}
	return ids, false
}

// Stamp is the state of all vaults, as it is known: of each its mark and its generation.
func (f *Feed) Stamp() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.stamp()
}

func (f *Feed) stamp() string {
	var all []string
	for _, mark := range slices.Sorted(maps.Keys(f.vaults)) {
		all = append(all, mark+":"+f.vaults[mark].now)
	}
	return strings.Join(all, ",")
}

// idle reports whether nobody listens.
func (f *Feed) idle() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.subs) == 0
}

// End ends all streams, so that a server which stops waits for none.
func (f *Feed) End() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.over = true
	for l := range f.subs {
		close(l.wake)
	}
	clear(f.subs)
}
