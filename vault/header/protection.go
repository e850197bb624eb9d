package header

import (
	"cmp"
	"strings"
)

// What a header says under `protected:`, or else under `read_only:`, the key of Letta: whether
// agents change the memory. true, yes, on and 1 are [Protected]; false, no, off and 0 are no
// protection, and neither is a header without the keys. Whatever else stands there counts as
// Protected: nobody writes the key who means nothing by it.
//
//	protected: append

// The protections, the weaker one last. A memory has none where it is empty.
const (
	Protected  = "true"   // no agent changes it
	AppendOnly = "append" // agents add to it, and take nothing away
)

// protectionKeys are the keys, in the order in which they count.
var protectionKeys = [...]string{"protected", "read_only"}

// ProtectionOf returns the protection that a header gives a memory. Where the value is none of
// those above, wrong says so with the line; else it is empty.
func ProtectionOf(h *Header) (protection, wrong string, line int) {
	if h.Err() != nil {
		return protectionInLines(h.Text()), "", 0
	}
	for _, key := range protectionKeys {
		if line = h.Line(key); line == 0 {
			continue
		}
		said, one := h.Get(key)
		if protection, ok := readProtection(said); one && ok {
			return protection, "", 0
		}
		if !one {
			said = cmp.Or(strings.Join(h.List(key), ", "), "nothing that can be read")
		}
		return Protected, key + " holds " + OneLine(said) + ", and knows true, append and false: the memory counts as protected", line
	}
	return "", "", 0
}

// readProtection returns what a value means; false for one that means nothing.
func readProtection(said string) (protection string, ok bool) {
	switch strings.ToLower(strings.TrimSpace(said)) {
	case "true", "yes", "on", "1":
		return Protected, true
	case "append":
		return AppendOnly, true
	case "false", "no", "off", "0":
		return "", true
	}
	return Protected, false
}

// protectionInLines returns the strongest protection that a line of a header gives which cannot be
// read: both sides of a conflict in it count.
func protectionInLines(text string) (strongest string) {
	for line := range strings.Lines(text) {
		for _, key := range protectionKeys {
			value, ok := strings.CutPrefix(strings.TrimSpace(line), key+":")
			if !ok {
				continue
			}
			value, _, _ = strings.Cut(value, " #")
			if protection, _ := readProtection(strings.Trim(value, " \t\r\n\"'")); protection != "" && strongest != Protected {
				strongest = protection
			}
		}
	}
	return strongest
}

// textProtection is what the table of fields reads.
func textProtection(h *Header) string {
	protection, _, _ := ProtectionOf(h)
	return protection
}
