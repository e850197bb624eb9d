package opencode

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"time"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/transcript"
)

// Which chooses a session.
type Which struct {
	ID  string // this one, or
	Dir string // the latest one in this folder; with neither, the latest one
}

// Limits of a session.
const (
	wait    = 2 * time.Second // for a program that writes
	maxRows = 100_000         // messages and parts
	maxData = 8 << 20         // bytes of a row
)

// Read returns a session, with the turns of the person. The error is CodeNotFound where there
// is none.
func Read(ctx context.Context, path string, w Which) (transcript.Session, error) {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return transcript.Session{}, vault.Errorf(vault.CodeNotFound, "name the file: observe --from-session PATH/opencode.db", "there is no database '%s'", path)
	}
	db, err := sqlite.Open(path, wait, "&mode=ro&_query_only=on")
	if err != nil {
		return transcript.Session{}, unreadable(path, err)
	}
	defer func() { _ = db.Close() }()
	s, err := findSession(ctx, db, w)
	if errors.Is(err, sql.ErrNoRows) {
		return s, vault.Errorf(vault.CodeNotFound, "name its id: PATH/opencode.db#ID", "no session of a person is in '%s' that was asked for", path)
	}
	if err == nil {
		s.Turns, err = turns(ctx, db, s.ID)
	}
	if err != nil {
		return transcript.Session{}, unreadable(path, err)
	}
	s.Turns = transcript.Turns(s.Turns)
	return s, nil
}

func unreadable(path string, err error) error {
	return vault.Errorf(vault.CodeIO, "close opencode and try again; another version may keep its sessions otherwise", "cannot read '%s': %w", path, err)
}

// findSession returns the session without its turns.
func findSession(ctx context.Context, db *sql.DB, w Which) (transcript.Session, error) {
	s := transcript.Session{Agent: "opencode"}
	row := db.QueryRowContext(ctx, `
		SELECT id, directory FROM session
		WHERE coalesce(parent_id, '') = '' AND (?1 = '' OR id = ?1) AND (?2 = '' OR directory = ?2)
		ORDER BY time_updated DESC, id DESC LIMIT 1`, w.ID, w.Dir)
	return s, row.Scan(&s.ID, &s.Dir)
}

// turns returns the texts of the person's messages, in order.
func turns(ctx context.Context, db *sql.DB, session string) (all []transcript.Turn, err error) {
	rows, err := db.QueryContext(ctx, `
		SELECT m.id, m.time_created, m.data, p.data FROM message AS m JOIN part AS p ON p.message_id = m.id
		WHERE m.session_id = ? AND length(m.data) < ? AND length(p.data) < ?
		ORDER BY m.time_created, m.id, p.id LIMIT ?`, session, maxData, maxData, maxRows)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var id, message, part string
		var at any
		if err := rows.Scan(&id, &at, &message, &part); err != nil {
			return nil, err
		}
		text := typedText(message, part)
		switch n := len(all) - 1; {
		case text == "":
		case n >= 0 && all[n].ID == id:
			all[n].Text += "\n" + text
		default:
			all = append(all, transcript.Turn{ID: id, At: moment(at), Text: text})
		}
	}
	return all, rows.Err()
}

// typedText returns the text of a part, if a person typed it.
func typedText(message, part string) string {
	var m struct {
		Role string `json:"role"`
	}
	var p struct {
		Type      string `json:"type"`
		Text      string `json:"text"`
		Synthetic bool   `json:"synthetic"`
		Ignored   bool   `json:"ignored"`
	}
	if json.Unmarshal([]byte(message), &m) != nil || json.Unmarshal([]byte(part), &p) != nil || m.Role != "user" || p.Type != "text" || p.Synthetic || p.Ignored {
		return ""
	}
	return strings.TrimSpace(p.Text)
}

// moment reads a time in milliseconds.
func moment(v any) time.Time {
	if ms, ok := v.(int64); ok && ms > 0 {
		return time.UnixMilli(ms).UTC().Truncate(time.Second)
	}
	return time.Time{}
}
