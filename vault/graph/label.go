package graph

import "strings"

// A label is a node, too: it joins the memories that bear it.
const (
	LabelType = "label"
	Labelled  = "labelled" // a memory and a label

	labelMark = "label:" // no id of a memory has a colon
)

// LabelID returns the id of a label's node.
func LabelID(label string) string { return labelMark + label }

// LabelOf returns the label of a node's id; false for another node's.
func LabelOf(id string) (string, bool) { return strings.CutPrefix(id, labelMark) }
