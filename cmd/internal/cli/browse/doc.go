// Package browse is the command that serves the memory browser, cp memory browse: it opens the
// door, keeps the index current meanwhile, and says where the person finds the pages.
//
//	root.AddCommand(browse.Command(console.New(a, streams), agents.Findings))
package browse
