package secret_test

import (
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault/secret"
)

// The samples are put together when the test runs, so that no scanner trips
// over this repository. They are drawn with fixed seeds: every run sees the same.

const (
	lowers  = "abcdefghijklmnopqrstuvwxyz"
	uppers  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits  = "0123456789"
	base62  = lowers + uppers + digits
	url64   = base62 + "-_"
	b64     = base62 + "+/"
	hexa    = digits + "abcdef"
	symbols = "!#%&*+-=?@^_"
)

type drawer struct{ *rand.Rand }

func draws(seed uint64) drawer { return drawer{rand.New(rand.NewPCG(seed, 7))} }

// of draws n characters of an alphabet.
func (d drawer) of(alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[d.IntN(len(alphabet))]
	}
	return string(b)
}

func (d drawer) bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(d.IntN(256))
	}
	return b
}

// typed draws a password as a generator makes it: a letter of both cases, a
// digit and a symbol, in any order.
func (d drawer) typed(n int) string {
	b := []byte(d.of(lowers, 1) + d.of(uppers, 1) + d.of(digits, 1) + d.of(symbols, 1) + d.of(base62+symbols, n-4))
	d.Shuffle(len(b), func(i, j int) { b[i], b[j] = b[j], b[i] })
	return string(b)
}

func (d drawer) jwt() string {
	part := func(n int) string { return base64.RawURLEncoding.EncodeToString(d.bytes(n)) }
	head := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"HS256"}`))
	body := base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"` + d.of(digits, 9) + `"}`))
	return head + "." + body + "." + part(32)
}

func (d drawer) pem(kind string) string {
	var b strings.Builder
	b.WriteString("-----" + "BEGIN " + kind + "PRIVATE KEY-----\n")
	for range 12 {
		b.WriteString(d.of(b64, 64) + "\n")
	}
	return b.String() + "-----" + "END " + kind + "PRIVATE KEY-----\n"
}

