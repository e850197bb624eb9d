// Package render turns the results of the core into text for people and into
// JSON, YAML and JSON lines for programs. It decides nothing and reads nothing;
// it writes to the writers it is given.
//
// Text from a vault is not trusted: whatever could move the cursor, change
// colours or the direction of writing is made visible on the way out ([Line],
// [Block]). Widths are display cells, not bytes.
package render
