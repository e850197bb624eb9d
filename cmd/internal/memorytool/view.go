package memorytool

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/prose"
)

// What a view shows at the most: the documented number of lines, and rows of a directory.
const (
	mostLines = 999_999
	mostRows  = 1_000
)

func (f *folder) view(ctx context.Context, c command) (string, error) {
	at, err := f.find(ctx, c.Path)
	switch {
	case err != nil:
		return "", err
	case at.dir:
		return f.list(ctx, c, at.Path)
	case !at.file:
		return "", refuse("The path %s does not exist. Please provide a valid path.", c.Path)
	}
	d, err := f.Reading().Open(ctx, string(at.Path))
	if err == nil && d.Mem.Prose == "" && !d.ReadOnly() {
		err = d.Editable() // why nothing of it can be shown
	}
	if err != nil {
		return "", err
	}
	lines := splitLines(prose.WithEnds(d.Mem.Prose, "\n"))
	if len(lines) > mostLines {
		return "", refuse("File %s exceeds maximum line limit of 999,999 lines.", c.Path)
	}
	first, last, err := c.lineRange(len(lines))
	if err != nil {
		return "", err
	}
	if f.Usage != nil {
		_ = f.Usage.Touch(ctx, []vault.Access{{ID: d.ID, At: f.Now(), By: f.Agent, Depth: d.Depth}}) // it must not stop a reader
	}
	return fmt.Sprintf("Here's the content of %s with line numbers:", c.Path) + numberLines(lines[first-1:last], first), nil
}

// lineRange returns the first and the last line of a view.
func (c command) lineRange(lines int) (first, last int, err error) {
	if len(c.ViewRange) == 0 {
		return 1, lines, nil
	}
	first, last = max(int(c.ViewRange[0]), 1), lines
	if len(c.ViewRange) > 1 && c.ViewRange[1] != -1 {
		last = min(int(c.ViewRange[1]), lines)
	}
	if len(c.ViewRange) > 2 || first > max(lines, 1) || last < first-1 {
		return 0, 0, refuse("Error: Invalid `view_range` parameter: %v. It should be within the range of lines of the file: [1, %d]", []number(c.ViewRange), lines)
	}
	return first, last, nil
}

// item is a file or folder of a listing.
type item struct {
	size  int64
	items map[string]*item // of a folder; nil for a file
}

// list lists a folder, two levels deep. Of the sizes those of folders count all that is in them.
func (f *folder) list(ctx context.Context, c command, dir vault.Path) (string, error) {
	root := &item{items: map[string]*item{}}
	_, err := f.Store.Scan(ctx, vault.Scope{Dir: dir}, func(found vault.File) error {
		if found.Problem == nil {
			root.addFile(strings.TrimPrefix(string(found.Path[len(dir):]), "/"), found.Stat.Size)
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	shown := strings.TrimRight(c.Path, "/")
	rows := root.appendRows(shown, 2, []string{humanSize(root.size) + "\t" + shown})
	if left := len(rows) - mostRows; left > 0 {
		rows = append(rows[:mostRows], fmt.Sprintf("… and %d more; view a directory of these to see what is in it", left))
	}
	return fmt.Sprintf("Here're the files and directories up to 2 levels deep in %s, excluding hidden items and node_modules:\n", c.Path) + strings.Join(rows, "\n"), nil
}

// addFile adds a file by its path below the folder.
func (i *item) addFile(path string, size int64) {
	name, rest, deeper := strings.Cut(path, "/")
	if name == "" || name[0] == '.' || name == "node_modules" {
		return
	}
	i.size += size
	if !deeper {
		i.items[nameOf(vault.Path(name))] = &item{size: size}
		return
	}
	name += "/"
	if i.items[name] == nil {
		i.items[name] = &item{items: map[string]*item{}}
	}
	i.items[name].addFile(rest, size)
}

// appendRows appends what is in a folder, by name.
func (i *item) appendRows(at string, levels int, rows []string) []string {
	names := make([]string, 0, len(i.items))
	for name := range i.items {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		one := i.items[name]
		rows = append(rows, humanSize(one.size)+"\t"+at+"/"+name)
		if levels > 1 {
			rows = one.appendRows(at+"/"+strings.TrimSuffix(name, "/"), levels-1, rows)
		}
	}
	return rows
}

// humanSize writes a size as people read it: 5.5K, 1.2M.
func humanSize(bytes int64) string {
	size, unit := float64(bytes), 0
	for size >= 1024 && unit < 3 {
		size, unit = size/1024, unit+1
	}
	if size == float64(int64(size)) {
		return fmt.Sprintf("%d%c", int64(size), "BKMG"[unit])
	}
	return fmt.Sprintf("%.1f%c", size, "BKMG"[unit])
}
