// Package release asks which version of the program is the newest.
//
// The promise: nothing here runs but for the command that a person types, and one request is made, which
// tells nothing but the program's name: no version, no id, no vault. It follows no redirection, waits ten
// seconds at the most and reads a megabyte.
//
//	newest, err := release.Source{URL: release.Usual}.Ask(ctx)
//	if release.IsNewer(newest, "v0.1.0") {
//		fmt.Println(newest, "is at", release.Page)
//	}
package release
