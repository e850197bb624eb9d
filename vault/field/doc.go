// Package field is the table of the front matter's keys that cp knows.
//
// A key is added here and nowhere else: a row of [All] says its name, its kind,
// how two versions of it merge, and which column of the mirror holds it.
// The codec ([Read], [Write]), the merge driver, the importer and the index
// walk the table.
//
//	{Key: "creator", Kind: Text, Column: "creator", at: func(v *Values) any { return &v.Creator }},
//
// The values of a header come as [Values]; its pointers to other memories, under any key,
// as one list of [Reference]:
//
//	h, _ := frontmatter.Split(doc)
//	values, references, keywords := field.Read(h)
package field
