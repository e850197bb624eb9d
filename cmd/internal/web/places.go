package web

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk/sysfile"
)

// goToLinked goes on to the memory that a link in a text names: by its path, or as it was written.
func goToLinked(c *call, ctx context.Context, s *app.Session) error {
	q := c.r.URL.Query()
	var found vault.Node
	err := s.View(ctx, vault.Scope{}, func(t vault.Tree) (err error) {
		for _, ref := range []string{q.Get("p"), q.Get("r")} {
			if ref == "" {
				continue
			}
			if found, err = t.Find(ctx, ref); err == nil {
				return nil
			}
		}
		return err
	})
	if err == nil && found.ID == "" {
		err = nowhere
	}
	if err != nil {
		return err
	}
	http.Redirect(c.w, c.r, c.baseAddress()+"/m/"+url.PathEscape(string(found.ID)), http.StatusSeeOther)
	return nil
}

// pictures are the kinds of files that a page may hold.
var pictures = map[string]bool{"image/png": true, "image/jpeg": true, "image/gif": true, "image/webp": true}

// maxPicture bounds a file that is shown, in bytes.
const maxPicture = 32 << 20

// servePicture serves a picture that lies in the vault. What it is decides the file, not its name.
// Nothing is served of hidden folders, and nothing by a link out of the vault. A drawing,
// which may hold a script, is saved and not shown.
func servePicture(c *call, _ context.Context, s *app.Session) error {
	name, err := vault.ParsePath(c.r.PathValue("path"))
	if err != nil || name == "" || hasHiddenPart(string(name)) {
		return nowhere
	}
	root, err := os.OpenRoot(s.Root)
	if err != nil {
		return nowhere
	}
	defer root.Close()
	f, err := root.OpenFile(string(name), os.O_RDONLY|sysfile.NoWait, 0) // a pipe answers at once
	if err != nil {
		return nowhere
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxPicture {
		return nowhere
	}
	head := make([]byte, 512)
	n, err := io.ReadFull(f, head)
	if err != nil && err != io.ErrUnexpectedEOF {
		return nowhere
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	switch kind := http.DetectContentType(head[:n]); {
	case pictures[kind]:
		c.w.Header().Set("Content-Type", kind)
	case strings.EqualFold(path.Ext(string(name)), ".svg"):
		c.w.Header().Set("Content-Type", "application/octet-stream")
		c.w.Header().Set("Content-Disposition", "attachment")
	default:
		return nowhere
	}
	_, err = io.Copy(c.w, f)
	return err
}

// hasHiddenPart reports whether a path has a hidden part: .git and .cp among them.
func hasHiddenPart(p string) bool {
	for part := range strings.SplitSeq(p, "/") {
		if strings.HasPrefix(part, ".") {
			return true
		}
	}
	return false
}