// truths are sixty credentials, with a text around each as people write it.
func truths(d drawer) map[string]string {
	s := map[string]string{
		"aws":               "AKIA" + d.of(uppers+"234567", 16),
		"aws temporary":     "ASIA" + d.of(uppers+"234567", 16),
		"aws in a file":     "[default]\naws_access_key_id = " + "AKIA" + d.of(uppers+"234567", 16),
		"aws secret":        "aws_secret_access_key = " + d.of(b64, 40),
		"github classic":    "ghp" + "_" + d.of(base62, 36),
		"github oauth":      "gho" + "_" + d.of(base62, 36),
		"github server":     "export GH_TOKEN=" + "ghs" + "_" + d.of(base62, 36),
		"github fine":       "github" + "_pat_" + d.of(base62, 22) + "_" + d.of(base62, 59),
		"gitlab":            "glpat" + "-" + d.of(url64, 20),
		"slack bot":         "xoxb" + "-" + d.of(digits, 12) + "-" + d.of(digits, 12) + "-" + d.of(base62, 24),
		"slack user":        "xoxp" + "-" + d.of(digits, 12) + "-" + d.of(digits, 12) + "-" + d.of(hexa, 32),
		"slack app":         "xapp" + "-1-A" + d.of(uppers+digits, 10) + "-" + d.of(digits, 13) + "-" + d.of(hexa, 64),
		"slack hook":        "https://hooks.slack" + ".com/services/T" + d.of(uppers+digits, 8) + "/B" + d.of(uppers+digits, 8) + "/" + d.of(base62, 24),
		"stripe":            "sk" + "_live_" + d.of(base62, 24),
		"stripe restricted": "rk" + "_live_" + d.of(base62, 24),
		"stripe test":       "sk" + "_test_" + d.of(base62, 24),
		"stripe hook":       "whsec" + "_" + d.of(base62, 32),
		"openai":            "sk" + "-" + d.of(base62, 20) + "T3Blbk" + "FJ" + d.of(base62, 20),
		"openai project":    "OPENAI_API_KEY=sk" + "-proj-" + d.of(url64, 96),
		"openai service":    "sk" + "-svcacct-" + d.of(url64, 96),
		"anthropic":         "sk" + "-ant-api03-" + d.of(url64, 93) + "AA",
		"openrouter":        "sk" + "-or-v1-" + d.of(hexa, 64),
		"google":            "AI" + "za" + d.of(url64, 35),
		"google client":     "GOCSPX" + "-" + d.of(url64, 28),
		"npm":               "//registry.npmjs.org/:_authToken=npm" + "_" + d.of(base62, 36),
		"pypi":              "pypi" + "-AgEIcHlwaS5vcmcC" + d.of(url64, 120),
		"sendgrid":          "SG" + "." + d.of(url64, 22) + "." + d.of(url64, 43),
		"twilio":            "SK" + d.of(hexa, 32),
		"mailgun":           "key" + "-" + d.of(hexa, 32),
		"digitalocean":      "dop" + "_v1_" + d.of(hexa, 64),
		"shopify":           "shpat" + "_" + d.of(hexa, 32),
		"hugging face":      "hf" + "_" + d.of(lowers+uppers, 34),
		"groq":              "gsk" + "_" + d.of(base62, 52),
		"vault":             "hvs" + "." + d.of(url64, 95),
		"docker":            "dckr" + "_pat_" + d.of(url64, 27),
		"telegram":          "bot " + d.of("123456789", 9) + ":AA" + d.of(url64, 33),
		"databricks":        "dapi" + d.of(hexa, 32),
		"new relic":         "NRAK" + "-" + d.of(uppers+digits, 27),
		"linear":            "lin" + "_api_" + d.of(base62, 40),
		"azure":             "DefaultEndpointsProtocol=https;AccountName=x;AccountKey=" + d.of(b64, 86) + "==;EndpointSuffix=core.windows.net",
		"rsa key":           d.pem("RSA "),
		"ssh key":           d.pem("OPENSSH "),
		"pkcs8 key":         "ssl:\n" + d.pem(""),
		"key in json":       `"private_key": "` + strings.ReplaceAll(d.pem(""), "\n", `\n`) + `"`,
		"jwt":               d.jwt(),
		"jwt in a header":   "curl -H 'Authorization: Bearer " + d.jwt() + "' https://api",
		"url":               "postgres://app:" + d.of(base62, 20) + "@db.internal.acme.net:5432/app",
		"url with symbols":  "amqps://svc:" + d.of(base62, 7) + "!" + d.of(digits, 3) + d.of(base62, 5) + "@mq.acme.io/vhost",
		"assigned":          "DB_PASSWORD=" + d.typed(16),
		"assigned in yaml":  "password: " + d.typed(14),
		"quoted":            `password = "` + d.typed(12) + `"`,
		"in prose":          "The root password is " + d.typed(16) + ", do not tell.",
		"in a list":         "- **Password:** " + d.typed(16),
		"json":              `{"client_secret": "` + d.of(url64, 40) + `"}`,
		"api key":           "api_key = '" + d.of(base62, 32) + "'",
		"api key, hex":      "API_KEY: " + d.of(hexa, 40),
		"token":             "token: " + d.of(url64, 43),
		"camel":             `const authToken = "` + d.of(base62, 40) + `"`,
		"basic auth":        "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte("admin:"+d.typed(18))),
		"bearer":            "Authorization: Bearer " + d.of(base62, 40),
	}
	return s
}

