package main

import (
	"bufio"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// pages is a memory browser that is measured: the server, and somebody who is logged in.
type pages struct {
	process *exec.Cmd
	client  *http.Client
	base    string
}

// browse starts the memory browser in the corpus and logs in.
func (c *corpus) browse() (*pages, error) {
	p := exec.Command(c.options.cp, "memory", "browse", "-o", "jsonl")
	p.Dir, p.Env = c.dir, environment()
	out, err := p.StdoutPipe()
	if err == nil {
		err = p.Start()
	}
	if err != nil {
		return nil, err
	}
	var served struct{ Links []string }
	if err := json.NewDecoder(bufio.NewReader(out)).Decode(&served); err != nil || len(served.Links) < 2 {
		return nil, fmt.Errorf("the memory browser gave no link: %v", err)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	s := &pages{process: p, client: &http.Client{Jar: jar, Timeout: time.Minute}}
	s.base, _, _ = strings.Cut(served.Links[1], "/login")
	_, err = s.get(strings.TrimPrefix(served.Links[1], s.base))
	return s, err
}

// get reads a page to its end; it returns how long that took.
func (s *pages) get(at string) (time.Duration, error) {
	from := time.Now()
	answer, err := s.client.Get(s.base + at)
	if err != nil {
		return 0, err
	}
	_, err = io.Copy(io.Discard, answer.Body)
	took := time.Since(from)
	_ = answer.Body.Close()
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", at, answer.Status)
	}
	return took, err
}

func (s *pages) stop() error {
	_ = s.process.Process.Signal(syscall.SIGTERM)
	return s.process.Wait()
}

// warmPages are read before those that count, timedPages are those.
const warmPages, timedPages = 10, 200

// part is which of the sorted times counts: the median, or that which 95 of 100 do not exceed.
type part struct {
	name string
	of   int // of a hundred
}

func (p part) in(took []time.Duration) time.Duration {
	if len(took) == 0 {
		return 0
	}
	return took[min(len(took)*p.of/100, len(took)-1)]
}

// visits measures a page of a server that has answered before.
func (c *corpus) visits(p part, at func(n int) string) func(int) (cost, error) {
	return func(round int) (cost, error) {
		s, err := c.browse()
		if err != nil {
			return cost{}, err
		}
		took, err := timed(warmPages, timedPages, func(n int) (time.Duration, error) { return s.get(at(round*1000 + n)) })
		if err != nil {
			return cost{}, err
		}
		if err := s.stop(); err != nil {
			return cost{}, err
		}
		all := costOf(s.process, 0)
		return cost{Wall: p.in(took), CPU: all.CPU / (warmPages + timedPages), Peak: all.Peak}, nil
	}
}

// asked measures the bare question in this process, with a connection that has answered before.
func (c *corpus) asked(p part, statement string, arg func(n int) any) func(int) (cost, error) {
	return func(round int) (cost, error) {
		db, err := sql.Open("sqlite3", "file:"+c.index()+"?mode=ro")
		if err != nil {
			return cost{}, err
		}
		defer db.Close()
		took, err := timed(warmPages, timedPages, func(n int) (time.Duration, error) {
			from := time.Now()
			err := readAll(db, statement, arg(round*1000+n))
			return time.Since(from), err
		})
		return cost{Wall: p.in(took)}, err
	}
}

// readAll reads what a question answers.
func readAll(db *sql.DB, statement string, arg any) error {
	rows, err := db.Query(statement, arg)
	if err != nil {
		return err
	}
	defer rows.Close()
	var title, phrase sql.RawBytes
	for rows.Next() {
		if err := rows.Scan(&title, &phrase); err != nil {
			return err
		}
	}
	return rows.Err()
}

// browsing are the rows of the memory browser: what a person waits for, at the middle and at
// the slow end, beside the bare question in one process; and what it holds after two thousand
// pages.
func (c *corpus) browsing() (rows []row) {
	const (
		roots    = `SELECT title, summary FROM memories WHERE parent IS NULL AND ? IS NOT NULL LIMIT 200`
		self     = `SELECT title, summary FROM memories WHERE id = ?1 OR parent = (SELECT n FROM memories WHERE id = ?1)`
		children = `SELECT title, summary FROM memories WHERE parent = (SELECT n FROM memories WHERE id = ?) LIMIT 200`
		titled   = `SELECT title, summary FROM memories WHERE instr(lower(title), ?) LIMIT 12`
	)
	one := func(n int) any { return id(n * 7 % c.size) }
	for _, p := range []part{{"p50", 50}, {"p95", 95}} {
		for _, v := range []struct {
			what  string
			at    func(n int) string
			floor string
			arg   func(n int) any
			limit time.Duration
		}{
			{"the roots", func(int) string { return "/" }, roots, func(int) any { return 1 }, 30 * time.Millisecond},
			{"a memory", func(n int) string { return "/m/" + one(n).(string) }, self, one, 30 * time.Millisecond},
			{"a branch of the tree", func(n int) string { return "/tree/" + id(n%level1) }, children, func(n int) any { return id(n % level1) }, 20 * time.Millisecond},
			{"a keystroke", func(n int) string { return fmt.Sprintf("/jump.json?q=%03d", n%997) }, titled, func(n int) any { return fmt.Sprintf("%03d", n%997) }, 50 * time.Millisecond},
		} {
			goals := []goal{within(0, -1)} // no goal at any size
			if p.of == 95 {
				goals = []goal{within(v.limit)}
			}
			rows = append(rows, row{what: "browse: " + v.what + ", " + p.name, floor: "the bare SQLite query, warm", goals: goals, rounds: c.few(), needs: "browse",
				product: c.visits(p, v.at), lower: c.asked(p, v.floor, v.arg)})
		}
	}
	return append(rows, row{what: "browse: memory after 2,000 pages", floor: "version", rounds: 1, needs: "browse", lower: each(c.version()),
		goals:   []goal{{value: func(p, _ cost) float64 { return float64(p.Peak) / 1e6 }, limit: 200, unit: "MB at the most"}},
		product: c.sitting(one)})
}

// sitting is a person who looks at two thousand pages.
func (c *corpus) sitting(one func(n int) any) func(int) (cost, error) {
	return func(int) (cost, error) {
		s, err := c.browse()
		if err != nil {
			return cost{}, err
		}
		from := time.Now()
		for n := range 500 {
			for _, at := range []string{"/m/" + one(n).(string), "/tree/" + id(n%level1), fmt.Sprintf("/jump.json?q=%03d", n), "/search?q=" + markPercent} {
				if _, err := s.get(at); err != nil {
					return cost{}, err
				}
			}
		}
		took := time.Since(from)
		if err := s.stop(); err != nil {
			return cost{}, err
		}
		return costOf(s.process, took), nil
	}
}
