// Package family says which projects belong together. A project is a full path on disk
// with memories: the folder that a vault serves, or a part of a vault. Its parent is the
// project with the longest path that is a proper prefix of its own by whole components. So
// nothing stores parenthood: a project that is inserted, moved or removed re-parents the
// others by itself, and no cycle can exist.
//
// A family is a project and all its descendants: who asks in a parent is answered from all
// of them, who asks in a child from that alone.
//
// The rules are functions over a list of projects. Whoever makes the list resolves links,
// and makes paths absolute and clean; nothing here looks at the disk.
//
//	rules := family.Rules{}
//	parent, ok := rules.DetectParent("/p/TTS/TrueTTS/frontend-new", all) // TrueTTS, not TTS
//	members := rules.Family(parent, all)                                 // TrueTTS, frontend-new
package family
