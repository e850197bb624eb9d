/* sums(docs, rows, terms, weights…, with…) is FTS5's bm25() with the statistics of others:
** the number of rows and of the terms in them, the weight of each column, and for each
** phrase of the query the number of rows that hold it. Of equal numbers it returns what
** bm25() does, to the last bit: the terms of the sum and their order are the same.
**
** It is cheaper than bm25(), which scans the list of each phrase once more to count rows, and
** goes through the hits of all phrases in the order of their places. */
#include "sums.h"

/* Query holds what is the same for every row of a query. It is made at the first one. */
typedef struct {
  int phrases, columns;
  double usual;    /* the mean length of a row, in terms */
  double *rarity;  /* of each phrase */
  double *weight;  /* of each column */
} Query;

static double rarity_of(double rows, double with){
  double rarity = log((rows - with + 0.5) / (with + 0.5));
  return rarity>0.0 ? rarity : 1e-6;
}

static int query_of(const Fts5ExtensionApi *api, Fts5Context *fts, int n, sqlite3_value **args, Query **out){
  Query *q = (Query*)api->xGetAuxdata(fts, 0);
  int rc = SQLITE_OK;
  if( q==0 ){
    int i, phrases = api->xPhraseCount(fts), columns = api->xColumnCount(fts);
    double rows;
    if( n!=2+columns+phrases ) return SQLITE_MISUSE;
    q = (Query*)sqlite3_malloc64(sizeof(Query) + (phrases+columns)*sizeof(double));
    if( q==0 ) return SQLITE_NOMEM;
    rows = sqlite3_value_double(args[0]);
    q->phrases = phrases;
    q->columns = columns;
    q->usual = rows>0.0 ? sqlite3_value_double(args[1]) / rows : 1.0; /* a place may be empty */
    q->rarity = (double*)&q[1];
    q->weight = &q->rarity[phrases];
    for(i=0; i<columns; i++) q->weight[i] = sqlite3_value_double(args[2+i]);
    for(i=0; i<phrases; i++) q->rarity[i] = rarity_of(rows, sqlite3_value_double(args[2+columns+i]));
    rc = api->xSetAuxdata(fts, q, sqlite3_free); /* it frees q where it fails */
  }
  *out = q;
  return rc;
}

/* frequency_of sets how often the row holds a phrase, each hit with the weight of its column. */
static int frequency_of(const Fts5ExtensionApi *api, Fts5Context *fts, const Query *q, int phrase, double *frequency){
  Fts5PhraseIter at;
  int column = -1, offset = -1;
  int rc = api->xPhraseFirst(fts, phrase, &at, &column, &offset);
  *frequency = 0.0;
  while( rc==SQLITE_OK && column>=0 ){
    if( column>=q->columns ) return SQLITE_CORRUPT;
    *frequency += q->weight[column];
    api->xPhraseNext(fts, &at, &column, &offset);
  }
  return rc;
}

static void sums(const Fts5ExtensionApi *api, Fts5Context *fts, sqlite3_context *result, int n, sqlite3_value **args){
  const double k1 = 1.2, b = 0.75; /* as in bm25() */
  double score = 0.0;
  int i, length = 0;
  Query *q = 0;
  int rc = query_of(api, fts, n, args, &q);
  if( rc==SQLITE_OK ) rc = api->xColumnSize(fts, -1, &length);
  for(i=0; rc==SQLITE_OK && i<q->phrases; i++){
    double f;
    rc = frequency_of(api, fts, q, i, &f);
    if( rc==SQLITE_OK && f>0.0 ){
      score += q->rarity[i] * (
          ( f * (k1 + 1.0) ) /
          ( f + k1 * (1 - b + b * (double)length / q->usual) )
      );
    }
  }
  if( rc==SQLITE_OK ) sqlite3_result_double(result, -1.0*score);
  else sqlite3_result_error_code(result, rc);
}

/* sums_ready() gives sums() to the connection that calls it. The first call takes 2 µs, which
** nobody pays who needs only one vault. */
static void ready(sqlite3_context *result, int n, sqlite3_value **args){
  int *done = (int*)sqlite3_user_data(result);
  sqlite3_stmt *stmt = 0;
  fts5_api *api = 0;
  int rc = SQLITE_OK;
  (void)n; (void)args;
  if( *done==0 ){
    rc = sqlite3_prepare_v2(sqlite3_context_db_handle(result), "SELECT fts5(?1)", -1, &stmt, 0);
    if( rc==SQLITE_OK ) rc = sqlite3_bind_pointer(stmt, 1, (void*)&api, "fts5_api_ptr", 0);
    if( rc==SQLITE_OK ) sqlite3_step(stmt);
    sqlite3_finalize(stmt);
    if( rc==SQLITE_OK && api==0 ) rc = SQLITE_ERROR;
    if( rc==SQLITE_OK ) rc = api->xCreateFunction(api, "sums", 0, sums, 0);
    *done = rc==SQLITE_OK;
  }
  if( rc==SQLITE_OK ) sqlite3_result_int(result, 1);
  else sqlite3_result_error_code(result, rc);
}

/* opened is called for each connection. DIRECTONLY: nothing in a file may call the function. */
static int opened(sqlite3 *db, char **message, const void *routines){
  int *done = (int*)sqlite3_malloc64(sizeof(int));
  (void)message; (void)routines;
  if( done==0 ) return SQLITE_NOMEM;
  *done = 0;
  return sqlite3_create_function_v2(db, "sums_ready", 0, SQLITE_UTF8|SQLITE_DIRECTONLY, done, ready, 0, 0, sqlite3_free);
}

int cp_sums_install(void){ return sqlite3_auto_extension((void(*)(void))opened); }
