package query

/*
#cgo LDFLAGS: -lm
#cgo linux LDFLAGS: -Wl,--unresolved-symbols=ignore-in-object-files
#cgo darwin LDFLAGS: -Wl,-undefined,dynamic_lookup
#include "sums.h"
*/
import "C"

import (
	"fmt"
	"sync"

	_ "github.com/mattn/go-sqlite3" // it holds what sums.c calls
)

// InstallScoring gives the connections that are opened from now on what [RankedQuery] needs.
var InstallScoring = sync.OnceValue(func() error {
	if code := C.cp_sums_install(); code != 0 {
		return fmt.Errorf("SQLite takes no function: error %d", code)
	}
	return nil
})
