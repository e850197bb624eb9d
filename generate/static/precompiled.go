package static

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

// A precompiled normaliser is SentencePiece's: the length of a trie in bytes, the trie, and
// the replacements of its keys, each ended by a zero byte. The trie is a double array
// (Darts): a node is 32 bits with a label, an offset to its children and a flag that says
// whether it has a value.
type precompiled struct {
	trie  []uint32
	texts []byte
}

func readPrecompiled(b []byte) (normaliser, error) {
	text, err := charsmap(b)
	if err != nil {
		return nil, err
	}
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(raw) < 4 {
		return nil, errors.New("its precompiled normalizer cannot be read")
	}
	size := int(binary.LittleEndian.Uint32(raw))
	if size%4 != 0 || size == 0 || size > len(raw)-4 {
		return nil, errors.New("its precompiled normalizer cannot be read")
	}
	p := precompiled{trie: make([]uint32, size/4), texts: raw[4+size:]}
	for i := range p.trie {
		p.trie[i] = binary.LittleEndian.Uint32(raw[4+4*i:])
	}
	return p.normalise, nil
}

// charsmap returns the text that holds it all, of 300 KB. In the form that it is always written in
// it is taken as it stands, for which encoding/json takes 3 ms.
func charsmap(b []byte) (string, error) {
	const begin, end = `{"type":"Precompiled","precompiled_charsmap":"`, `"}`
	if text, ok := bytes.CutPrefix(b, []byte(begin)); ok {
		if text, ok = bytes.CutSuffix(text, []byte(end)); ok && !bytes.ContainsAny(text, "\"\\") {
			return string(text), nil
		}
	}
	var o struct {
		Map string `json:"precompiled_charsmap"`
	}
	err := json.Unmarshal(b, &o)
	return o.Map, err
}

// whole is the length in bytes from which a cluster of characters is not looked up as one.
const whole = 6

func (p precompiled) normalise(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	clusters := graphemes.FromString(s)
	for clusters.Next() {
		cluster := clusters.Value()
		if len(cluster) < whole {
			if text, ok := p.lookUp(cluster); ok {
				b.WriteString(text)
				continue
			}
		}
		for cluster != "" {
			_, size := utf8.DecodeRuneInString(cluster)
			one := cluster[:size]
			cluster = cluster[size:]
			if text, ok := p.lookUp(one); ok {
				b.WriteString(text)
				continue
			}
			b.WriteString(one)
		}
	}
	return b.String()
}

// lookUp returns the replacement of the shortest key that s begins with.
func (p precompiled) lookUp(s string) (string, bool) {
	at := offset(p.trie[0])
	for i := range len(s) {
		at ^= uint32(s[i])
		if s[i] == 0 || int(at) >= len(p.trie) {
			return "", false
		}
		unit := p.trie[at]
		if unit&(1<<31|0xff) != uint32(s[i]) {
			return "", false
		}
		at ^= offset(unit)
		if unit>>8&1 == 1 && int(at) < len(p.trie) {
			return p.textAt(int(p.trie[at] & (1<<31 - 1)))
		}
	}
	return "", false
}

func offset(unit uint32) uint32 { return unit >> 10 << (unit & (1 << 9) >> 6) }

func (p precompiled) textAt(at int) (string, bool) {
	if at > len(p.texts) {
		return "", false
	}
	text, _, _ := bytes.Cut(p.texts[at:], []byte{0})
	return string(text), true
}
