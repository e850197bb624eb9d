package render

import (
	"cmp"
	"slices"
	"strings"
)

// whose returns what names the project of a row, and whether that has to be said: rows are from
// several projects, or from another one than is asked. of tells a project's name and path. A
// name that several of the projects have comes with as much of the path as tells them apart.
func whose[R any](s Screen, rows []R, of func(R) (name, path string)) (label func(R) string, named bool) {
	paths := map[string][]string{} // by name
	asked := s.Asked
	for _, r := range rows {
		name, path := of(r)
		asked = cmp.Or(asked, path)
		if named = named || path != asked && (s.Asked == "" || path != ""); !slices.Contains(paths[name], path) {
			paths[name] = append(paths[name], path)
		}
	}
	return func(r R) string {
		name, path := of(r)
		if all := paths[name]; len(all) > 1 && path != "" {
			name += " (" + tail(path, all) + ")"
		}
		return Line(name)
	}, named
}

// bracketProjects is whose for what names the project behind a title: empty where nothing has to be said.
func bracketProjects[R any](s Screen, rows []R, of func(R) (name, path string)) func(R) string {
	label, named := whose(s, rows, of)
	return func(r R) string {
		if name := label(r); named && name != "" {
			return " [" + name + "]"
		}
		return ""
	}
}

// tail returns the last components of a path, as many as no other one ends with.
func tail(path string, all []string) string {
	at := len(path)
	for at > 0 {
		at = strings.LastIndexByte(path[:at], '/')
		end := path[max(at, 0):]
		if at < 0 || !slices.ContainsFunc(all, func(other string) bool { return other != path && strings.HasSuffix(other, end) }) {
			break
		}
	}
	return path[at+1:]
}
