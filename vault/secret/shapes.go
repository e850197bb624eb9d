package secret

import (
	"bytes"
)

// shape is a credential that is known by its form alone.
type shape struct {
	name    string
	literal string  // what it begins with
	rest    pattern // what follows the literal, anchored at both ends of itself
	body    int     // the group of rest that is the secret; 0 is all of it
	inside  bool    // it may follow a letter or digit
	minimum float64 // bits per character that a true one has at least; -1 looks for no stand-in
	real    func(text []byte, start, end int) bool
	from    func(text []byte, i int) int // where the credential begins, when that is before the literal; -1 is nowhere
}

func like(name, literal, rest string) shape {
	return shape{name: name, literal: literal, rest: form(`\A(?:` + rest + `)`)}
}

const (
	url64 = `[A-Za-z0-9_-]`
	alnum = `[A-Za-z0-9]`
)

// shapes are the rules. The forms are those that the services document or that
// their own scanners' patterns give.
var shapes = []shape{
	like("an AWS access key", "AKIA", `[A-Z2-7]{16}`),
	like("an AWS access key", "ASIA", `[A-Z2-7]{16}`),
	like("a GitHub token", "ghp_", alnum+`{36,251}`),
	like("a GitHub token", "gho_", alnum+`{36,251}`),
	like("a GitHub token", "ghu_", alnum+`{36,251}`),
	like("a GitHub token", "ghs_", alnum+`{36,251}`),
	like("a GitHub token", "ghr_", alnum+`{36,251}`),
	like("a GitHub token", "github_pat_", alnum+`{22}_`+alnum+`{59}`),
	like("a GitLab token", "glpat-", `[A-Za-z0-9_.-]{20,}`),
	like("a GitLab token", "gldt-", url64+`{20,}`),
	like("a GitLab token", "glrt-", url64+`{20,}`),
	like("a GitLab token", "glptt-", `[0-9a-f]{40}`),
	like("a Slack token", "xoxb-", `[0-9A-Za-z-]{24,}`),
	like("a Slack token", "xoxp-", `[0-9A-Za-z-]{24,}`),
	like("a Slack token", "xoxa-", `[0-9A-Za-z-]{24,}`),
	like("a Slack token", "xoxr-", `[0-9A-Za-z-]{24,}`),
	like("a Slack token", "xoxs-", `[0-9A-Za-z-]{24,}`),
	like("a Slack token", "xapp-", `\d-[A-Z0-9]+-\d+-[a-z0-9]{32,}`),
	like("a Slack webhook", "hooks.slack.com/services/", `T[A-Z0-9]{6,}/B[A-Z0-9]{6,}/`+alnum+`{20,}`),
	like("a Stripe key", "sk_live_", alnum+`{16,}`),
	like("a Stripe key", "sk_test_", alnum+`{16,}`),
	like("a Stripe key", "rk_live_", alnum+`{16,}`),
	like("a Stripe key", "rk_test_", alnum+`{16,}`),
	like("a Stripe webhook secret", "whsec_", alnum+`{24,}`),
	like("an Anthropic key", "sk-ant-", `(?:api|admin|oat|ort)\d\d-`+url64+`{40,}`),
	like("an OpenRouter key", "sk-or-v1-", `[0-9a-f]{48,}`),
	like("an OpenAI key", "sk-", `(?:proj|svcacct|admin|None)-`+url64+`{40,}`),
	like("an OpenAI key", "sk-", alnum+`{20}T3BlbkFJ`+alnum+`{20}`),
	{name: "an API key", literal: "sk-", minimum: 3, rest: form(`\A` + alnum + `{32,64}`)},
	like("a Google API key", "AIza", url64+`{35}`),
	like("a Google client secret", "GOCSPX-", url64+`{28}`),
	like("a Google access token", "ya29.", url64+`{60,}`),
	like("an npm token", "npm_", alnum+`{36}`),
	like("a PyPI token", "pypi-", `AgE`+url64+`{50,}`),
	like("a SendGrid key", "SG.", url64+`{22}\.`+url64+`{43}`),
	like("a Twilio key", "SK", `[0-9a-f]{32}`),
	like("a Mailgun key", "key-", `[0-9a-f]{32}`),
	like("a Databricks token", "dapi", `[0-9a-f]{32}(?:-\d)?`),
	like("a DigitalOcean token", "dop_v1_", `[0-9a-f]{64}`),
	like("a DigitalOcean token", "doo_v1_", `[0-9a-f]{64}`),
	like("a Shopify token", "shpat_", `[0-9a-fA-F]{32}`),
	like("a Shopify token", "shpss_", `[0-9a-fA-F]{32}`),
	like("a Shopify token", "shpca_", `[0-9a-fA-F]{32}`),
	like("a Sentry token", "sntryu_", `[0-9a-f]{64}`),
	like("a Sentry token", "sntrys_", `[A-Za-z0-9+/=_-]{60,}`),
	like("a Hugging Face token", "hf_", alnum+`{34}`),
	like("a Groq key", "gsk_", alnum+`{52}`),
	like("an xAI key", "xai-", alnum+`{60,}`),
	like("a Perplexity key", "pplx-", alnum+`{40,}`),
	like("a Replicate token", "r8_", alnum+`{37}`),
	like("a HashiCorp Vault token", "hvs.", url64+`{24,}`),
	like("a HashiCorp Vault token", "hvb.", url64+`{24,}`),
	like("a Docker token", "dckr_pat_", url64+`{27}`),
	like("a RubyGems key", "rubygems_", `[0-9a-f]{48}`),
	like("an Atlassian token", "ATATT3", `[A-Za-z0-9_=-]{100,}`),
	like("a Linear key", "lin_api_", alnum+`{40}`),
	like("a Notion token", "ntn_", alnum+`{40,}`),
	like("a Postman key", "PMAK-", `[0-9a-f]{24}-[0-9a-f]{34}`),
	like("a New Relic key", "NRAK-", `[A-Z0-9]{27}`),
	like("a Grafana token", "glsa_", alnum+`{32}_[0-9a-f]{8}`),
	like("a Grafana token", "glc_", `[A-Za-z0-9+/]{32,}={0,2}`),
	like("a Doppler token", "dp.pt.", alnum+`{40,}`),
	like("a PlanetScale token", "pscale_tkn_", `[A-Za-z0-9_.-]{32,}`),
	like("a Square token", "sq0atp-", url64+`{22}`),
	like("a Square token", "sq0csp-", url64+`{43}`),
	like("a Supabase token", "sbp_", `[0-9a-f]{40}`),
	like("a Pulumi token", "pul-", `[0-9a-f]{40}`),
	like("an age key", "AGE-SECRET-KEY-1", `[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}`),
	{name: "an Azure storage key", literal: "AccountKey=", rest: form(`\A([A-Za-z0-9+/]{86}==)`), body: 1},
	like("a Discord webhook", "discord.com/api/webhooks/", `\d{17,20}/`+url64+`{60,}`),
	{name: "a Telegram token", literal: ":AA", rest: form(`\A` + url64 + `{33}`), inside: true, from: digitsBefore},
	{name: "a JSON web token", literal: "eyJ", rest: form(`\A` + url64 + `{10,}\.eyJ` + url64 + `{10,}\.` + url64 + `{20,}`)},
	{name: "a private key", literal: "-----BEGIN ", real: keyFollows, minimum: -1,
		rest: form(`\A(?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----`)},
	{name: "a private key", literal: "PuTTY-User-Key-File-", real: puttyFollows, minimum: -1, rest: form(`\A\d: `)},
	{name: urlPassword, literal: "://", inside: true, body: 1, real: password,
		rest: form("\\A[^\\s/:@?#\"'`<>\\\\]{0,64}:([^\\s/:@\"'`<>\\\\]{6,128})@[A-Za-z0-9\\[]")},
}

