package header

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// errNotUTF8 refuses values that no YAML reader would take.
var errNotUTF8 = errors.New("the value is not UTF-8")

// format returns s as a YAML scalar that reads as the string s: plain if possible, else
// in double quotes. Dates stay plain. like is the text of the value that it replaces; its
// quotes are kept.
func format(s, like string, inFlow bool) string {
	switch {
	case strings.HasPrefix(like, "'") && printable(s):
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	case strings.HasPrefix(like, `"`), !plainSafe(s), inFlow && strings.ContainsAny(s, ",[]{}:#?\"'"):
		return doubleQuote(s)
	}
	return s
}

// plainSafe reports whether s, unquoted, reads as the string s.
func plainSafe(s string) bool {
	switch {
	case s == "" || !printable(s) || strings.TrimSpace(s) != s:
		return false
	case strings.IndexByte("-?:,[]{}#&*!|>'\"%@`=<~", s[0]) >= 0:
		return false
	case strings.Contains(s, ": ") || strings.Contains(s, " #") || strings.HasSuffix(s, ":"):
		return false
	case strings.HasPrefix(s, "...") || isBoolOrNull(s):
		return false
	}
	return !isNumber(s)
}

// isBoolOrNull reports whether some YAML reads s as a bool or null.
func isBoolOrNull(s string) bool {
	switch strings.ToLower(s) {
	case "null", "true", "false", "yes", "no", "on", "off", "y", "n":
		return true
	}
	return false
}

// isNumber reports whether some YAML reads s as a number; 12:30 is one in base 60.
func isNumber(s string) bool {
	t := strings.TrimLeft(strings.ReplaceAll(s, "_", ""), "+-")
	if t == "" || strings.IndexByte(".0123456789", t[0]) < 0 {
		return false
	}
	switch strings.ToLower(t) {
	case ".inf", ".nan":
		return true
	}
	_, errFloat := strconv.ParseFloat(t, 64)
	_, errInt := strconv.ParseUint(t, 0, 64)
	var range64 *strconv.NumError
	big := errors.As(errInt, &range64) && errors.Is(range64.Err, strconv.ErrRange)
	return errFloat == nil || errors.Is(errFloat, strconv.ErrRange) || errInt == nil || big || strings.Trim(t, "0123456789:.") == "" && strings.Contains(t, ":")
}

// printable reports whether s is one line of characters that YAML takes as they are.
func printable(s string) bool {
	for _, r := range s {
		if r == utf8.RuneError || !yamlPrintable(r) {
			return false
		}
	}
	return true
}

// yamlPrintable reports whether r is in YAML's c-printable, line breaks, the tab and the
// byte order mark excepted.
func yamlPrintable(r rune) bool {
	switch {
	case r < ' ', r >= 0x7f && r < 0xa0, r == '\u2028', r == '\u2029', r == '\ufeff', r == 0xfffe, r == 0xffff:
		return false
	}
	return true
}

// doubleQuote returns s in double quotes and escapes only what must be.
func doubleQuote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case !yamlPrintable(r):
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
