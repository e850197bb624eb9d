package journal

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// What a line of a batch may hold in "parts" are the parts.
func TestPartNames(t *testing.T) {
	var want []string
	for i, parts := 0, reflect.TypeFor[Parts](); i < parts.NumField(); i++ {
		name, _, _ := strings.Cut(parts.Field(i).Tag.Get("json"), ",")
		want = append(want, name)
	}
	if got := slices.Sorted(slices.Values(partNames)); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
		t.Errorf("got %v, want %v", got, want)
	}
}
