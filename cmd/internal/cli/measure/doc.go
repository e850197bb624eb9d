// Package measure holds the command that measures how much the vectors of the configured
// model count beside the words.
//
//	admin.AddCommand(measure.Command(console))
package measure
