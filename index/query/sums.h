/* What sums.c calls of SQLite (https://www.sqlite.org/c3ref/intro.html) and of FTS5
** (https://www.sqlite.org/fts5.html#extending_fts5), which both promise not to change. The
** library is the one that mattn/go-sqlite3 builds in; its header cannot be included from
** another module. */
#ifndef CP_SUMS_H
#define CP_SUMS_H

#include <math.h>

#define SQLITE_OK 0
#define SQLITE_ERROR 1
#define SQLITE_NOMEM 7
#define SQLITE_CORRUPT 11
#define SQLITE_MISUSE 21
#define SQLITE_UTF8 1
#define SQLITE_DIRECTONLY 0x000080000

typedef unsigned long long sqlite3_uint64;
typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;
typedef struct sqlite3_value sqlite3_value;
typedef struct sqlite3_context sqlite3_context;

int sqlite3_auto_extension(void(*)(void));
int sqlite3_create_function_v2(sqlite3*, const char*, int, int, void*,
  void(*)(sqlite3_context*, int, sqlite3_value**), void(*)(sqlite3_context*, int, sqlite3_value**),
  void(*)(sqlite3_context*), void(*)(void*));
int sqlite3_prepare_v2(sqlite3*, const char*, int, sqlite3_stmt**, const char**);
int sqlite3_bind_pointer(sqlite3_stmt*, int, void*, const char*, void(*)(void*));
int sqlite3_step(sqlite3_stmt*);
int sqlite3_finalize(sqlite3_stmt*);
sqlite3 *sqlite3_context_db_handle(sqlite3_context*);
void *sqlite3_user_data(sqlite3_context*);
double sqlite3_value_double(sqlite3_value*);
void sqlite3_result_double(sqlite3_context*, double);
void sqlite3_result_int(sqlite3_context*, int);
void sqlite3_result_error_code(sqlite3_context*, int);
void *sqlite3_malloc64(sqlite3_uint64);
void sqlite3_free(void*);

typedef struct Fts5Context Fts5Context;
typedef struct Fts5ExtensionApi Fts5ExtensionApi;
typedef struct fts5_api fts5_api;
typedef struct { const unsigned char *a, *b; } Fts5PhraseIter;
typedef void (*fts5_extension_function)(const Fts5ExtensionApi*, Fts5Context*, sqlite3_context*, int, sqlite3_value**);

/* The members that sums.c does not call are void*. Those behind the last one are left out. */
struct Fts5ExtensionApi {
  int iVersion;
  void *xUserData;
  int (*xColumnCount)(Fts5Context*);
  void *xRowCount;
  void *xColumnTotalSize;
  void *xTokenize;
  int (*xPhraseCount)(Fts5Context*);
  void *xPhraseSize;
  void *xInstCount;
  void *xInst;
  void *xRowid;
  void *xColumnText;
  int (*xColumnSize)(Fts5Context*, int, int*);
  void *xQueryPhrase;
  int (*xSetAuxdata)(Fts5Context*, void*, void(*)(void*));
  void *(*xGetAuxdata)(Fts5Context*, int);
  int (*xPhraseFirst)(Fts5Context*, int, Fts5PhraseIter*, int*, int*);
  void (*xPhraseNext)(Fts5Context*, Fts5PhraseIter*, int*, int*);
};

struct fts5_api {
  int iVersion;
  void *xCreateTokenizer;
  void *xFindTokenizer;
  int (*xCreateFunction)(fts5_api*, const char*, void*, fts5_extension_function, void(*)(void*));
};

int cp_sums_install(void);

#endif
