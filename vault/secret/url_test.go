package secret_test

import (
	"testing"

	"github.com/cp-memory/cp/vault/secret"
)

// A password in a URL is one, whoever thought of it. Faults O9.
func TestPasswordsInURLs(t *testing.T) {
	d := draws(13)
	for _, url := range []string{
		"postgres://admin:hunter2" + "secret@db.acme.net:5432/app",
		"postgres://admin:hunter2" + "secret@…",
		"postgres://admin:hunter2" + "secret@${DB_HOST}/app",
		"postgres://admin:hunter2" + "secret@<host>/app",
		"https://user:Zk3v9Qp" + "Lm2xW@host",
		"https://user:Zk3v9Qp" + "Lm2xW@host/path/@me",
		"https://ada:correct-horse-battery@git.acme.net/x.git",
		"mongodb+srv://app:tr0ub" + "ador@cluster0.x7k2p.mongodb.net/app?w=majority",
		"mongodb://app:gal" + "axy@m1:27017,m2:27017/app",
		"redis://:swordfish9@cache.acme.net:6379/0",
		"amqp://svc:lemon" + "ade@rabbit:5672/",
		"smtp://ops%40acme.net:lemon" + "ade@mail.acme.net:587",
		"postgres://app:lemon" + "ade@db:5432/app",
		"postgres://app:p@ss:w0rd" + "!@db.acme.net/app",
		"postgres://app:Zk3/v9Q+p" + "L=@db.acme.net/app",
		"postgres://app:Zk3#v9Q?p" + "L@db.acme.net/app",
		"postgres://app:password" + "123@db.acme.net/app",
		"jdbc:postgresql://db.acme.net/app?user=app&password=" + d.typed(14),
		"ftp://anna:12" + "34@files.acme.net",
		"[the database](postgres://admin:hunter2" + "secret@db.acme.net/app)",
		"<postgres://admin:hunter2" + "secret@db.acme.net/app>",
		"url: \"postgres://admin:hunter2" + "secret@db.acme.net/app\"",
		"postgres://admin:hunter2" + "secret@localhost.acme.net/app",
		"postgres://admin:hunter2" + "secret@127-acme.net/app",
	} {
		if found := secret.FindCredentials([]byte("See\n" + url + " there.\n")); len(found) != 1 || found[0].Line != 2 {
			t.Errorf("%s: found %+v", url, found)
		}
	}
}

// What stands for a password is none, nor is what only looks like a user's name.
func TestNoPasswordsInURLs(t *testing.T) {
	for _, url := range []string{
		"postgres://user:password@db.acme.net/app", "postgres://user:PASSWORD@db.acme.net/app", "https://user:pass@git.acme.net",
		"https://user:secret@git.acme.net", "https://user:changeme@git.acme.net", "https://user:change-me@git.acme.net",
		"https://user:xxx@git.acme.net", "https://user:XXXXXXXX@git.acme.net", "https://user:****@git.acme.net", "https://user:...@git.acme.net", "https://user:…@git.acme.net",
		"https://user:your-password@git.acme.net", "https://user:your_password_here@git.acme.net", "https://user:mySecretPassword@git.acme.net",
		"https://user:<password>@git.acme.net", "https://user:${PASSWORD}@git.acme.net", "https://user:$PASSWORD@git.acme.net", "https://user:$(cat pw)@git.acme.net",
		"https://user:{{ password }}@git.acme.net", "https://user:{{password}}@git.acme.net", "https://user:{password}@git.acme.net", "https://user:[password]@git.acme.net",
		"https://user:%s@git.acme.net", "https://user:%PASSWORD%@git.acme.net", "https://user:%3Cpassword%3E@git.acme.net", "https://%s:%s@git.acme.net",
		"postgres://postgres:postgres@db.acme.net/app", "amqp://guest:guest@rabbit", "https://Ada:ada@git.acme.net",
		"postgres://app:hunter2secret@localhost:5432/app", "postgres://app:hunter2secret@127.0.0.1/app", "postgres://app:hunter2secret@127.1.2.3/app",
		"postgres://app:hunter2secret@[::1]:5432/app", "postgres://app:hunter2secret@db.localhost/app", "postgres://app:hunter2secret@LOCALHOST",
		"https://user:pw@host", "https://x:y@host", "https://user:@host", "https://user@host", "https://host:8080/@me", "https://host:8080/a?b=c@d", "http://host:port/users/@me",
		"https://git.acme.net/@me", "See https://example.org:8080/@me", "https://medium.com/@ada:notes", "docker://nginx:1.25.3@sha256:0a1b2c3d", "file://C:/Users/ada@work/x",
		"ssh://git@github.com:acme/x.git", "https://acme.net/a:b@c", "protocol://user[:password]@host", "mailto:ada@acme.net", "https://acme.net?q=a:b@c",
	} {
		if found := secret.FindCredentials([]byte("See " + url + " there.\n")); len(found) != 0 {
			t.Errorf("%s: found %+v", url, found)
		}
	}
}
