package memorytool

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// refusal is an error whose text is the tool's own.
type refusal string

func (r refusal) Error() string { return string(r) }

func refuse(format string, args ...any) error { return refusal(fmt.Sprintf(format, args...)) }

// command is the tool's input. nil texts were not given.
type command struct {
	Command    string  `json:"command"`
	Path       string  `json:"path"`
	FileText   *string `json:"file_text"`
	OldStr     *string `json:"old_str"`
	NewStr     *string `json:"new_str"`
	InsertLine *number `json:"insert_line"`
	InsertText *string `json:"insert_text"`
	OldPath    string  `json:"old_path"`
	NewPath    string  `json:"new_path"`
	ViewRange  numbers `json:"view_range"`
}

// number is a whole number, which models write as a text, too.
type number int

// UnmarshalJSON reads 5, "5" and 5.0.
func (n *number) UnmarshalJSON(b []byte) error {
	f, err := strconv.ParseFloat(string(bytes.Trim(b, `"`)), 64)
	if *n = number(f); err != nil || float64(*n) != f {
		return fmt.Errorf("%s is no line number", b)
	}
	return nil
}

// numbers are a range of lines.
type numbers []number

// UnmarshalJSON reads [1, 5] and "[1, 5]"; null and an empty text are none.
func (n *numbers) UnmarshalJSON(b []byte) error {
	var text string
	if json.Unmarshal(b, &text) == nil {
		if b = []byte(text); len(bytes.TrimSpace(b)) == 0 {
			return nil
		}
	}
	return json.Unmarshal(b, (*[]number)(n))
}

// parseCommand reads a line: the tool's input, or a tool_use block that holds it.
func parseCommand(line []byte) (c command, id string, err error) {
	var block struct {
		ID    string          `json:"id"`
		Input json.RawMessage `json:"input"`
	}
	if err := json.Unmarshal(line, &block); err != nil {
		return c, "", refuse("Error: the line is no JSON object with a command of the memory tool: %v", err)
	}
	if block.Input != nil {
		line = block.Input
	}
	if err := json.Unmarshal(line, &c); err != nil {
		return c, block.ID, refuse("Error: the input of the command cannot be read: %v", err)
	}
	return c, block.ID, nil
}

// commands do what a command asks for, in a folder, and return the result.
var commands = map[string]func(*folder, context.Context, command) (string, error){
	"view": (*folder).view, "create": (*folder).createFile, "str_replace": (*folder).strReplace,
	"insert": (*folder).insertLines, "delete": (*folder).remove, "rename": (*folder).rename,
}

// requireText refuses a command without one of its texts.
func (c command) requireText(name string, text *string) error {
	if text != nil {
		return nil
	}
	return refuse("Error: %s needs %s", c.Command, name)
}

// splitLines splits a text into its lines. What a last line end ends is no line more.
func splitLines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// numberLines writes lines of a text with their numbers, from the first one on.
func numberLines(lines []string, first int) string {
	var b strings.Builder
	for i, line := range lines {
		fmt.Fprintf(&b, "\n%6d\t%s", first+i, line)
	}
	return b.String()
}
