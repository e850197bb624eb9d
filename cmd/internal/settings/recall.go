package settings

import (
	"cmp"
	"fmt"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// Recall bounds the answers of recall and search, and says what recall uses.
type Recall struct {
	DefaultLimit int // rows unless a flag says otherwise, at most MaxLimit; 0 is the command's own
	MaxLimit     int // rows at the most, whatever a flag says

	Graph bool // what the best memories lead to by entities, labels and links counts, too
}

// MaxLimit bounds the rows of recall and search unless the settings say otherwise.
const MaxLimit = 100

// recallLimits is the key recall. A number that is not set is 0.
type recallLimits struct {
	DefaultLimit limit `yaml:"default_limit"`
	MaxLimit     limit `yaml:"max_limit"`
	Graph        *bool `yaml:"graph"`
}

func (r *recallLimits) UnmarshalYAML(n *yaml.Node) error {
	type plain recallLimits
	if n.Kind != yaml.MappingNode || n.Decode((*plain)(r)) != nil {
		return fmt.Errorf("line %d: recall is {default_limit: 10, max_limit: 100, graph: false}, of numbers from 1 to 1000", n.Line)
	}
	return nil
}

// limit is a number of rows.
type limit int

func (l *limit) UnmarshalYAML(n *yaml.Node) error {
	rows, err := strconv.Atoi(n.Value) // the library takes 1.5 for 1
	if err != nil || rows < 1 || rows > 1000 {
		return fmt.Errorf("line %d: a limit is a number from 1 to 1000", n.Line)
	}
	*l = limit(rows)
	return nil
}

// recallOf takes each value from the first file that has it.
func recallOf(files ...file) Recall {
	r := Recall{}
	var graph *bool
	for _, f := range files {
		graph = cmp.Or(graph, f.Recall.Graph)
		if r.DefaultLimit == 0 {
			r.DefaultLimit = int(f.Recall.DefaultLimit)
		}
		if r.MaxLimit == 0 {
			r.MaxLimit = int(f.Recall.MaxLimit)
		}
	}
	r.Graph = graph == nil || *graph
	if r.MaxLimit == 0 {
		r.MaxLimit = MaxLimit
	}
	r.DefaultLimit = min(r.DefaultLimit, r.MaxLimit)
	return r
}
