// Package findings remembers what reviews of code have found.
//
// The program runs no agents. A host reviews the code and hands the findings over as JSON:
// an array, or an object a line.
//
//	{"severity": "high", "category": "security", "file": "src/user.py", "line": 42,
//	 "summary": "SQL injection in user_query()", "details": "The name goes into the query as it is.",
//	 "remediation": "Bind it.", "tags": ["sql-injection"]}
//
// # Files
//
// A review is one commit. Its batch is an entry of the journal, and each finding is a memory
// below it. The path of the batch follows from its counts, and its id from its findings:
//
//	journal/2026/11/review-2-findings-1-high-1-low.md         type: review, with a pointer block
//	journal/2026/11/review-2-findings-1-high-1-low/high-….md  type: finding, severity, category, file, line
//
// Its promise: what overlaps is one finding. A finding that is open and is found again stays
// one memory, which relates to every review that has found it. The same review, added again,
// writes nothing.
//
// # Way in
//
//	all, err := findings.Parse(text)
//	out, err := findings.Add{Findings: all}.Do(ctx, v)
//	known, err := findings.Load(ctx, v, findings.Filter{Open: true})
//	report := findings.Report{Date: today, Findings: known}.Review()
package findings
