// Package memorytool answers the commands of Anthropic's memory tool, memory_20250818: view, create,
// str_replace, insert, delete and rename on /memories. A program that uses the SDK starts one process
// and hands it what the model sends, a JSON line each; it gets the result, a JSON line each.
//
//	{"command": "create", "path": "/memories/todo.md", "file_text": "# To do\n"}
//	{"content": "File created successfully at: /memories/todo.md"}
//
// A whole tool_use block is taken, too; the answer is then a tool_result block with its id.
//
// # What a path is
//
// /memories is the vault, or the part of it that the command is about. A file there is a memory: the
// tool sees its text, without the header and the pointers, which stay right by themselves. A name
// with another ending than .md, or none, gets .md behind it on disk, since nothing else is a memory,
// which is found, merged and undone. It is listed, and answers, under the name by which it was made:
//
//	as the model says it      on disk            listed as
//	/memories/todo.md         todo.md            todo.md
//	/memories/todo.txt        todo.txt.md        todo.txt
//	/memories/todo            todo.md            todo.md, as nothing says that it had no ending
//
// A path finds, in this order: the file of that name, the folder, the file with .md. Case and Unicode
// form do not count where nothing has the very name. A memory and the folder of its children are one:
// who renames either renames both, and is told so. delete takes what is named, and nothing else.
//
// # The promise
//
// Results and errors have the texts of the tool's documentation. Each write is one commit by the
// verbs of package tree, as an agent's: secrets and protected memories are refused, and so is a
// change where a person has typed and not committed: in the same section, or in the file where no
// section holds the change. While git is at work nothing is kept for later, since a view would not
// show it: that is refused, too. A line that fails ends nothing; the end of the input ends the
// process.
package memorytool
