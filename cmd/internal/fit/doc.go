// Package fit makes answers as large as a budget of tokens allows, however they are printed.
package fit
