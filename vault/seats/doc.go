// Package seats tells which file is the memory of a folder, among files that are known by
// their paths alone.
//
//	all := make(seats.Map)
//	all.Add("infra.md")
//	up, ok := all.Above("infra/deploy.md") // "infra.md", true
package seats