// innocents are five hundred texts that hold none: what notes are full of.
func innocents(d drawer) []string {
	uuid := func() string {
		return d.of(hexa, 8) + "-" + d.of(hexa, 4) + "-4" + d.of(hexa, 3) + "-a" + d.of(hexa, 3) + "-" + d.of(hexa, 12)
	}
	b32 := func(n int) string { return base32.StdEncoding.EncodeToString(d.bytes(n)) }
	fixed := []string{
		"AKIAIOSFODNN7" + "EXAMPLE", "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + "EXAMPLEKEY",
		"password: ${DB_PASSWORD}", "password: <password>", "token=$GITHUB_TOKEN", "export TOKEN=${TOKEN:-none}",
		"api_key: {{ .Values.apiKey }}", "secret: !vault secret/data/app", "password = os.environ['DB_PASSWORD']",
		"token := os.Getenv(\"GITHUB_TOKEN\")", "const token = process.env.NPM_TOKEN", "password: changeme", "Password: hunter2",
		"password: ********", "token: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "ghp" + "_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
		"ghp" + "_" + strings.Repeat("0", 36), "sk" + "-ant-api03-...", "sk" + "-" + "your-api-key-goes-here", "OPENAI_API_KEY=sk" + "-...",
		"postgres://postgres:postgres@localhost:5432/app", "postgres://user:password@host:5432/db", "https://user:pass@example.com",
		"mysql://root:${MYSQL_ROOT_PASSWORD}@db:3306/app", "redis://:p4ssw0rd@localhost", "git@github.com:cp-memory/cp.git",
		"https://x:y@host", "See https://example.org:8080/@me", "-----" + "BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\n",
		"-----" + "BEGIN RSA PRIVATE KEY-----\n...\n-----END RSA PRIVATE KEY-----", "grep -r '" + "-----" + "BEGIN RSA PRIVATE KEY" + "' .",
		"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + d.of(b64, 43) + " ada@host", "The token bucket refills 100 tokens per second.",
		"Rotate the secret: see Rotating secrets", "secretName: gateway-tls-2026-01", "passwordHash: $2b$12$" + d.of(base62, 53),
		"password_reset_token_expires_in: 3600", "token_type: bearer", "max_tokens: 4096", "max_output_tokens=128000", "tokenizer: cl100k_base",
		"secret: kubernetes.io/service-account-token", "tokens: 12_000_000", "api_key_id: " + uuid(), "token_url: https://auth.acme.io/oauth2/v1/token",
		"password: required, minLength=12, maxLength=128", "func secret(token string) error", "apiKey: getApiKey(config.v2)", "Bearer authentication",
		"Authorization: Bearer <token>", "Authorization: Bearer $TOKEN", "Authorization: Basic dXNlcjpwYXNzd29y" + "ZA==", "pwd: /home/ada/src/app-v2.3.1",
		"token: null", "secret = true", "password: \"\"", "token: eyJhbGciOi...", "basic understanding1234567890", "token: AccessTokenV2Provider",
		"secret_access_key = AWS::SecretsManager::Secret", "passphrase: correct horse battery staple", "key-value stores", "sk-learn is scikit-learn",
		"https://hooks.slack" + ".com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX", "pull-request-1234-preview", "SG.production.eu",
		"jdbc:postgresql://db.acme.net/app?user=app&password=secret", "secrets: inherit", "uses: actions/create-github-app-token@v1.11.0",
		"token: ${{ secrets.GITHUB_TOKEN }}", "client_secret: op://vault/item/field", "the secret is to start small", "the password was correct",
		"data:image/png;base64," + d.of(b64, 400), "integrity sha512-" + d.of(b64, 86) + "==", "signing_key: file:///etc/keys/signing-2026.pem",
		"nonce: " + d.of(b64, 24), "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkw" + "IiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ." + d.of(url64, 43),
	}
	kinds := []func() string{
		func() string { return "commit " + d.of(hexa, 40) },
		func() string { return "Fixed in " + d.of(hexa, 7) + " and " + d.of(hexa, 12) + "." },
		func() string { return "sha256:" + d.of(hexa, 64) },
		func() string { return "md5 " + hex.EncodeToString(d.bytes(16)) },
		func() string { return "id: pf-" + strings.ToLower(b32(5)) },
		func() string { return "id: " + uuid() },
		func() string { return "token: " + uuid() },
		func() string { return "trace_id=" + d.of(hexa, 32) },
		func() string { return "ULID 01" + d.of("0123456789ABCDEFGHJKMNPQRSTVWXYZ", 24) },
		func() string { return "base32 " + b32(20) },
		func() string { return "ipfs://Qm" + d.of(base62, 44) },
		func() string { return "image: registry.acme.io/app@sha256:" + d.of(hexa, 64) },
		func() string { return "go.sum h1:" + d.of(b64, 43) + "=" },
		func() string { return "https://drive.acme.io/file/d/" + d.of(url64, 33) + "/view" },
		func() string { return "etag: W/\"" + d.of(base62, 27) + "\"" },
		func() string { return "session " + d.of(base62, 22) + " ended" },
		func() string { return fmt.Sprintf("deploy-%s-%d", d.of(lowers, 8), d.IntN(1e9)) },
	}
	for i := 0; len(fixed) < 500; i++ {
		fixed = append(fixed, kinds[i%len(kinds)]())
	}
	return fixed
}

