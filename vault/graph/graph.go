package graph

import (
	"context"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
)

// Node is an entity or a memory.
type Node struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Type        string `json:"type"`                  // "memory" and the like for a memory
	Description string `json:"description,omitempty"` // of a memory its trigger phrase
	Sources     int    `json:"sources,omitempty"`     // how many memories and untracked files speak of the entity
	Memory      bool   `json:"memory,omitempty"`
	Depth       int    `json:"depth"` // how many edges it is away from where the walk began

	Path vault.Path `json:"path,omitempty"` // of a memory

	// The project that it is from; of an entity of several projects the first of them.
	family.Origin
	Projects []family.Origin `json:"projects,omitempty"` // of an entity of several projects all of them

	Created time.Time `json:"-"` // of a memory that says when it was made
}

// Edge leads from one node to another.
type Edge struct {
	From     string `json:"from"`
	Relation string `json:"relation"`
	To       string `json:"to"`
}

// The relations that no facts file names.
const (
	SpeaksOf = "speaks of" // a memory and an entity
	Is       = "is"        // an entity and the memory with its name
)

// Mirror answers questions about entities. Times and orders are the mirror's; it reads no file.
type Mirror interface {
	// Entities returns entities, those of which most speak first, and how many there are.
	Entities(ctx context.Context, q Query) (all []Node, total int, err error)

	// FindNamed returns the entities that have a name, of whatever type, or an id.
	FindNamed(ctx context.Context, name string) ([]Node, error)

	// Around returns the edges of entities and memories, by their ids: relations, which
	// memory speaks of which entity, which entity has a memory's name, and the links and
	// references between memories. Of each sort it returns at most limit of a node, but for all
	// entities that a memory speaks of. The entities at the other ends are of a type, if that is
	// not empty. It asks in as many steps for many nodes as for one.
	Around(ctx context.Context, ids []string, kind string, limit int) ([]Edge, error)

	// Nodes returns what is known of entities and memories, by their ids, without a depth.
	Nodes(ctx context.Context, ids []string) (map[string]Node, error)

	// Speaking returns the memories that speak of each of the entities, the newest first, at
	// most limit of each. It asks once for all of them.
	Speaking(ctx context.Context, ids []string, limit int) (map[string][]vault.ID, error)

	// Search returns the entities whose name or description hold the words of a query, the
	// best first.
	Search(ctx context.Context, query string, limit int) ([]Node, error)
}

// Query chooses entities.
type Query struct {
	Type   string `flag:"type" help:"only those that are this: a <word>"`
	Min    int    `flag:"min" help:"only those of which at least this many <memories> speak"`
	Offset int    `flag:"offset" help:"leave out this many <entities> at the start"`
	Limit  int    // 0 is all
}
