package main

import (
	"context"
	"fmt"

	"github.com/cp-memory/cp/index"
	"github.com/cp-memory/cp/vault/embed"
)

// calibrateOf prints what "cp admin embed-calibrate" measures with a model on the set's vault.
func (s *set) calibrateOf(o options, m model) error {
	f, ports, closeAll, err := s.openVectors(o.program, m)
	if err != nil {
		return err
	}
	defer closeAll()
	c := embed.CalibratePorts{Ports: ports, Lexicon: f.Lexicon, Nodes: ports.Holders.(*index.DB).Nodes}
	out, err := c.Run(context.Background(), embed.Calibrate{})
	fmt.Printf("%s calibrate %s: %d questions among %d memories; words %.3f, vectors %.3f, weight %.2f\n", s.name, m.name, out.Questions, out.Memories, out.Words, out.Vectors, out.Weight)
	for _, t := range out.Tried {
		fmt.Printf("  %.2f %.3f %+.4f to %+.4f\n", t.Weight, t.RankFigures, t.Low, t.High)
	}
	return err
}
