package splice

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/pelletier/go-toml/v2"
)

// GetTOML returns what stands at a path of tables in a file; nil where there is nothing.
func GetTOML(text []byte, path ...string) (any, error) {
	said, err := parseTOML(text)
	if err != nil {
		return nil, err
	}
	var at any = said
	for _, name := range path {
		in, _ := at.(map[string]any)
		at = in[name]
	}
	return at, nil
}

// SetTOML gives a file a region with the lines of the table at a path. The error tells of a
// table that stands outside of the region.
func SetTOML(text []byte, lines []string, path ...string) ([]byte, error) {
	bare, err := DeleteRegion(text)
	if err != nil {
		return nil, err
	}
	there, err := GetTOML(bare, path...)
	if err == nil && there != nil {
		err = errors.New("the table stands there by hand")
	}
	if err != nil {
		return nil, err
	}
	out, err := SetRegion(text, lines)
	if err != nil {
		return nil, err
	}
	return out, checkTOML(bare, out, true, path)
}

// DeleteTOML takes the region out of a file.
func DeleteTOML(text []byte, path ...string) ([]byte, error) {
	out, err := DeleteRegion(text)
	if err != nil {
		return nil, err
	}
	return out, checkTOML(text, out, false, path)
}

// checkTOML reports whether two texts say the same but for the table at a path of two names,
// which is in the second one or not.
func checkTOML(was, is []byte, there bool, path []string) error {
	before, err := parseTOML(was)
	if err != nil {
		return err
	}
	after, err := parseTOML(is)
	if err != nil {
		return fmt.Errorf("it is laid out in a way that this program cannot change: %w", err)
	}
	found, _ := GetTOML(is, path...)
	if (found != nil) != there || !reflect.DeepEqual(dropName(before, path[0], path[1]), dropName(after, path[0], path[1])) {
		return errors.New("it is laid out in a way that this program cannot change")
	}
	return nil
}

func parseTOML(text []byte) (map[string]any, error) {
	said := map[string]any{}
	return said, toml.Unmarshal(bytesWithoutMark(text), &said)
}

// bytesWithoutMark returns a text without its byte order mark.
func bytesWithoutMark(text []byte) []byte {
	if len(text) >= len(bom) && string(text[:len(bom)]) == bom {
		return text[len(bom):]
	}
	return text
}
