package transfer

import (
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// The memory server keeps JSON Lines of entities and relations:
//
//	{"type":"entity","name":"Gateway","entityType":"service","observations":["Runs on port 8080"]}
//	{"type":"relation","from":"Gateway","to":"Nomad","relationType":"runs on"}
//
// An entity becomes a memory: its type is a label, its observations are a list, and its
// relations are links below.

// thing is an entity.
type thing struct {
	where        string
	Name         string   `json:"name"`
	EntityType   string   `json:"entityType"`
	Observations []string `json:"observations"`
	links        []Link
}

// serverMemory reads the form.
func (r *reader) serverMemory() {
	var names []string
	known := make(map[string]*thing)
	var relations []func()
	r.eachObjectLine(func(where string, text []byte) {
		var row struct {
			Type string `json:"type"`
			From string `json:"from"`
			To   string `json:"to"`
			Says string `json:"relationType"`
			thing
		}
		if !r.object(where, text, &row) {
			return
		}
		row.where = where
		switch {
		case row.Type == "entity" && strings.TrimSpace(row.Name) != "":
			if t := known[row.Name]; t != nil {
				t.Observations = append(t.Observations, row.Observations...)
				return
			}
			names, known[row.Name] = append(names, row.Name), &row.thing
		case row.Type == "relation" && row.From != "" && row.To != "":
			relations = append(relations, func() {
				t := known[row.From]
				if t == nil {
					r.noteLeftOut(where, "the entity '%s', from which it leads, is not there", vault.Clip(cleanLine(row.From), 80))
					return
				}
				t.links = append(t.links, Link{cleanLine(row.Says), r.source(row.To), cleanLine(row.To)})
			})
		default:
			r.noteLeftOut(where, "it is neither an entity with a name nor a relation with two ends")
		}
	})
	for _, relation := range relations {
		relation()
	}
	if len(names) == 0 {
		return
	}
	folder := r.top("Knowledge graph", "When you look for what the memory server knew of a thing", "Entities of the memory server, brought in from its file.\n")
	for _, name := range names {
		r.thing(folder, known[name])
	}
}

// thing takes an entity in.
func (r *reader) thing(folder string, t *thing) {
	title, whole := titleFromText(t.Name)
	var body strings.Builder
	if !whole {
		body.WriteString(t.Name + "\n\n")
	}
	var said []string
	for _, o := range t.Observations {
		if o = strings.TrimSpace(o); o != "" && !slices.Contains(said, o) {
			said = append(said, o)
			body.WriteString(bullet(o))
		}
	}
	i := Item{Source: r.source(t.Name), Place: r.placeForTitle(folder, t.Name, "entity"), Links: t.links}
	r.takeComposed(t.where, i, vault.Header{Title: title, Labels: labels(t.EntityType)}, body.String())
}

// bullet returns a text as an item of a list; further lines are indented.
func bullet(text string) string {
	return "- " + strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(text), "\r\n", "\n"), "\n", "\n  ") + "\n"
}
