// Package page is how the memory browser looks: the templates of its pages, its style sheet
// and its script.
//
// Each page can be read, and each form be sent, without the script. Whatever is put into a
// template is escaped by html/template; texts of the vault go through "vis" as well, which
// makes visible what could hide or turn them. The style sheet and the script have their hash
// in their names, so a browser may keep them for ever.
//
//	pages, err := page.New()
//	err = pages.Write(w, "memory", page.Frame{Title: "Rollback"}, shown)
package page
