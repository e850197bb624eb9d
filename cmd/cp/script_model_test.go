package main_test

import (
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/cp-memory/cp/testdata/generatetest"
)

// modelKey is the key that stories give to the model's server. It must be seen
// nowhere.
const modelKey = "AIzaCanary-7f3e"

// served is where a story keeps its server.
type served struct{}

// model configures a language model: a fake server, started for the story, that
// speaks VENDOR's protocol (google or openai) and plays what NAME says (package
// testdata/generatetest).
func model(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: model VENDOR NAME")
	}
	server, ok := ts.Value(served{}).(**generatetest.Server)
	if !ok {
		ts.Fatalf("no place for a server")
	}
	if *server == nil {
		*server = generatetest.Start()
		ts.Defer((*server).Stop)
	}
	url := (*server).URL
	if args[0] == "openai" {
		url += "/v1"
	}
	for name, value := range map[string]string{
		"CP_GENERATION_PROVIDER": args[0], "CP_GENERATION_MODEL": args[1], "CP_GENERATION_BASE_URL": url,
		"CP_GENERATION_KEY_ENV": "MODEL_KEY", "MODEL_KEY": modelKey,
	} {
		ts.Setenv(name, value)
	}
}

// prompts writes what the model was asked so far into FILE, each prompt below a
// line of equals signs.
func prompts(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: prompts FILE")
	}
	var text strings.Builder
	if server, ok := ts.Value(served{}).(**generatetest.Server); ok && *server != nil {
		for _, p := range (*server).Prompts() {
			text.WriteString("=====\n" + p)
		}
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text.String()), 0o644))
}
