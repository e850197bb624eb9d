package gitstore

import (
	"bufio"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// eachRevision parses what git log writes in logFormat; stopped is set when fn said so.
func eachRevision(r io.Reader, fn func(vault.Revision) bool) (stopped bool, err error) {
	in := bufio.NewReader(r)
	for {
		var f [logFields]string
		for i := range f {
			s, err := in.ReadString(0)
			if errors.Is(err, io.EOF) && strings.TrimSpace(s) == "" && i == 0 {
				return false, nil
			}
			if err != nil {
				return false, err
			}
			f[i] = strings.TrimSpace(strings.TrimSuffix(s, "\x00"))
		}
		seconds, err := strconv.ParseInt(f[1], 10, 64)
		if err != nil {
			return false, err
		}
		if !fn(vault.Revision{Commit: f[0], Time: unixTime(seconds), Author: f[2], Subject: f[3],
			Op: f[4], Verb: f[5], ID: vault.ID(f[6]), Agent: f[7], Undoes: strings.Fields(f[8]),
			Adopts: strings.FieldsFunc(f[9], func(r rune) bool { return r == '\n' })}) {
			return true, nil
		}
	}
}
