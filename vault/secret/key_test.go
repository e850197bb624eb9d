package secret_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault/secret"
)

// begin and end put an armour together when the test runs, as in secret_test.go.
func begin(kind string) string { return "-----" + "BEGIN " + kind + "-----" }
func end(kind string) string   { return "-----" + "END " + kind + "-----" }

// openSSH is a key as ssh-keygen writes one by default, without a passphrase: its
// first line holds the zeros of what is not encrypted.
func (d drawer) openSSH() string {
	field := func(s string) string { return string([]byte{0, 0, 0, byte(len(s))}) + s }
	raw := "openssh-key-v1\x00" + field("none") + field("none") + field("") + "\x00\x00\x00\x01" +
		field(field("ssh-ed25519")+field(string(d.bytes(32)))) + field(string(d.bytes(136)))
	return wrapped(base64.StdEncoding.EncodeToString([]byte(raw)), 70)
}

func wrapped(s string, n int) string {
	var b strings.Builder
	for ; len(s) > n; s = s[n:] {
		b.WriteString(s[:n] + "\n")
	}
	return b.String() + s + "\n"
}

// Every armour of a private key is known, in whatever it was pasted into, and
// the whole of the key is in the finding: it is cut out before a model is asked. Faults O9.
func TestPrivateKeys(t *testing.T) {
	d := draws(11)
	body := d.openSSH()
	long := wrapped(d.of(b64, 400), 64)
	indented := func(text, by string) string {
		return by + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n"+by) + "\n"
	}
	plain := begin("OPENSSH PRIVATE KEY") + "\n" + body + end("OPENSSH PRIVATE KEY")
	for name, text := range map[string]string{
		"openssh":             plain,
		"openssh, cut off":    begin("OPENSSH PRIVATE KEY") + "\n" + strings.SplitAfter(body, "\n")[0],
		"CRLF":                strings.ReplaceAll(plain, "\n", "\r\n"),
		"indented":            indented(plain, "    "),
		"a quotation":         indented(plain, "> "),
		"a difference":        indented(plain, "+"),
		"a comment":           indented(plain, "# "),
		"a comment in code":   indented(plain, "// "),
		"numbered":            "  1\t" + strings.ReplaceAll(plain, "\n", "\n  2\t"),
		"in JSON":             `{"text":"before\n` + strings.ReplaceAll(plain, "\n", `\n`) + `"}`,
		"in JSON, CRLF":       `{"k":"` + strings.ReplaceAll(plain, "\n", `\r\n`) + `"}`,
		"in JSON in JSON":     strings.ReplaceAll(plain, "\n", `\\n`),
		"on one line":         strings.ReplaceAll(plain, "\n", " "),
		"run together":        "KEY=" + strings.ReplaceAll(plain, "\n", ""),
		"in a table":          "| key | " + strings.ReplaceAll(plain, "\n", "<br>") + " |",
		"in code":             `"` + strings.ReplaceAll(plain, "\n", "\\n\" +\n\t\"") + `"`,
		"pkcs1":               begin("RSA PRIVATE KEY") + "\n" + long,
		"pkcs8":               begin("PRIVATE KEY") + "\n" + long,
		"pkcs8, encrypted":    begin("ENCRYPTED PRIVATE KEY") + "\n" + long,
		"dsa":                 begin("DSA PRIVATE KEY") + "\n" + long,
		"ec":                  begin("EC PRIVATE KEY") + "\n" + long,
		"of a chip":           begin("TSS2 PRIVATE KEY") + "\n" + long,
		"with headers":        begin("RSA PRIVATE KEY") + "\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A1B\n\n" + long,
		"pgp":                 begin("PGP PRIVATE KEY BLOCK") + "\nVersion: GnuPG v2\nComment: of ada\n\n" + long,
		"ssh.com":             "---- " + "BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nComment: \"ada\"\n" + long,
		"putty":               "PuTTY-User-Key-" + "File-3: ssh-ed25519\nEncryption: none\nComment: ada\nPublic-Lines: 2\n" + long,
		"openvpn":             begin("OpenVPN Static key V1") + "\n" + wrapped(d.of(hexa, 512), 32),
		"minisign":            "untrusted comment: minisign encrypted secret key\n" + d.of(b64, 212) + "\n",
		"signify":             "untrusted comment: ada secret key\n" + d.of(b64, 140) + "\n",
		"wireguard":           "[Interface]\nPrivateKey = " + d.of(b64, 43) + "=\nAddress = 10.0.0.2/32\n",
		"wrapped at 32":       begin("PRIVATE KEY") + "\n" + wrapped(d.of(b64, 400), 32),
		"of one letter":       begin("PRIVATE KEY") + "\n" + strings.Repeat("A", 64) + "\n",
		"with a stand-in":     begin("PRIVATE KEY") + "\n" + d.of(b64, 24) + "your" + "example" + d.of(b64, 29) + "\n",
		"after a letter":      "x" + plain,
		"named before it":     "The line " + begin("PRIVATE KEY") + " comes first.\n\n" + plain,
		"a list's item":       "- key:\n\n  ```\n" + indented(plain, "  ") + "  ```\n",
		"in YAML":             "ssl:\n  key: |\n" + indented(plain, "    "),
		"in YAML, and quoted": "key: '" + strings.ReplaceAll(plain, "\n", "\n\n  ") + "'\n",
	} {
		t.Run(name, func(t *testing.T) {
			doc := []byte("Before it.\n" + text + "\nAfter it.\n")
			found := secret.FindCredentials(doc)
			if len(found) != 1 {
				t.Fatalf("found %d in %q", len(found), doc)
			}
			f := found[0]
			if said := f.String(doc); said != "a private key" {
				t.Errorf("said %q", said)
			}
			rest := string(doc[:f.Start]) + string(doc[f.End:])
			for _, line := range strings.Fields(body + long) {
				if strings.Contains(rest, line) {
					t.Errorf("left %q of the key", line)
				}
			}
		})
	}
}

