package gitstore

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault/disk/sysfile"
)

// git's own defaults of gc.auto and gc.autoPackLimit.
const (
	manyLoose = 6700
	manyPacks = 50
)

// Tidy lets git collect its loose objects into a pack when there are so many that git
// itself would do it (gc.auto; 0 is never). It returns as soon as git is in the
// background, at the lowest priority. It is called after an answer, without a lock of ours.
//
// A collection removes only objects that are two weeks old, so it does not touch those of
// a present write; and it steps aside while a write holds gc.pid.
func (r *Repo) Tidy(ctx context.Context) error {
	s, err := r.Settings(ctx)
	if err != nil || !r.untidy(s) {
		return err
	}
	// Ours switches gc.auto off for every command of git, so it is set again.
	cmd := r.Cmd(ctx, nil, "-c", "gc.auto="+strconv.Itoa(numberSetting(s, "gc.auto", manyLoose)), "gc", "--auto", "--quiet")
	if err := cmd.Start(); err != nil {
		return plumb.Error([]string{"gc"}, "", err)
	}
	sysfile.LowerPriority(cmd.Process.Pid) // what it starts inherits that
	if err := cmd.Wait(); err != nil {
		return plumb.Error([]string{"gc"}, "", err)
	}
	return nil
}

// untidy looks as git does: at one of the 256 folders of loose objects, and at
// the packs.
func (r *Repo) untidy(s plumb.Settings) bool {
	loose, packs := numberSetting(s, "gc.auto", manyLoose), numberSetting(s, "gc.autopacklimit", manyPacks)
	if auto, ok := s["maintenance.auto"]; loose <= 0 || ok && !plumb.IsTrue(auto) {
		return false
	}
	if r.younger("gc.pid", 12*time.Hour) || r.younger("gc.log", 24*time.Hour) {
		return false // one is at work, or one that could not do more: git waits as long
	}
	return r.countLoose() > (loose+255)/256 || packs > 0 && r.countPacks() > packs
}

// countLoose counts the loose objects of one folder.
func (r *Repo) countLoose() int {
	return r.sumWorth("17", func(name string) int {
		if len(name) == r.IDs.Len()-2 {
			return 1
		}
		return 0
	})
}

// countPacks counts the packs that a collection may join.
func (r *Repo) countPacks() int {
	return r.sumWorth("pack", func(name string) int { return map[string]int{".pack": 1, ".keep": -1}[filepath.Ext(name)] })
}

// sumWorth adds up what the names in a folder of the object database are worth.
func (r *Repo) sumWorth(folder string, worth func(name string) int) (n int) {
	entries, _ := os.ReadDir(filepath.Join(r.CommonDir(), "objects", folder))
	for _, e := range entries {
		n += worth(e.Name())
	}
	return n
}

// younger reports whether the git directory holds a file of that name that is younger than
// age.
func (r *Repo) younger(name string, age time.Duration) bool {
	info, err := os.Stat(filepath.Join(r.CommonDir(), name))
	return err == nil && time.Since(info.ModTime()) < age
}

// numberSetting returns a setting that is a number, possibly with git's k, m or g
// behind it; anything else is otherwise.
func numberSetting(s plumb.Settings, key string, otherwise int) int {
	value := strings.ToLower(strings.TrimSpace(s[key]))
	unit := 1
	for suffix, n := range map[string]int{"k": 1 << 10, "m": 1 << 20, "g": 1 << 30} {
		if plain, ok := strings.CutSuffix(value, suffix); ok {
			value, unit = plain, n
		}
	}
	n, err := strconv.Atoi(value)
	if err != nil {
		return otherwise
	}
	return n * unit
}
