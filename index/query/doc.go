// Package query selects rows of the mirror's table memories, named m, by the options of a
// list or a search.
//
//	f := query.NewFilter(vault.ListOptions{Labels: []string{"deploy"}}, now)
//	rows := t.rows(f.Where(), f.Args...) // WHERE TRUE AND m.held = 2 AND …
//
// # Links
//
// This part reads from the mirror's tables how memories stand to each other: who is
// whose child, and which memory a link or a reference means.
//
// What a link means is not stored; it is asked whenever somebody reads ([MeantTarget]), so a link
// begins to lead somewhere when a file appears. Edges are told of one memory with all there is
// to tell ([LinksOf]), or of many at once, by a handful of statements however many there are
// ([LinksAround]).
//
//	edges, err := query.LinksOf(tx, n)                  // n is the memory's number in the tables
//	all, err := query.LinksAround(tx, []int64{n, o}, 60) // at most 60 of each of them
//
// # Naming
//
// This part makes the keys by which links and references name memories.
//
// A link is resolved by its key. Keys are lower case and in Unicode form NFC,
// and of two sorts:
//
//	/deploy/rollback   a Markdown link, made absolute: the file deploy/rollback.md
//	deploy/rollback    a wikilink: an id, a path or the end of one, or a title
//
// A memory offers all its keys, each with a rank. A link means the memory with the smallest
// rank, then with the smallest path. So of two files with the name a wikilink means the
// shallower one, and a file's name comes before another one's title. A references key is
// resolved as the reference of a command is ([ReferenceKeys]); of the names it takes ids and titles.
//
//	key := query.HashName(query.LinkName("deploy.md", link)) // what a link says
//	names := query.NamesOf("deploy/rollback.md", "pf-7k2m9qx4", "Rollback") // what a memory offers
//
// # Anchors
//
// This part keeps what links call the memories that they lead to. "restart loop" of
// [restart loop](nomad.md) is a field of nomad.md in the full-text index, and so are its aliases.
//
// The sources' texts stand in the table links. From them and from the table names follows a row
// for each memory that is called something: its texts, each once, and their terms. Of a memory
// are kept the first 64 texts in the order of their letters, of 4,000 bytes together, from the
// first 256 that are written under each of its names; an alias comes before them. A row is made
// again when a text comes or goes, or when another memory is meant by its link ([AnchorChanges]). So any
// history of changes ends in the rows that a rebuild makes.
//
// A text that says nothing is no text ([LinkSays]): the name or the title of the target, "here", a
// number, an address. Closed memories, entries that have no place in the tree, and records call
// nobody anything, and nor does a memory itself.
//
//	var c query.AnchorChanges
//	c.Link(query.HashName("/nomad"))    // the text of a link with this key came or went
//	c.Settle(t)                      // the row of nomad.md is made again
//	texts, err := query.AnchorsOf(t, []int64{n})
//
// # Siblings
//
// This part finds the children of a memory in the order in which they are shown, without
// reading more of them than that needs, and the titles of all memories one by one. It reads
// rows of the mirror and never files.
//
//	numbers, page, err := query.ReadChildren(t, tree.PageOptions{Most: 200}, &parent, &id, &file)
//
// # Trail
//
// This part finds the commits that brought files, through moves.
//
// It is told what commits brought, the newest first. Where a file came from is its own way
// through the history, and does not depend on other files. So a trail through new commits
// goes on where an older one began, and the index keeps what was found (store.go).
//
//	t := query.NewTrail([]vault.Path{"y.md"})
//	_, err := commits.Arrivals(ctx, "", head, t.Add)
//	t.End()
//	c := t.Commits[0]               // c.Files is ["y.md"]: this commit brought it, perhaps as x.md
//	incomplete, err := t.Save(tx, true)
//
// # Changed
//
// This part keeps a short list of the memories that have changed, by the generations of
// the mirror, so that who shows memories can tell which of them to show anew.
//
// Triggers fill the list, so every change is in it, whoever makes it. It has an end: who asks
// about a generation before it, or about one in which very much has changed, is told that the
// list does not say.
//
//	ids, err := query.ChangedSince(t, vault.Generation{Epoch: 7, Number: 41}, 200)
//
// # Inventory
//
// This part lists and counts what the tables of the mirror hold, as they stand.
//
// It reads no file. [EachIndexRow] is for a comparison with the files, and [TotalsOf] for people who
// want to know how much there is of what.
//
//	totals, err := query.TotalsOf(t)
//	fmt.Println(totals.Kinds["decisions"], totals.Levels.Pending)
//
// # Waiting
//
// This part finds the memories that may wait for a person's decision.
//
// It reads rows of the mirror and never files, and it finds them by indexes that hold
// little else. What it returns is a superset: package vault/journal decides.
//
//	all, err := query.ReviewCandidates(t, journal.QueueRules{Thresholds: tier.Default()})
//
// # Scoring
//
// This part ranks the rows of one full-text index among those of several, as if all
// were in one. FTS5's bm25() knows the statistics of its own table alone, so scores of two
// tables cannot be compared. Here the statistics are added up first ([SumsOf], [family.Sums]),
// and then each table scores its rows by the sums.
//
// Likewise, what is asked for below a memory or in a folder is ranked by the statistics of that
// place ([SumsWithin]).
//
// Its promise: a row has the score that it would have in the one table, to the last bit. An
// index that is asked alone is ranked by bm25() as ever, at the same cost.
//
//	asked := query.ParseQuestion(question, 64)
//	sums, err := query.SumsOf(t, asked.Terms()) // of this table
//	sums.Add(others)                          // and of the others
//	q, err := query.RankedQuery(t, asked, vault.ListOptions{Sums: sums})
//	t.Each(`SELECT rowid, -rank `+q.From()+` ORDER BY rank`, q.Args(), …)
//
// # Rare
//
// This part finds which terms of a text are the rarest ones in the full-text index. Two
// texts that say nearly the same share them, and few other texts hold them.
//
// It never counts all rows of a common term, so its cost does not grow with the vault.
//
//	var f query.RareFinder
//	terms, err := f.Terms(t, "the allocation of Nomad", false) // nomad, alloc
//
// # Docs
//
// This part writes the rows of the full-text indexes, and keeps the totals by which FTS5
// ranks.
//
// The rows hold no text: FTS5 knows the terms alone. What is written is gathered in a
// [DocBatch] and flushed at once, and what a deleted row had is taken out of the totals, which
// FTS5 itself never does.
//
//	var b query.DocBatch
//	b.Drop(17)
//	b.Add(t, query.DocRow{N: 17, Columns: columns})
//	b.Flush(t)
package query
