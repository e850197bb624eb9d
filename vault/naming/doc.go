// Package naming finds the memory that a person, an agent or a file names.
//
// What files say under references: is strict, [Resolve]: an id, a path, the beginning of an
// id, a title or an alias. What is typed may also be written as a link, or be what a link calls
// the memory, as the name of its file, [FindTyped]:
//
//	n, err := naming.FindTyped(ctx, names, "[[f/Deep Note|words]]", "")
//
// The package does no I/O but what the [Names] do.
package naming
