package prose

// AddToLead returns the prose with the text as the last paragraph of what stands before its
// first section, a heading of level 2 or above. A text that stands there already is not added
// again.
func AddToLead(prose, text, eol string, follows bool) string {
	end := len(prose)
	for _, h := range headings(prose) {
		if h.level <= 2 {
			end = h.start
			break
		}
	}
	if HasParagraph(prose[:end], text) {
		return prose
	}
	return Append(prose[:end], text, eol, follows || end < len(prose)) + prose[end:]
}
