package cli

import (
	"strings"
	"testing"

	"github.com/cp-memory/cp/cmd/internal/topics"
	"github.com/cp-memory/cp/cmd/internal/tui"
	"github.com/cp-memory/cp/vault/journal"
)

// The topic has the keys of the screen, in its order and words, and no others.
func TestTopicReviewListsTheKeys(t *testing.T) {
	text, _ := topics.FindTopic("review")
	_, rows, _ := strings.Cut(text, "| key | what it does |\n|---|---|\n")
	rows, _, _ = strings.Cut(rows, "\n\n")
	var want []string
	for _, k := range tui.Keys() {
		keys := strings.Fields(strings.ReplaceAll(k.Keys, ",", ""))
		want = append(want, "| `"+strings.Join(keys, "` `")+"` | "+k.Does+" |")
	}
	if want := strings.Join(want, "\n"); rows != want {
		t.Errorf("got\n%s\nwant\n%s", rows, want)
	}
}

// The topic has the reasons in the order of the queue.
func TestTopicReviewListsTheReasons(t *testing.T) {
	text, _ := topics.FindTopic("review")
	for _, why := range journal.Reasons() {
		if why == journal.Denied {
			continue // it waits no more
		}
		_, rest, ok := strings.Cut(text, "\n| `"+string(why)+"` | ")
		if !ok {
			t.Errorf("%s is not in the help, or not in its place", why)
		}
		text = "\n" + rest
	}
}
