// Package wire puts the program together: the adapters behind the ports of the use
// cases, the streams, the signals. It is what cmd/cp and cmd/cp-memory have in common.
//
// It promises that nothing of a vault is touched before a command asks for it, and that
// what holds for the whole process, as the arena of the allocator and the first
// collection, is set here and nowhere else, each with its measured reason.
//
// The way in is [Main]:
//
//	func main() { os.Exit(wire.Main(version)) }
package wire
