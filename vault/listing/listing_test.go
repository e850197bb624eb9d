package listing

import (
	"encoding/binary"
	"hash/crc32"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault"
)

// TestListingComesBack packs listings of all sorts of marks and reads them again.
func TestListingComesBack(t *testing.T) {
	stat := vault.Stat{Size: 4096, MTime: 1_795_297_457_664_092_912, CTime: -1, Inode: 1 << 63}
	settled := string(stat.AppendPacked([]byte("=")))
	var marks []byte
	want := [][2]string{{"a.md", settled}, {"b=.md", ""}, {"c d.md", "!symlink\x00a link"}, {"ü.md", "!" + strings.Repeat("long", 100)}, {"z.md", settled}}
	for _, w := range want {
		marks = AppendMark(marks, w[0], w[1])
	}
	for _, l := range []Listing{
		{},
		{Own: stat},
		{Own: stat, Subs: "one\x00two\x00"},
		{Subs: "one\x00", Files: Marks(marks)},
		{Own: stat, Files: Marks(marks)},
	} {
		got, ok := Unpack(l.Pack())
		if !ok || got != l {
			t.Errorf("got %+v, %v, want %+v", got, ok, l)
		}
	}
	i := 0
	for name, mark := range Marks(marks).All() {
		if got := [2]string{name, mark}; got != want[i] {
			t.Errorf("file %d is %q, want %q", i, got, want[i])
		}
		i++
	}
	if i != len(want) {
		t.Errorf("%d files, want %d", i, len(want))
	}
}

// TestASpoiltListingIsNone changes one byte, or cuts the end off: a listing
// that has lost a name would hide a file.
func TestASpoiltListingIsNone(t *testing.T) {
	b := Listing{Own: vault.Stat{Inode: 7}, Subs: "sub\x00", Files: Marks(AppendMark(nil, "a.md", ""))}.Pack()
	for range 200 {
		spoilt := append([]byte{}, b...)
		spoilt[rand.IntN(len(b))] ^= byte(1 + rand.IntN(255))
		if l, ok := Unpack(spoilt); ok {
			t.Fatalf("%q is taken for %+v", spoilt, l)
		}
	}
	for n := range b {
		if l, ok := Unpack(b[:n]); ok {
			t.Fatalf("%q is taken for %+v", b[:n], l)
		}
	}
}

// What another version has packed may have a right checksum and no listing behind it.
func TestAListingOfAnotherVersionIsNone(t *testing.T) {
	own := vault.Stat{Inode: 7}.AppendPacked(make([]byte, 4))
	for _, rest := range []string{"", "\x01", "\x01sub", "\x01sub\x00", "\x01sub\x00cut", "\xff\xff"} {
		b := append(append([]byte{}, own...), rest...)
		binary.LittleEndian.PutUint32(b, crc32.ChecksumIEEE(b[4:]))
		if l, ok := Unpack(b); ok {
			t.Errorf("%q is taken for %+v", rest, l)
		}
	}
}
