package record_test

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
)

// TestMain leaves the package out where there is no git: its store is a real repository.
func TestMain(m *testing.M) {
	if _, err := exec.LookPath("git"); err != nil {
		fmt.Println("SKIPPED: the tests of vault/record need git, which is not there")
		return
	}
	os.Exit(m.Run())
}
