package wire

/*
#include <malloc.h>

// It runs before Go's: the limit counts from the first thread that allocates.
__attribute__((constructor)) static void one_arena(void) {
#ifdef M_ARENA_MAX
	mallopt(M_ARENA_MAX, 1);
#endif
}
*/
import "C"

// SQLite asks for its page cache a page at a time, and glibc lets the memory of
// a thread other than the first grow by as much: a thousand system calls for a
// look at 10,000 files. With one arena for all it grows by 128 KB. It is set here,
// since it holds for the whole program.
