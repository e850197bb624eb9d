package transfer

// An Obsidian vault is a folder of Markdown. Properties stand in the header: tags are labels
// and aliases are read as they are. Links are wikilinks by the name or the path of a note,
// [[dir/Note#Head|alias]], and embeds, ![[image.png]]. As files keep their names and folders,
// links lead where they led. Tags in the text, #project/x, become labels.

// obsidian reads the form.
func (r *reader) obsidian() {
	for _, n := range r.notes() {
		n.place = r.freePlace(n.stem())
		n.label(tags(string(n.body))...)
		r.takeNote(n)
	}
}