// Who writes about keys names their first lines, and shows certificates.
func TestNoPrivateKeys(t *testing.T) {
	d := draws(12)
	long := wrapped(d.of(b64, 400), 64)
	for name, text := range map[string]string{
		"prose":              "The line " + begin("OPENSSH PRIVATE KEY") + " begins a key that ssh-keygen made; see /usr/share/doc/openssh/examples/of/private/keys.",
		"prose below":        begin("OPENSSH PRIVATE KEY") + "\n\nbegins every key that ssh-keygen made.\n\n" + d.of(hexa, 64) + "\n",
		"a search":           "grep -rl '" + begin("RSA PRIVATE KEY") + "' .\n\nIt was " + d.of(hexa, 40) + ".\n",
		"a list of them":     "- `" + begin("RSA PRIVATE KEY") + "`\n- `" + begin("EC PRIVATE KEY") + "`\n",
		"dots":               begin("RSA PRIVATE KEY") + "\n...\n" + end("RSA PRIVATE KEY"),
		"words":              begin("PRIVATE KEY") + "\nbase64 of the key\n" + end("PRIVATE KEY"),
		"nothing in it":      begin("OPENSSH PRIVATE KEY") + "\n" + end("OPENSSH PRIVATE KEY") + "\n\n" + d.of(b64, 64),
		"a public key":       begin("PUBLIC KEY") + "\n" + long + end("PUBLIC KEY"),
		"a certificate":      begin("CERTIFICATE") + "\n" + long + end("CERTIFICATE"),
		"a request":          begin("CERTIFICATE REQUEST") + "\n" + long,
		"a public PGP block": begin("PGP PUBLIC KEY BLOCK") + "\n\n" + long,
		"a signed message":   begin("PGP SIGNATURE") + "\n\n" + long,
		"a public SSH key":   "---- " + "BEGIN SSH2 PUBLIC KEY ----\n" + long,
		"a minisign key":     "untrusted comment: minisign public key ABC\n" + d.of(b64, 56) + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			if found := secret.FindCredentials([]byte(text)); len(found) != 0 {
				t.Errorf("%+v in %q", found, text)
			}
		})
	}
}
