package setup

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/guide"
	"github.com/cp-memory/cp/vault"
)

// target is one edit with its file.
type target struct {
	agent Agent
	part  Part
	scope Scope
	file  string
	root  string // the person's folder or the project's
	edit
}

// targets returns what a part of an agent consists of in a scope. A part that the agent does
// not have there is none.
func (p Place) targets(a Agent, part Part, scope Scope) ([]target, error) {
	site := a.SiteFor(scope)
	root := map[Scope]string{User: p.Home, Project: p.Dir}[scope]
	at := func(file string, e edit) target { return target{a, part, scope, p.path(file), root, e} }
	var all []target
	switch {
	case site.path(part) == "" || p.path(site.path(part)) == "":
	case part == MCP:
		e, err := p.server(a, scope, site.Shape)
		if err != nil {
			return nil, err
		}
		all = append(all, at(site.Config, e))
	case part == Hook:
		all = append(all, at(site.Hooks, p.hook(a, scope)))
		if after := filepath.Dir(site.Hooks) + "/PostToolUse"; a.Name == "cline" && (!p.NoFiles || exists(p.path(after))) {
			all = append(all, at(after, p.clineHook("file", scope)))
		}
	case part == Rules:
		if site.Reads != "" {
			all = append(all, at(site.Reads, reads{site.Rules}))
		}
		if site.Rules != "" {
			all = append(all, at(site.Rules, section{head: site.Head, text: guide.Rules(p.ways(scope)), also: guide.Rules(guide.Ways{Tools: true})}))
		}
	case part == Skill:
		all = append(all, at(site.Skills+"/memory/SKILL.md", skillFile(p.ways(scope))))
	case part == Own:
		all = append(all, at(site.Own.File, site.Own))
	case part == Allow && !site.Allow.gives(p.Access):
	case part == Allow && site.Shape == TOML:
		all = append(all, at(site.Allow.File, approval{p.Access}))
	case part == Allow:
		all = append(all, at(site.Allow.File, allowance{site.Allow, p.Access}))
	}
	return all, nil
}

// skillFile is the skill. Agents may share it, so that of one with tools is as good.
func skillFile(w guide.Ways) whole {
	return whole{text: guide.Skill(w), also: guide.Skill(guide.Ways{Tools: true}), mark: "<!-- -->"}
}

// server is the MCP server of an agent. One without a working folder is told the vault.
func (p Place) server(a Agent, scope Scope, shape Shape) (edit, error) {
	args := []string{"memory", "mcp"}
	if a.Name == "claude-desktop" {
		if p.Vault == "" {
			return nil, vault.Errorf(vault.CodeNoVault, "run it in a folder with a vault, or name one with --vault", "%s has no working folder, so it has to be told a vault", a.Title)
		}
		args = append(args, "--vault", p.Vault)
	}
	e := shape.serverEntry(p.command(scope), args, scope == Project)
	switch shape {
	case TOML:
		return table{e}, nil
	case Goose:
		return extension{e}, nil
	}
	return server{append(shape.keys(), Name), e}, nil
}

// hook is what an agent runs at its start, and at the events that the settings ask for.
func (p Place) hook(a Agent, scope Scope) edit {
	command := p.hookCommand(scope)
	switch a.Name {
	case "cline":
		return p.clineHook("start", scope)
	case "opencode":
		fill := strings.NewReplacer("COMMAND", string(compactJSON(p.words(scope))), "EVENTS", string(compactJSON(p.hookEvents())))
		return p.script(fill.Replace(opencodeText), `"--agent", "opencode"`, `, "--tools"`, "//")
	}
	name := a.Name
	if name == "vscode" {
		name = "copilot-cli" // both run what stands in this file
	}
	return hooks{dialect: dialects[a.Name], agent: name, command: command, lookup: scope == Project, tools: p.tools, wanted: p.hookEvents()}
}

// clineHook is a hook of Cline: a program that is called like its event.
func (p Place) clineHook(event string, scope Scope) whole {
	command := p.hookCommand(scope)
	text := "#!/bin/sh\n" + "command -v " + command + " >/dev/null 2>&1 || exit 0\nexec " + command + " hook " + event + " --agent cline\n"
	return p.script(text, "--agent cline", " --tools", "#")
}

// script is a hook that is a file of its own, in which --tools goes behind the agent's name.
func (p Place) script(text, name, tools, mark string) whole {
	w := whole{text: text, also: strings.ReplaceAll(text, name, name+tools), mark: mark}
	if p.tools {
		w.text = w.also
	}
	return w
}

// otherFiles are the files in which a part may stand besides the one in which it would be
// written now.
func (p Place) otherFiles(t target) (all []target) {
	text := t.agent.SiteFor(t.scope).path(t.part)
	if !strings.Contains(text, "|") {
		return nil
	}
	for one := range strings.SplitSeq(text, "|") {
		if at := p.expandPath(one); at != t.file && exists(at) && !slices.ContainsFunc(all, func(o target) bool { return o.file == at }) {
			o := t
			o.file = at
			all = append(all, o)
		}
	}
	return all
}

// shortPath is a path as a person reads it.
func (p Place) shortPath(file string) string {
	if rel, err := filepath.Rel(p.Dir, file); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	if rel, err := filepath.Rel(p.Home, file); err == nil && p.Home != "" && filepath.IsLocal(rel) {
		return "~/" + rel
	}
	return file
}
