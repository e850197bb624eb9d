package live

import (
	"maps"
	"slices"
	"strings"
)

// Listener is one who is told.
type Listener struct {
	feed *Feed
	wake chan struct{}
	seen map[string]string // the generations of the vaults that it knows, by their marks
}

// Listen returns one who has seen what a stamp says; an empty stamp is the present state. It is
// nil where too many listen, or the feed has ended. Leave ends it.
func (f *Feed) Listen(stamp string) *Listener {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.subs) >= mostListen || f.over {
		return nil
	}
	l := &Listener{feed: f, wake: make(chan struct{}, 1), seen: map[string]string{}}
	if stamp == "" {
		stamp = f.stamp()
	}
	for part := range strings.SplitSeq(stamp, ",") {
		mark, generation, _ := strings.Cut(part, ":")
		if v := f.vaults[mark]; v != nil {
			l.seen[mark] = generation
		}
	}
	if f.subs[l] = true; len(l.listMissed()) > 0 {
		l.call()
	}
	return l
}

// Wake has something when there are news, and is closed when the feed ends.
func (l *Listener) Wake() <-chan struct{} { return l.wake }

// Leave ends the listening.
func (l *Listener) Leave() {
	l.feed.mu.Lock()
	defer l.feed.mu.Unlock()
	delete(l.feed.subs, l)
}

// call wakes the listener. Who was not awake yet gets all news at once.
func (l *Listener) call() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// listMissed returns the marks of the vaults that are not what was seen.
func (l *Listener) listMissed() (marks []string) {
	for _, mark := range slices.Sorted(maps.Keys(l.feed.vaults)) {
		if l.seen[mark] != l.feed.vaults[mark].now {
			marks = append(marks, mark)
		}
	}
	return marks
}

// News returns what has changed since the last time, and the stamp of that.
func (l *Listener) News() (all []News, stamp string) {
	l.feed.mu.Lock()
	defer l.feed.mu.Unlock()
	for _, mark := range l.listMissed() {
		v := l.feed.vaults[mark]
		n := News{Vault: mark, Project: v.project, Generation: v.now}
		n.IDs, n.All = v.since(l.seen[mark])
		l.seen[mark] = v.now
		all = append(all, n)
	}
	return all, l.feed.stamp()
}
