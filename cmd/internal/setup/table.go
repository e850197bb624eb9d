package setup

// Agents returns the table of agents, in the order in which they are listed. Each call
// returns a table of its own. The rows that say Tried were run in the program itself; the
// others follow its documentation.
func Agents() []Agent {
	const shared, sharedUser = ".agents/skills", "~/.agents/skills"
	return []Agent{
		{
			Name: "claude-code", Title: "Claude Code", Also: []string{"claude"}, Tried: true, Signs: []string{"~/.claude", "~/.claude.json"}, Programs: []string{"claude"},
			User:    Site{Config: "~/.claude.json", Shape: Servers, Hooks: "~/.claude/settings.json", Rules: "~/.claude/CLAUDE.md", Skills: "~/.claude/skills", Allow: claudeGrant("~/.claude/settings.json"), Own: Switch{"~/.claude/settings.json", []string{"autoMemoryEnabled"}}},
			Project: Site{Config: ".mcp.json", Shape: Servers, Hooks: ".claude/settings.json", Rules: "CLAUDE.md|AGENTS.md|CLAUDE.md", Skills: ".claude/skills", Allow: claudeGrant(".claude/settings.json"), Own: Switch{".claude/settings.json", []string{"autoMemoryEnabled"}}},
			Keeps:   "~/.claude/projects/*/memory",
			Trust:   "Claude Code asks once whether a project's server may run",
		},
		{
			Name: "claude-desktop", Title: "Claude Desktop", Signs: []string{"~desktop/Claude"},
			User: Site{Config: "~desktop/Claude/claude_desktop_config.json", Shape: Servers}, Needs: "restart Claude Desktop",
		},
		{
			Name: "codex", Title: "Codex", Tried: true, Signs: []string{"~/.codex"}, Programs: []string{"codex"},
			User:    Site{Config: "~/.codex/config.toml", Shape: TOML, Hooks: "~/.codex/hooks.json", Rules: "~/.codex/AGENTS.md", Skills: sharedUser, Allow: Grant{File: "~/.codex/config.toml", Tool: approveTool}},
			Project: Site{Config: ".codex/config.toml", Shape: TOML, Hooks: ".codex/hooks.json", Rules: "AGENTS.md", Skills: shared, Allow: Grant{File: ".codex/config.toml", Tool: approveTool}},
			Keeps:   "~/.codex/memories", Forget: "codex features disable memories",
			Needs: "Codex runs a hook only after you have trusted it: /hooks", Trust: "Codex reads a project's settings only where you trust the project",
		},
		{
			Name: "cursor", Title: "Cursor", Signs: []string{"~/.cursor"}, Programs: []string{"cursor", "cursor-agent"},
			User:    Site{Config: "~/.cursor/mcp.json", Shape: Servers, Hooks: "~/.cursor/hooks.json", Allow: cursorGrant("~/.cursor/permissions.json")},
			Project: Site{Config: ".cursor/mcp.json", Shape: Servers, Hooks: ".cursor/hooks.json", Rules: "AGENTS.md", Allow: cursorGrant(".cursor/permissions.json")},
		},
		{
			Name: "vscode", Title: "VS Code with Copilot", Also: []string{"code", "vs-code"}, Signs: []string{"~desktop/Code/User"}, Programs: []string{"code"},
			User:    Site{Config: "~desktop/Code/User/mcp.json", Shape: VSCode, Hooks: "~/.copilot/hooks/cp-memory.json"},
			Project: Site{Config: ".vscode/mcp.json", Shape: VSCode, Hooks: ".github/hooks/cp-memory.json", Rules: "AGENTS.md"},
		},
		{
			Name: "copilot-cli", Title: "Copilot CLI", Also: []string{"copilot"}, Tried: true, Signs: []string{"~/.copilot"}, Programs: []string{"copilot"},
			User:    Site{Config: "~/.copilot/mcp-config.json", Shape: Copilot, Hooks: "~/.copilot/hooks/cp-memory.json", Rules: "~/.copilot/copilot-instructions.md", Skills: sharedUser},
			Project: Site{Config: ".mcp.json|.github/mcp.json|.mcp.json", Shape: Servers, Hooks: ".github/hooks/cp-memory.json", Rules: "AGENTS.md", Skills: shared},
			Asks:    "copilot --allow-tool 'cp-memory'",
			Trust:   "Copilot CLI reads a project's files only where you trust the folder",
		},
		{
			Name: "gemini-cli", Title: "Gemini CLI", Also: []string{"gemini"}, Tried: true, Signs: []string{"~/.gemini/settings.json", "~/.gemini/GEMINI.md"}, Programs: []string{"gemini"},
			User:    Site{Config: "~/.gemini/settings.json", Shape: Servers, Hooks: "~/.gemini/settings.json", Rules: "~/.gemini/GEMINI.md", Skills: sharedUser, Allow: trustGrant("~/.gemini/settings.json"), Own: Switch{"~/.gemini/settings.json", []string{"experimental", "autoMemory"}}},
			Project: Site{Config: ".gemini/settings.json", Shape: Servers, Hooks: ".gemini/settings.json", Rules: "GEMINI.md", Skills: shared, Allow: trustGrant(".gemini/settings.json"), Own: Switch{".gemini/settings.json", []string{"experimental", "autoMemory"}}},
			Trust:   "Gemini CLI starts no server and no hook in a folder that you do not trust",
		},
		{
			Name: "antigravity", Title: "Antigravity", Signs: []string{"~/.gemini/config", "~/.gemini/antigravity"}, Programs: []string{"antigravity"},
			User:    Site{Config: "~/.gemini/config/mcp_config.json", Shape: Servers},
			Project: Site{Config: ".agents/mcp_config.json", Shape: Servers, Rules: "AGENTS.md"},
		},
		{
			Name: "opencode", Title: "opencode", Tried: true, Signs: []string{"~config/opencode"}, Programs: []string{"opencode"},
			User:    Site{Config: "~config/opencode/opencode.jsonc|~config/opencode/opencode.json|~config/opencode/opencode.json", Shape: Opencode, Hooks: "~config/opencode/plugins/cp-memory.js", Rules: "~config/opencode/AGENTS.md", Skills: sharedUser, Allow: opencodeGrant("~config/opencode/opencode.jsonc|~config/opencode/opencode.json|~config/opencode/opencode.json")},
			Project: Site{Config: "opencode.jsonc|opencode.json|opencode.json", Shape: Opencode, Hooks: ".opencode/plugins/cp-memory.js", Rules: "AGENTS.md", Skills: shared, Allow: opencodeGrant("opencode.jsonc|opencode.json|opencode.json")},
		},
		{
			Name: "qwen-code", Title: "Qwen Code", Also: []string{"qwen"}, Tried: true, Signs: []string{"~/.qwen"}, Programs: []string{"qwen"},
			User:    Site{Config: "~/.qwen/settings.json", Shape: Servers, Hooks: "~/.qwen/settings.json", Rules: "~/.qwen/QWEN.md", Allow: trustGrant("~/.qwen/settings.json")},
			Project: Site{Config: ".qwen/settings.json", Shape: Servers, Hooks: ".qwen/settings.json", Rules: "QWEN.md|AGENTS.md|AGENTS.md", Allow: trustGrant(".qwen/settings.json")},
			Trust:   "Qwen Code starts no server and no hook in a folder that you do not trust",
		},
		{
			Name: "devin", Title: "Devin (was Windsurf)", Also: []string{"windsurf"}, Signs: []string{"~config/devin", "~/.codeium/windsurf"}, Programs: []string{"devin", "windsurf"},
			User:    Site{Config: "~config/devin/mcp_config.json|~/.codeium/windsurf/mcp_config.json|~config/devin/mcp_config.json", Shape: Servers},
			Project: Site{Config: ".devin/mcp_config.json", Shape: Servers, Rules: "AGENTS.md"},
		},
		{
			Name: "cline", Title: "Cline", Signs: []string{"~/.cline"}, Programs: []string{"cline"},
			User:    Site{Config: "~/.cline/data/settings/cline_mcp_settings.json", Shape: Servers},
			Project: Site{Hooks: ".clinerules/hooks/TaskStart", Rules: "AGENTS.md"},
		},
		{
			Name: "zoo-code", Title: "Zoo Code (was Roo)", Also: []string{"roo", "zoo"}, Signs: []string{"~desktop/Code/User/globalStorage/zoo-code"},
			Project: Site{Config: ".roo/mcp.json", Shape: Servers, Rules: "AGENTS.md"},
		},
		{
			Name: "zed", Title: "Zed", Signs: []string{"~config/zed"}, Programs: []string{"zed", "zeditor"},
			User:    Site{Config: "~config/zed/settings.json", Shape: Zed},
			Project: Site{Config: ".zed/settings.json", Shape: Zed, Rules: ".rules|AGENTS.md|AGENTS.md"},
		},
		{
			Name: "amp", Title: "Amp", Signs: []string{"~config/amp"}, Programs: []string{"amp"},
			User:    Site{Config: "~config/amp/settings.jsonc|~config/amp/settings.json|~config/amp/settings.json", Shape: Amp},
			Project: Site{Config: ".amp/settings.json", Shape: Amp, Rules: "AGENTS.md"},
		},
		{
			Name: "goose", Title: "Goose", Signs: []string{"~config/goose"}, Programs: []string{"goose"},
			User:    Site{Config: "~config/goose/config.yaml", Shape: Goose},
			Project: Site{Config: ".agents/plugins/cp-memory/.mcp.json", Shape: Servers, Rules: "AGENTS.md"},
		},
		{
			Name: "kiro", Title: "Kiro", Signs: []string{"~/.kiro"}, Programs: []string{"kiro", "kiro-cli"},
			User:    Site{Config: "~/.kiro/settings/mcp.json", Shape: Servers},
			Project: Site{Config: ".kiro/settings/mcp.json", Shape: Servers, Rules: "AGENTS.md"},
		},
		{
			Name: "junie", Title: "Junie", Signs: []string{"~/.junie"}, Programs: []string{"junie"},
			User:    Site{Config: "~/.junie/mcp/mcp.json", Shape: Servers},
			Project: Site{Config: ".junie/mcp/mcp.json", Shape: Servers, Rules: ".junie/AGENTS.md|AGENTS.md|AGENTS.md"},
		},
		{ // hooks: https://docs.factory.ai/reference/hooks-reference
			Name: "factory", Title: "Factory droid", Also: []string{"droid"}, Signs: []string{"~/.factory"}, Programs: []string{"droid"},
			User:    Site{Config: "~/.factory/mcp.json", Shape: Servers, Hooks: "~/.factory/settings.json"},
			Project: Site{Config: ".factory/mcp.json", Shape: Servers, Hooks: ".factory/settings.json", Rules: "AGENTS.md"},
			Needs:   "droid reads the hooks of settings.json only where there is no hooks.json beside it",
		},
		{
			Name: "aider", Title: "Aider", Signs: []string{"~/.aider.conf.yml", "~/.aider"}, Programs: []string{"aider"},
			Project: Site{Rules: "AGENTS.md", Reads: ".aider.conf.yml"},
		},
	}
}

// The forms in which agents are told that they need not ask.
func claudeGrant(file string) Grant {
	return Grant{File: file, Path: []string{"permissions", "allow"}, All: "mcp__" + Name, Tool: "mcp__" + Name + "__", Deny: []string{"permissions", "deny"}}
}

func cursorGrant(file string) Grant {
	return Grant{File: file, Path: []string{"mcpAllowlist"}, All: Name + ":*", Tool: Name + ":"}
}

func opencodeGrant(file string) Grant {
	return Grant{File: file, Path: []string{"permission"}, All: Name + "_*", Tool: Name + "_", Value: `"allow"`}
}

func trustGrant(file string) Grant {
	return Grant{File: file, Path: []string{"mcpServers", Name}, All: "trust", Value: "true", Needs: true}
}