// urlPassword is the name of the rule whose value is no token.
const urlPassword = "a password in a URL"

func (s shape) try(text []byte, i int) (Finding, bool) {
	if !bytes.HasPrefix(text[i:], []byte(s.literal)) || !s.inside && wordBefore(text, i) {
		return Finding{}, false
	}
	after := i + len(s.literal)
	m := s.rest().FindSubmatchIndex(text[after:min(len(text), after+maxToken)])
	if m == nil {
		return Finding{}, false
	}
	start, end := i, after+m[1]
	body := text[after:end]
	if s.body > 0 {
		start, end = after+m[2*s.body], after+m[2*s.body+1]
		body = text[start:end]
	}
	if s.from != nil {
		if start = s.from(text, i); start < 0 {
			return Finding{}, false
		}
	}
	if s.body == 0 && s.minimum >= 0 && end < len(text) && isAlnum(text[end]) {
		return Finding{}, false // longer than the service makes them
	}
	if s.minimum >= 0 && s.standIn(body) || s.real != nil && !s.real(text, start, end) {
		return Finding{}, false
	}
	f := Finding{Rule: s.name, Start: start, End: end}
	if s.body == 0 && s.from == nil {
		f.shown = len(s.literal)
	}
	return f, true
}

// maxToken is how far a rule looks, in bytes.
const maxToken = 8 << 10

// standIn reports whether the form is there and the secret is not. Tokens that
// are merely poor (ghp_aaaa…, AKIA1234…) count as true: nobody draws them, and
// whoever types one wants to see what happens.
func (s shape) standIn(body []byte) bool {
	if s.name == urlPassword {
		return false // it has its own test
	}
	return s.minimum > 0 && entropy(body) < s.minimum || blank(body)
}

// digitsBefore returns where the 8 to 10 digits before i begin: a bot's number.
func digitsBefore(text []byte, i int) int {
	start := i
	for start > 0 && i-start < 11 && isDigit(text[start-1]) {
		start--
	}
	if n := i - start; n < 8 || n > 10 || wordBefore(text, start) {
		return -1
	}
	return start
}

// keyLine is a line of a key's text: none of an example's dots.
var keyLine = form(`(?m)^[ \t>"']*(?:\\n)?[A-Za-z0-9+/=]{40,}`)

// keyFollows reports whether the text of a key comes after its first line.
func keyFollows(text []byte, _, end int) bool {
	rest := text[end:min(len(text), end+1024)]
	if at := bytes.Index(rest, []byte("-----END")); at >= 0 {
		rest = rest[:at]
	}
	rest = bytes.ReplaceAll(rest, []byte(`\n`), newline)
	line := keyLine().Find(rest)
	return line != nil && !placeholder(line) && entropy(line) > 3
}

// puttyFollows reports whether the private half comes with the key.
func puttyFollows(text []byte, _, end int) bool {
	return bytes.Contains(text[end:min(len(text), end+maxToken)], []byte("Private-Lines:"))
}

// password reports whether what stands between a URL's colon and its @ is one.
func password(text []byte, start, end int) bool {
	host := text[end+1 : min(len(text), end+64)]
	for _, local := range [...]string{"localhost", "127.0.0.1", "[::1]", "0.0.0.0", "example.", "host", "server", "db:", "db/", "postgres:", "mysql:", "redis:"} {
		if bytes.HasPrefix(host, []byte(local)) {
			return false
		}
	}
	user := text[bytes.LastIndex(text[:start], []byte("://"))+3 : start-1]
	value := text[start:end]
	return !bytes.EqualFold(user, value) && random(value, 8)
}
