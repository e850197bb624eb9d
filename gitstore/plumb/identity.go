package plumb

import (
	"cmp"
	"fmt"
	"os"
	"os/user"
	"strings"
	"time"
	"unicode"
)

// Identity is a name and an e-mail address as git writes them.
type Identity struct {
	Name  string
	Email string
}

// String returns the identity in git's own form.
func (id Identity) String() string { return id.Name + " <" + id.Email + ">" }

// WithTime returns the identity with a time, as in a commit's header and a reflog.
func (id Identity) WithTime(t time.Time) string {
	return fmt.Sprintf("%s %d %s", id, t.Unix(), t.Format("-0700"))
}

// Identity returns who git would name as the author or committer (role, in
// capitals). It never fails for want of a configured name: then it is fallback,
// else the user at this host.
func (s Settings) Identity(role, fallback string) Identity {
	key := strings.ToLower(role)
	id := Identity{
		Name:  cmp.Or(CleanName(os.Getenv("GIT_"+role+"_NAME")), CleanName(s[key+".name"]), CleanName(s["user.name"]), CleanName(fallback)),
		Email: cmp.Or(CleanName(os.Getenv("GIT_"+role+"_EMAIL")), CleanName(s[key+".email"]), CleanName(s["user.email"]), CleanName(os.Getenv("EMAIL"))),
	}
	if id.Name == "" || id.Email == "" {
		here := userAtHost()
		id.Name, id.Email = cmp.Or(id.Name, here), cmp.Or(id.Email, here)
	}
	return id
}

// userAtHost names who runs the program, as the system knows them.
func userAtHost() string {
	name := os.Getenv("USER")
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	host, err := os.Hostname()
	if err != nil {
		host = ""
	}
	return cmp.Or(CleanName(name), "somebody") + "@" + cmp.Or(CleanName(host), "localhost")
}

// CleanName drops what git drops from names: control characters and angle
// brackets anywhere, and blanks and punctuation at the ends.
func CleanName(s string) string {
	s = strings.Map(func(c rune) rune {
		if c == '<' || c == '>' || unicode.IsControl(c) {
			return -1
		}
		return c
	}, s)
	return strings.Trim(s, " .,:;\"\\'")
}
