package about

import (
	"context"
	"maps"

	"github.com/cp-memory/cp/vault"
)

// judgeAbsent judges a binding whose file is not in the work tree.
func (c *inquiry) judgeAbsent(ctx context.Context) (vault.BindingState, error) {
	if c.Code.Past == nil {
		return vault.BindingState{State: vault.CodeGone}, nil
	}
	head, err := c.headCommit(ctx)
	if err != nil {
		return vault.BindingState{}, err
	}
	if found, err := c.takeFrom(ctx, head, c.binding.Path); found || err != nil {
		if err != nil {
			return vault.BindingState{}, err
		}
		return c.compareUnlessAhead(ctx)
	}
	if why, err := c.Code.Files.WhyAbsent(ctx, c.binding.Path); why != "" || err != nil {
		return unknown(why), err
	}
	path, enough, err := c.findRename(ctx, head)
	switch {
	case err != nil:
		return vault.BindingState{}, err
	case path != "":
		return c.judgeRenamed(ctx, head, path)
	case !enough:
		return unknown("more than 50 commits would have to be searched for renames"), nil
	}
	if ahead, err := c.isAhead(ctx); ahead || err != nil {
		return vault.BindingState{State: vault.CodeAhead}, err
	}
	return vault.BindingState{State: vault.CodeGone}, nil
}

// judgeRenamed judges a binding by the file that has taken the place of its own.
func (c *inquiry) judgeRenamed(ctx context.Context, head, path string) (vault.BindingState, error) {
	at := c.binding
	at.Path = path
	_, there, why := c.Code.Files.Stat(path)
	if there && why == "" {
		text, err := c.read(path)
		if err != nil {
			return unknown("it cannot be read"), nil
		}
		c.now, c.blob, c.other = text, c.Code.Files.BlobOf(text), path
	} else if found, err := c.takeFrom(ctx, head, path); !found || err != nil {
		return vault.BindingState{State: vault.CodeGone}, err
	}
	state, err := c.compare(ctx, at)
	if state.State == vault.CodeChanged && state.Now == "" {
		state.Now = (Binding{Path: path}).String()
	}
	return state, err
}

// takeFrom judges by a commit's version of a file. found is false where it has none.
func (c *inquiry) takeFrom(ctx context.Context, commit, path string) (found bool, err error) {
	if commit == "" {
		return false, nil
	}
	blob, err := c.blobsAt(ctx, commit, path)
	if blob == "" || err != nil {
		return false, err
	}
	c.blob = blob
	c.now, err = c.Code.Past.ReadBlob(ctx, blob)
	return true, err
}

// findRename returns where the file is at HEAD: the same blob, else what git finds alike since the
// binding was stamped. enough is false where that would be one commit too many.
func (c *inquiry) findRename(ctx context.Context, head string) (path string, enough bool, err error) {
	if head == "" {
		return "", true, nil
	}
	if c.places == nil {
		if c.places, err = c.Code.Past.Renames(ctx, "", head); err != nil {
			return "", true, err
		}
	}
	if path = c.places[c.stamp.Blob]; path != "" || c.stamp.Commit == "" {
		return path, true, nil
	}
	from := c.stamp.Commit
	all, ok := c.renames[from]
	if !ok {
		if c.asked++; c.asked > mostRenames {
			return "", false, nil
		}
		if all, err = c.Code.Past.Renames(ctx, from, head); err != nil {
			return "", true, err
		}
		if c.renames == nil {
			c.renames = make(map[string]map[string]string)
		}
		c.renames[from] = all
	}
	return all[c.binding.Path], true, nil
}

func (j *Judge) headCommit(ctx context.Context) (string, error) {
	if j.head == nil {
		head := ""
		if j.Code.Past != nil {
			var err error
			if head, err = j.Code.Past.HeadCommit(ctx); err != nil {
				return "", err
			}
		}
		j.head = &head
	}
	return *j.head, nil
}

func (j *Judge) read(path string) ([]byte, error) {
	if text, ok := j.texts[path]; ok {
		return text, nil
	}
	text, err := j.Code.Files.Read(path)
	if err != nil {
		return nil, err
	}
	if j.texts == nil {
		j.texts = make(map[string][]byte)
	}
	j.texts[path] = text
	return text, nil
}

// blobsAt returns the id of a commit's file; empty where it has none, or is not in this clone.
func (j *Judge) blobsAt(ctx context.Context, commit, path string) (string, error) {
	if blob, ok := j.blobs[commit][path]; ok {
		return blob, nil
	}
	all, err := j.Code.Past.Blobs(ctx, commit, []string{path})
	if err != nil && vault.CodeOf(err) != vault.CodeNotFound {
		return "", err
	}
	if j.blobs == nil {
		j.blobs = make(map[string]map[string]string)
	}
	if j.blobs[commit] == nil {
		j.blobs[commit] = map[string]string{}
	}
	j.blobs[commit][path] = ""
	maps.Copy(j.blobs[commit], all)
	return j.blobs[commit][path], nil
}
