// Package app holds what every command works with: the streams, the settings
// and, once a command asks for it, the open vault.
package app
