// Package secret finds what looks like a credential in a text: tokens with a
// shape of their own (a prefix, a length, an alphabet), private keys, passwords
// in URLs, and random-looking values given to words such as password.
//
// It is made to be believed: people would switch off a rule that also fits hashes,
// ids and examples. So every rule needs a literal that nothing else begins with, and
// a plain stand-in (AKIA…EXAMPLE, ${TOKEN}, <password>, xxxxxx, password: 12345678)
// is no finding. Keys and URLs need no such doubt: below a key's first line, and
// between a URL's : and @, stands little else.
//
// One pass over the bytes looks at pairs of them in a table. A rule is tried only
// where a pair begins its literal.
//
//	for _, f := range secret.Scan(text) {
//		fmt.Printf("line %d: %s\n", f.Line, f.String(text)) // line 3: a GitHub token (ghp_…)
//	}
package secret
