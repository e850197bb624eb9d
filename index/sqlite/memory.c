/* SQLite counts the memory that it takes unless it is told before it starts not to. Nobody
** asks for the sums, and a lock at each allocation makes a seventh of the work on opening a
** file. A constructor runs before anything of Go's; where another program has started the
** library before, it goes on counting. */
int sqlite3_config(int, ...);

#define SQLITE_CONFIG_MEMSTATUS 9

__attribute__((constructor)) static void count_nothing(void){ sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
