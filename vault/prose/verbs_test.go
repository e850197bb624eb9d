package prose

import (
	"maps"
	"slices"
	"testing"

	"github.com/cp-memory/cp/vault/header"
)

func TestVerbs(t *testing.T) {
	wiki := func(target string) header.Reference { return header.Reference{Kind: linkWiki, Target: target} }
	for name, row := range map[string]struct {
		prose string
		want  map[header.Reference][]string
	}{
		"none":              {"Relations are hard.\n- depends on [[A]]\n", nil},
		"a list":            {"# T\n\n## Relations\n- depends on [[A]]\n* part  of [[b/C|c]] (since May)\n\n## Other\n- likes [[D]]\n", map[header.Reference][]string{wiki("A"): {"depends on"}, wiki("b/C"): {"part of"}}},
		"links to files":    {"## Relations\n- replaces [old](x.md)\n", map[header.Reference][]string{{Kind: linkFile, Target: "x.md"}: {"replaces"}}},
		"CRLF, no last end": {"## Relations\r\n- uses [[A]]", map[header.Reference][]string{wiki("A"): {"uses"}}},
		"no verb":           {"## Relations\n- [[A]]\nuses [[B]]\n", map[header.Reference][]string{}},
		"two of one target": {"## Relations\n- implements [[A]]\n- tested by [[A]]\n- implements [[A]]\n", map[header.Reference][]string{wiki("A"): {"implements", "tested by"}}},
		"in lower case":     {"## relations\n- a [[A]]\n", map[header.Reference][]string{wiki("A"): {"a"}}},
		"in upper case":     {"# RELATIONS\n- a [[A]]\n", map[header.Reference][]string{wiki("A"): {"a"}}},
	} {
		if got := Verbs(row.prose); !maps.EqualFunc(got, row.want, slices.Equal) {
			t.Errorf("%s: got %v", name, got)
		}
	}
}