// Of sixty true credentials at least 95 in 100 are found, whatever was drawn.
func TestRecall(t *testing.T) {
	const seeds = 20
	found, all := 0, 0
	for seed := range uint64(seeds) {
		samples := truths(draws(seed))
		if len(samples) != 60 {
			t.Fatalf("%d samples", len(samples))
		}
		for name, text := range samples {
			all++
			got := secret.FindCredentials([]byte("# Notes\n\nBefore it.\n" + text + "\n"))
			if len(got) > 0 {
				found++
				continue
			}
			t.Logf("seed %d: missed %s", seed, name)
		}
	}
	t.Logf("%d of %d found", found, all)
	if found*100 < all*95 {
		t.Errorf("recall %d of %d", found, all)
	}
}

// Of five hundred texts without one, no more than one in two hundred is blocked.
func TestFalseBlocks(t *testing.T) {
	const seeds = 20
	blocked, all := 0, 0
	for seed := range uint64(seeds) {
		for _, text := range innocents(draws(seed)) {
			all++
			if got := secret.FindCredentials([]byte("Before it.\n" + text + "\nAfter it.\n")); len(got) > 0 {
				blocked++
				t.Logf("seed %d: %s in %q", seed, got[0].Rule, text)
			}
		}
	}
	t.Logf("%d of %d blocked", blocked, all)
	if blocked*200 > all {
		t.Errorf("%d of %d blocked", blocked, all)
	}
}

// A finding says where, and of the secret no more than the service's prefix.
func TestWhatAFindingTells(t *testing.T) {
	d := draws(1)
	token, password := "ghp"+"_"+d.of(base62, 36), d.typed(20)
	text := []byte("one\ntwo " + token + "\n\npassword: " + password + "\n")
	got := secret.FindCredentials(text)
	if len(got) != 2 || got[0].Line != 2 || got[1].Line != 4 {
		t.Fatalf("got %+v", got)
	}
	if said := got[0].String(text); said != "a GitHub token (ghp_…)" {
		t.Errorf("said %q", said)
	}
	if said := got[1].String(text); said != "a password" {
		t.Errorf("said %q", said)
	}
	for i, want := range []string{token, password} {
		if f := got[i]; string(text[f.Start:f.End]) != want {
			t.Errorf("bytes %d to %d are %q", f.Start, f.End, text[f.Start:f.End])
		}
	}
}

func FuzzScan(f *testing.F) {
	for _, text := range truths(draws(3)) {
		f.Add([]byte(text))
	}
	f.Add([]byte("postgres://app:Zk3/v9Q@pL@db/app " + begin("PRIVATE KEY") + `\n` + strings.Repeat("QUJD", 16) + "-----END"))
	f.Fuzz(func(t *testing.T, text []byte) {
		last := 0
		for _, found := range secret.FindCredentials(text) {
			if found.Start < 0 || found.Start >= found.End || found.End > len(text) || found.Start < last-64 || found.Line < 1 {
				t.Fatalf("%+v in %q", found, text)
			}
			last = found.End
			if said := found.String(text); strings.Contains(said, string(text[found.Start:found.End])) {
				t.Fatalf("tells the secret: %q", said)
			}
		}
	})
}

func BenchmarkScan(b *testing.B) {
	d := draws(5)
	var text strings.Builder
	words := strings.Fields("To see the secret tokens of a password, or to set one, access the API: basic bearer authentication is private and seems to be the best open way")
	for text.Len() < 1<<20 {
		text.WriteString(words[d.IntN(len(words))] + " ")
	}
	doc := []byte(text.String())
	b.SetBytes(int64(len(doc)))
	for b.Loop() {
		secret.FindCredentials(doc)
	}
}
