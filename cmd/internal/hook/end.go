package hook

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/cmd/internal/target"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/secret"
	"github.com/cp-memory/cp/vault/transcript"
)

// lockPatience is how long the end of a session waits for the vault. After that its entry
// goes to the outbox.
const lockPatience = 300 * time.Millisecond

// keepLastAnswer keeps the last answer of a session as an entry of the journal, if the user's settings
// ask for it. Its id follows from the session: when that ends again, the entry is updated.
func (h hooked) keepLastAnswer(ctx context.Context) error {
	personal, err := settings.Personal(h.flags, h.Place())
	if err != nil || !personal.AutoCapture.Keeps(header.Progress) || h.in.Session == "" {
		return err
	}
	said := strings.TrimSpace(transcript.Clean(firstNonEmpty(h.in.Last, lastAnswer(h.in.Transcript))))
	if said == "" {
		return nil
	}
	if len(secret.FindCredentials([]byte(said))) > 0 {
		return nil // the outbox would not ask again
	}
	return h.openVault(ctx, func(s *settings.Settings) { s.LockTimeout = lockPatience }, func(t target.Target) error {
		sum := sha256.Sum256([]byte("session\x00" + h.in.Session))
		id, err := vault.NewID(t.Settings.Prefix, bytes.NewReader(sum[:]))
		if err != nil {
			return err
		}
		return h.writeEntry(ctx, t.Session, journal.SessionEnd{Capture: journal.Capture{Kind: string(header.Progress), Title: answerTitle(said), Body: clipAnswer(said),
			Session: vault.Clip(oneLine(h.in.Session), 100), ID: id, Created: h.Now().UTC().Truncate(time.Second)}})
	})
}

// writeEntry writes the entry. Where another process has the vault for too long, or the index takes
// too long, it goes to the outbox, from which the next command writes it.
func (h hooked) writeEntry(ctx context.Context, s *app.Session, entry journal.SessionEnd) error {
	quick, cancel := context.WithDeadline(ctx, h.deadline)
	defer cancel()
	err := entry.Do(quick, s.Vault)
	if vault.CodeOf(err) != vault.CodeLocked && !late(quick, err) {
		return err
	}
	h.late.Store(quick.Err() != nil)
	entry.Project = s.Vault.Part
	options, err := json.Marshal(entry)
	if err != nil {
		return err
	}
	return s.Store.Queue(ctx, vault.Queued{Verb: entry.Name(), Options: options, Agent: s.Vault.Agent})
}

// answerTitle is the first line of an answer as a title.
func answerTitle(said string) string {
	line, _, _ := strings.Cut(said, "\n")
	line = strings.TrimSpace(strings.TrimLeft(oneLine(line), "#>*- "))
	if line == "" {
		line = "Session"
	}
	if runes := []rune(line); len(runes) > journal.MaxTitle {
		line = strings.TrimSpace(string(runes[:journal.MaxTitle-1])) + "…"
	}
	return line
}

// clipAnswer is as much of an answer as is kept.
func clipAnswer(said string) string {
	if runes := []rune(said); len(runes) > maxAnswer {
		return string(runes[:maxAnswer-1]) + "…"
	}
	return said
}

// oneLine is a text without line ends and control characters.
func oneLine(text string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, ""))), " ")
}

// maxTail bounds what is read of the end of a transcript, in bytes.
const maxTail = 1 << 20

// lastAnswer returns the agent's last answer in the file of a conversation: JSON lines as
// Claude Code, Qwen Code, Codex, Gemini CLI or Copilot CLI write them.
func lastAnswer(transcript string) string {
	info, err := os.Stat(transcript)
	if err != nil || !filepath.IsAbs(transcript) || !info.Mode().IsRegular() {
		return ""
	}
	f, err := os.Open(transcript)
	if err != nil {
		return ""
	}
	defer f.Close()
	if _, err := f.Seek(max(0, info.Size()-maxTail), io.SeekStart); err != nil {
		return ""
	}
	b, err := io.ReadAll(io.LimitReader(f, maxTail))
	if err != nil {
		return ""
	}
	lines := bytes.Split(b, []byte("\n"))
	for i := len(lines) - 1; i >= 0; i-- {
		if said := agentText(lines[i]); said != "" {
			return said
		}
	}
	return ""
}

// agentText returns what the agent says in a line of a transcript.
func agentText(line []byte) string {
	type said struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
		Parts   json.RawMessage `json:"parts"`
	}
	var l struct {
		Type      string          `json:"type"`
		Sidechain bool            `json:"isSidechain"`
		Content   json.RawMessage `json:"content"`
		Message   said            `json:"message"`
		Payload   said            `json:"payload"`
		Data      said            `json:"data"`
	}
	if json.Unmarshal(line, &l) != nil || l.Sidechain {
		return ""
	}
	switch {
	case l.Type == "assistant":
		return firstNonEmpty(messageText(l.Message.Content), messageText(l.Message.Parts))
	case l.Type == "gemini":
		return messageText(l.Content)
	case l.Type == "assistant.message":
		return messageText(l.Data.Content)
	case l.Payload.Role == "assistant":
		return messageText(l.Payload.Content)
	}
	return ""
}

// messageText returns the text of a message: a string, or a list of parts.
func messageText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var parts []struct {
		Text    string `json:"text"`
		Thought bool   `json:"thought"`
	}
	_ = json.Unmarshal(raw, &parts)
	var all []string
	for _, p := range parts {
		if p.Text != "" && !p.Thought {
			all = append(all, p.Text)
		}
	}
	return strings.Join(all, "\n\n")
}

func firstNonEmpty(all ...string) string {
	for _, s := range all {
		if s != "" {
			return s
		}
	}
	return ""
}
