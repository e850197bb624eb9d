package vault

import "context"

// A part of a vault that is a project of its own is a memory whose header says project:, with all
// below it. What is made there without a place of its own belongs below that memory.

// InPart has what is planned from now on without a place go to the part of the vault that ref,
// a memory, names; empty is the vault itself.
func (tx *Tx) InPart(ref string) { tx.part = ref }

// Part opens the memory of the part that ref names, or else that [Tx.InPart] named. It is nil
// for the vault itself, and where the part is gone or its memory takes no children: knowledge
// then goes to the vault.
func (tx *Tx) Part(ctx context.Context, ref string) (*Doc, error) {
	if ref == "" {
		ref = tx.part
	}
	if ref == "" {
		return nil, nil
	}
	d, err := tx.OpenMemory(ctx, ref)
	switch CodeOf(err) {
	case CodeNotFound, CodeAmbiguous, CodeType:
		return nil, nil
	}
	if err != nil || d.Editable() != nil || d.Status == StatusClosed {
		return nil, err
	}
	return d, tx.Adopt(ctx, d)
}

// PartAround opens the memory of the part that holds d; nil where the vault itself does.
func (tx *Tx) PartAround(ctx context.Context, d *Doc) (*Doc, error) {
	up, err := tx.Parent(ctx, d)
	for err == nil && up != nil && up.Mem.Header.Project == "" {
		up, err = tx.Parent(ctx, up)
	}
	if err != nil || up == nil {
		return nil, err
	}
	return tx.Part(ctx, string(up.ID))
}
