package main

// client is an agent's program.
type client struct {
	name, program  string
	pack           string // in npm
	rules          string // the file of rules that it reads in a project
	ask            string // asks the model one thing: URL is its address, MODEL its name, PROMPT what is asked
	base, key      string // the variables with the address and the key of a real model
	header, scheme string // by which the key is sent
}

var clients = []client{
	{"claude-code", "claude", "@anthropic-ai/claude-code", "CLAUDE.md", `DISABLE_AUTOUPDATER=1 CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 ANTHROPIC_BASE_URL=$URL ANTHROPIC_API_KEY=sk-x claude -p "$PROMPT" --model "$MODEL"`,
		"ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY", "X-Api-Key", ""},
	{"opencode", "opencode", "opencode-ai", "AGENTS.md", `OPENCODE_DISABLE_AUTOUPDATE=1 OPENCODE_CONFIG_CONTENT='{"provider":{"mock":{"npm":"@ai-sdk/openai-compatible","name":"mock","options":{"baseURL":"'$URL'/v1","apiKey":"x"},"models":{"'$MODEL'":{"name":"mock"}}}}}' opencode run -m "mock/$MODEL" "$PROMPT"`,
		"OPENAI_BASE_URL", "OPENAI_API_KEY", "Authorization", "Bearer "},
}

// setting is what the agent has to remember with.
type setting struct {
	name   string
	memory bool // ours
	file   bool // the facts stand in its file of rules
}

var settings = []setting{{name: "with the memory", memory: true}, {name: "with neither"}, {name: "with the file alone", file: true}}

// fact is a memory of the vault, or a section of the file of rules. Up is the title of its parent.
type fact struct{ title, up, kind, when, text string }

var facts = []fact{
	{"Deployment", "", "", "When you deploy the gateway", "Run nomad job run gateway.hcl, never on a Friday."},
	{"Rollback", "Deployment", "", "If a deploy went wrong and has to go back", "Run nomad job revert gateway 41, then tell the channel #ops."},
	{"Canary", "Deployment", "", "When a deploy goes to one machine first", "The canary is the machine otter; it waits twelve minutes."},
	{"Database", "", "", "When you connect to the database or its port is refused", "PostgreSQL listens on port 5432 of the machine heron."},
	{"Backups", "Database", "", "If data has to be restored from a backup", "Backups lie in s3://heron-nightly, kept for 35 days."},
	{"Style", "", "", "When you write code in this project", "Errors are wrapped with the word during, names are never abbreviated."},
	{"Release notes", "", "", "When a release is written down", "Each entry of the release notes names the customer who asked."},
	{"Flaky login test", "", "", "If the login test fails now and then", "The login test fails when the clock of the runner drifts; run it with TZ=UTC."},
	{"Old queue", "", "", "When messages stay in the queue", "The queue is RabbitMQ on the machine badger."},
	{"New queue", "", "", "When messages are sent or received", "The queue is NATS on the machine lynx since June."},
	{"Choose NATS", "", "decision", "", "NATS was chosen over Kafka, since one person runs it."},
}

// handedOver is what an earlier session has left.
const handedOver = "The importer reads its files. Next: the flags of the exporter."
