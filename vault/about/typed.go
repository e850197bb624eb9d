package about

import (
	"path"
	"strings"

	"github.com/cp-memory/cp/vault"
)

var typedLines = compileOnce(`^(.+?):([0-9]+)(?:-([0-9]+))?(?::[0-9]+)?$`)

// ParseTyped reads a binding as a person or a program types it: "a.py:10", "a.py:10-24" and "a.py#L10-24"
// are lines too, and "a.py:10:5", as compilers write, is line 10. dir is the working directory,
// relative to the top of the code repository, and empty at the top: the path counts from there, and may hold "." and "..".
// With NAME: it counts from the top of that project's code. An absolute path is outside: make it relative first.
func ParseTyped(text, dir string) (Binding, error) {
	whole, part, hasPart := strings.Cut(text, "#")
	if m := typedLines().FindStringSubmatch(whole); m != nil && !hasPart {
		whole, part, hasPart = m[1], linesOf(m[2], m[3]), true
	}
	project := ""
	if name, rest, ok := strings.Cut(whole, ":"); ok && isProject(name) {
		project, whole, dir = name+":", rest, ""
	}
	where, err := placePath(whole, dir)
	if err != nil {
		return Binding{}, err
	}
	if hasPart {
		where += "#" + part
	}
	b, err := parse(project + where)
	if err == nil {
		err = b.Check()
	}
	if err != nil {
		return Binding{}, err
	}
	return b, nil
}

// linesOf returns the lines as a binding has them; last may be empty.
func linesOf(first, last string) string {
	if last == "" {
		return "L" + first
	}
	return "L" + first + "-L" + last
}

// placePath returns the path, as typed in dir, from the top. A folder ends in "/".
func placePath(typed, dir string) (string, error) {
	where := path.Clean(path.Join(escape(dir, pathBytes), typed))
	switch {
	case typed == "":
		return "", vault.Errorf(vault.CodeInvalid, grammar, "the binding names no path")
	case strings.HasPrefix(typed, "/"), where == "..", strings.HasPrefix(where, "../"):
		return "", vault.Errorf(vault.CodeInvalid, "name a file of the repository that the memory's project is in", "'%s' lies outside the code repository", typed)
	case where == ".":
		return "", vault.Errorf(vault.CodeInvalid, "name the folder or the files that the memory is about", "'%s' would bind every file", typed)
	}
	last := path.Base(typed)
	if strings.HasSuffix(typed, "/") || last == "." || last == ".." {
		where += "/"
	}
	if strings.HasSuffix(where, "/") && strings.ContainsAny(where, "*?[{") {
		where += "**"
	}
	return where, nil
}

// SaysNothing reports whether a text that is typed in the place of a binding is only spaces and commas.
func SaysNothing(typed string) bool { return strings.Trim(typed, ", \t\r\n") == "" }

// IsInGit reports whether a path leads into a folder of git's own.
func IsInGit(path string) bool {
	for part := range strings.SplitSeq(path, "/") {
		if strings.EqualFold(part, ".git") {
			return true
		}
	}
	return false
}
