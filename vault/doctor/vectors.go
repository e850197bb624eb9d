package doctor

import "context"

// lookVectors tells whether recall uses the vectors as they are kept, where a model is configured.
func lookVectors(ctx context.Context, p *Patient) ([]Finding, error) {
	if p.Vectors == nil {
		return nil, nil
	}
	state, err := p.Vectors(ctx)
	if err != nil {
		f := NewFailure("", err)
		f.Severity = Warning // words find what they found before
		return []Finding{f}, nil
	}
	return sound("%s", state), nil
}
