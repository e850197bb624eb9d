package record_test

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/cp-memory/cp/vault/record"
)

func Example() {
	dir, err := os.MkdirTemp("", "vault")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	s, end, err := open(dir)
	if err != nil {
		panic(err)
	}
	defer end()
	ctx := context.Background()

	r := &record.MemoryRecord{Topic: "Databases", Context: "The primary is db1.", Decisions: []string{"Use PostgreSQL 17"}}
	fmt.Println("added:", s.AddMemory(ctx, r))

	same, err := record.Memories{Store: s}.AddMemory(ctx, record.MemoryInput{Topic: "Databases", Context: "The primary is db1.", Decisions: []string{"Use PostgreSQL 17"}})
	fmt.Println("again:", same.MemoryID == r.ID, same.Duplicate, err)

	text := "The primary is db7."
	fmt.Println("changed:", s.UpdateMemory(ctx, r.ID, record.MemoryUpdate{Context: &text}))
	got, err := s.GetMemory(ctx, r.ID)
	fmt.Println("version", got.Version, got.Decisions, err)

	_, err = s.GetMemory(ctx, "pf-none")
	fmt.Println("not found:", errors.Is(err, record.ErrMemoryNotFound))
	// Output:
	// added: <nil>
	// again: true true <nil>
	// changed: <nil>
	// version 2 [Use PostgreSQL 17] <nil>
	// not found: true
}
