package recall

// The weights of the parts of a lexical score. Each part is a sum over the query's terms
// of their rarity times a factor from 0 to 2.2. They were fitted on the labelled queries of
// `make bench-recall` in one vault and in its subtrees, each task counting as much as the
// others, and rounded; testdata/benchrecall/WEIGHTS.md tells how, and what the fit does to a
// task that it does not see.
const (
	weightDocument = 0.5  // the whole file, as the index ranks it
	weightPassage  = 0.3  // the best passage with the headings above it
	weightTitle    = 0.1  // the title
	weightExact    = 0.35 // a title all of whose words are in the query
	weightPath     = 0.3  // the names of the file and of its folders
	weightFolders  = 0.2  // the names of its folders, once more
	weightPhrase   = 0.3  // the trigger phrase
	weightKeywords = 0.25 // the header's other words
	weightLinks    = 0.05 // what links of other memories call it, and its aliases
	weightCalled   = 0.15 // a text of a link all of whose words are in the query, by the share of the query that they are
	weightHeading  = 0.3  // headings above a passage all of whose words are in the query, likewise by the share
	weightNear     = 0.3  // neighbours in the query that are near each other in a passage
	weightBeside   = 0.35 // those of them that stand side by side there, in the query's order
	weightLead     = 0.15 // the first passage
	weightShort    = 0.1  // a text that is short, since a long one has more passages to be best with
	weightBrief    = 0.25 // a title that is short, since a long one is of something narrower
)

// A text of shortBytes is not short any more. One without a letter counts as one of tinyBytes.
const (
	shortBytes = 1000
	tinyBytes  = 200
)

// BM25's constants: how soon a repeated term counts no more, and how much more often a long
// passage has to hold it than a short one.
const (
	k1     = 1.2
	bText  = 0.75
	bField = 0.5
)

// The usual lengths of a title, a path, a phrase, keywords and a passage, in terms. A text of that
// length counts as neither long nor short.
const (
	usualTitle    = 5
	usualPath     = 8
	usualPhrase   = 12
	usualKeywords = 10
	usualLinks    = 6
	usualPassage  = 100
)

// headingWeight is the weight of a term in the headings above a passage.
const headingWeight = 2

// nearness is the greatest distance of two terms that count as near, in terms.
const nearness = 8
