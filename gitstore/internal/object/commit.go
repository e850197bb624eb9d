package object

import (
	"strconv"
	"strings"

	"github.com/cp-memory/cp/vault/header"
)

// A commit is lines of headers, an empty line and the message:
//
//	tree 9d1dcfdaf1a6857c5f83dc27019c7600e1ffaff8
//	parent dcdb299a87b999d4645eb95bcd3d72f39d102158
//	author Pat <pat@example.org> 1707123456 +0100
//	committer Pat <pat@example.org> 1707123999 +0100
//
//	The subject, which may go on
//	in lines up to the next empty one
//
//	The rest.

// AnchorOf returns a commit, by its id and its text, as an anchor. Its key is empty where git itself could
// not say who made it when.
func AnchorOf(id string, commit []byte) header.Anchor {
	headers, message, _ := strings.Cut(string(commit), "\n\n")
	_, author, _ := strings.Cut("\n"+headers, "\nauthor ")
	author, _, _ = strings.Cut(author, "\n")
	who, when, ok := cutLast(author, "> ")
	_, email, named := strings.Cut(who, "<")
	seconds, _, _ := strings.Cut(when, " ")
	authored, err := strconv.ParseInt(seconds, 10, 64)
	if !ok || !named || err != nil {
		return header.Anchor{Commit: id}
	}
	return header.Anchor{Commit: id, CommitKey: header.NewCommitKey(authored, strings.TrimSpace(email), subjectOf(message)).String()}
}

// cutLast cuts a text at the last separator.
func cutLast(text, sep string) (before, after string, found bool) {
	i := strings.LastIndex(text, sep)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(sep):], true
}

// subjectOf returns the first paragraph of a message as one line, as git shows it.
func subjectOf(message string) string {
	var lines []string
	for line := range strings.SplitSeq(message, "\n") {
		line = strings.TrimRight(line, " \t\r\v\f")
		if line == "" && len(lines) > 0 {
			break
		}
		if line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, " ")
}
