package sqlite

import (
	"encoding/json"
	"strings"
)

// List binds values to a json_each(?). No values are an empty list, which has no row.
func List[T any](all []T) string {
	if len(all) == 0 {
		return "[]"
	}
	b, err := json.Marshal(all)
	if err != nil {
		panic(err) // strings and integers always can
	}
	return string(b)
}

// Strings reads a JSON array of strings, most often one without an escape.
func Strings(array string) (all []string, err error) {
	inner, ok := strings.CutPrefix(array, `["`)
	if ok = ok && strings.HasSuffix(inner, `"]`) && !strings.Contains(inner, `\`); ok {
		return strings.Split(inner[:len(inner)-2], `","`), nil
	}
	if array != "[]" {
		err = json.Unmarshal([]byte(array), &all)
	}
	return all, err
}
