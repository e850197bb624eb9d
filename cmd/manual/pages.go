package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/cpuguy83/go-md2man/v2/md2man"
	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/topics"
)

// listPages returns the man pages by their paths. source stands at the foot of each.
func listPages(source string) (map[string][]byte, error) {
	day, err := pageDate()
	if err != nil {
		return nil, err
	}
	all := map[string][]byte{}
	for _, t := range topics.All() {
		name := program + "-" + t.Name
		all[filepath.Join("man", "man7", name+".7")] = renderTopic(t, day, source)
	}
	root := commands(new(bytes.Buffer))
	prepareAll(root)
	return all, addCommands(all, root, doc.GenManHeader{Section: "1", Source: source, Manual: "cp memory", Date: &day})
}

// pageDate is SOURCE_DATE_EPOCH, so that two makes of one commit are the same bytes; else now.
func pageDate() (time.Time, error) {
	epoch := os.Getenv("SOURCE_DATE_EPOCH")
	if epoch == "" {
		return time.Now().UTC(), nil
	}
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH is no number of seconds: %q", epoch)
	}
	return time.Unix(seconds, 0).UTC(), nil
}

// addCommands adds a page for cmd and for each command below it. The group memory is left out: its
// commands stand at the top under this name.
func addCommands(all map[string][]byte, cmd *cobra.Command, h doc.GenManHeader) error {
	if cmd.CommandPath() == program+" memory" {
		return nil
	}
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			if err := addCommands(all, c, h); err != nil {
				return err
			}
		}
	}
	var page bytes.Buffer
	if err := doc.GenMan(cmd, &h, &page); err != nil {
		return err
	}
	name := strings.ReplaceAll(cmd.CommandPath(), " ", "-")
	all[filepath.Join("man", "man1", name+".1")] = page.Bytes()
	return nil
}

// prepareAll names the program in the texts of a command and of those below it, and marks what Markdown
// would take for itself.
func prepareAll(cmd *cobra.Command) {
	cmd.DisableAutoGenTag = true
	cmd.Long = escapeText(render.RenameCommands(program, cmd.Long))
	cmd.Example = render.RenameCommands(program, cmd.Example)
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) { f.Usage = marked.Replace(render.RenameCommands(program, f.Usage)) })
	for _, c := range cmd.Commands() {
		prepareAll(c)
	}
}

var marked = strings.NewReplacer("<", `\<`, "*", `\*`)

// escapeText marks those characters, and indents by four what is indented at all: that is shown as it
// stands.
func escapeText(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "  ") {
			lines[i] = "    " + line
			if i > 0 && lines[i-1] != "" && !strings.HasPrefix(lines[i-1], " ") {
				lines[i] = "\n" + lines[i]
			}
			continue
		}
		lines[i] = marked.Replace(line)
	}
	return strings.Join(lines, "\n")
}

// renderTopic is the page of a topic, whose text is Markdown.
func renderTopic(t topics.Topic, day time.Time, source string) []byte {
	text, _ := topics.FindTopic(t.Name)
	name := program + "-" + t.Name
	head := fmt.Sprintf("%% %q \"7\" %q %q \"cp memory\"\n# NAME\n%s - %s\n\n", strings.ToUpper(name), day.Format("Jan 2006"), source, name, t.About)
	return md2man.Render([]byte(head + render.RenameCommands(program, text)))
}
