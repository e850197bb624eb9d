// Package tongue cuts the texts that are not English into the terms by which words are found
// in another form than the one that was asked for: stems, and sequences of three letters.
// Package analyse cuts all texts into words, and has English stems alone.
//
//	Die Bestellungen   #bestell +.be +bes +est +ste +tel +ell +llu +lun +ung +nge +gen +en.
//	миграции           #миграц  +.ми +миг …
//
// A stem begins with #, a sequence with +; the dot is the beginning or the end of a word.
// So they are never taken for the words of package analyse, which begin with a letter. Each
// stands once, however often the text has it.
//
// Vietnamese has its syllables with their accents, and their pairs:
//
//	thủ đô          #thủ #đô #thủ.đô
//
// The language is told of each passage by its own stop words, and by the script of each word:
// a note may be of several languages. English passages have no such terms, nor have scripts
// without spaces, of which package analyse takes all pairs and threes. What no stemmer knows
// (Hindi, Greek, Polish) has the sequences alone.
//
//	c := tongue.New()
//	terms := c.Text("Die Bestellungen", "…") // what the index stores of a memory
//	asked := c.Query("Bestellung")           // what a question looks for
package tongue
