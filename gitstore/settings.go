package gitstore

import (
	"bytes"
	"context"
	"strings"
)

// settings are git's config as it applies to this work tree, all files,
// includes and variables together. Keys are in lower case but for the middle
// part; the last value counts.
type settings map[string]string

// settings reads git's files where they are plain, and else asks git, which alone
// knows where its files are and what they include.
func (r *Repo) settings(ctx context.Context) (settings, error) {
	if s, ok := r.readSettings(); ok {
		return s, nil
	}
	return r.askSettings(ctx)
}

func (r *Repo) askSettings(ctx context.Context) (settings, error) {
	out, err := r.git(ctx, nil, "config", "--list", "-z")
	if err != nil {
		return nil, err
	}
	s := settings{}
	for item := range bytes.SplitSeq(bytes.TrimSuffix(out, []byte{0}), []byte{0}) {
		key, value, ok := strings.Cut(string(item), "\n")
		if !ok {
			value = "true" // a key without "=" is a bool
		}
		s[key] = value
	}
	return s, nil
}

// Config returns the value of a key, empty when it is not set.
func (r *Repo) Config(ctx context.Context, key string) (string, error) {
	out, err := r.git(ctx, nil, "config", "--get", key)
	if exitCode(err) == 1 {
		return "", nil
	}
	return strings.TrimSuffix(string(out), "\n"), err
}

// SetConfig sets a key in the repository's own config file; an empty value removes it.
func (r *Repo) SetConfig(ctx context.Context, key, value string) error {
	args := []string{"config", "--local", key, value}
	if value == "" {
		args = []string{"config", "--local", "--unset-all", key}
	}
	_, err := r.git(ctx, nil, args...)
	if value == "" && exitCode(err) == 5 { // there was none
		return nil
	}
	return err
}
