package setup

import (
	"strings"

	"github.com/cp-memory/cp/cmd/internal/setup/splice"
)

// The keys by which Codex need not ask, for a server and for one of its tools.
const (
	approveAll  = "default_tools_approval_mode"
	approveTool = "approval_mode"
)

// approval is a grant in Codex's settings. It stands in the region of the server's table.
type approval struct{ want Access }

// grantLines are those of an access.
func (a approval) grantLines() (all []string) {
	if a.want != Reading {
		return []string{approveAll + ` = "approve"`}
	}
	for _, tool := range readingTools {
		all = append(all, "[mcp_servers."+Name+".tools."+tool+"]", approveTool+` = "approve"`)
	}
	return all
}

// approvalLines splits the lines of a region into the server's and those of a grant.
func approvalLines(region []string) (server, grant []string) {
	for _, line := range region {
		if strings.HasPrefix(line, approveAll) || strings.HasPrefix(line, approveTool) || strings.HasPrefix(line, "[mcp_servers."+Name+".tools.") {
			grant = append(grant, line)
		} else {
			server = append(server, line)
		}
	}
	return server, grant
}

func (a approval) state(text []byte) (State, error) {
	there := a.says(text).access
	_, _, err := splice.Region(text)
	switch {
	case err != nil:
		return Broken, err
	case there == NoTools:
		return Missing, nil
	case a.want == "" || there == a.want:
		return Current, nil
	}
	return Stale, nil
}

// apply writes the grant, where the server is entered in a region.
func (a approval) apply(text []byte) ([]byte, error) { return setApproval(text, a.grantLines()) }

func (a approval) remove(text []byte) ([]byte, error) { return setApproval(text, nil) }

func setApproval(text []byte, lines []string) ([]byte, error) {
	region, there, err := splice.Region(text)
	if err != nil || !there {
		return text, err
	}
	server, _ := approvalLines(region)
	return splice.SetTOML(text, append(server, lines...), "mcp_servers", Name)
}

func (a approval) snippet() string {
	return "[mcp_servers." + Name + "]\n" + strings.Join(a.grantLines(), "\n") + "\n"
}

func (approval) form() form { return form{settings: true} }

func (approval) says(text []byte) said {
	entry, _ := splice.GetTOML(text, "mcp_servers", Name)
	table, _ := entry.(map[string]any)
	if table[approveAll] == "approve" {
		return said{access: AllTools}
	}
	tools, _ := table["tools"].(map[string]any)
	for _, tool := range readingTools {
		if one, _ := tools[tool].(map[string]any); one[approveTool] != "approve" {
			return said{access: NoTools}
		}
	}
	return said{access: Reading}
}
