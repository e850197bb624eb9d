package object

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/idxfile"

	"github.com/cp-memory/cp/vault/disk"
)

// A pack is
//
//	"PACK" version count      4 bytes each
//	object*                   type and size, 3 bits and then 7 a byte, and its bytes deflated
//	SHA-1 of all that         20 bytes
//
// and is called by that sum. Its index, which makes it visible to git, is the
// file that packIndex reads.

// packLimit bounds the memory of a pack under way. Further objects make another pack.
const packLimit = 32 << 20

// packKinds are the numbers of the kinds of objects in a pack.
var packKinds = map[string]byte{KindCommit: 1, KindTree: 2, KindBlob: 3}

// writePacks writes all new objects into packs, also those that are elsewhere:
// then their life hangs on nothing older than this write. A pack takes objects
// until it is larger than limit.
func (o *DB) writePacks(limit int) error {
	o.packed = nil
	for left := o.order; len(left) > 0; {
		n, err := o.writePack(left, limit)
		if err != nil {
			return err
		}
		left = left[n:]
	}
	return disk.SyncDir(filepath.Join(o.sources[0].dir, "pack"))
}

// writePack writes a pack with as many of the objects as fit, and returns how
// many those are.
func (o *DB) writePack(ids []string, limit int) (int, error) {
	var b bytes.Buffer
	b.WriteString("PACK\x00\x00\x00\x02\x00\x00\x00\x00")
	count, index := 0, new(idxfile.Writer)
	for _, id := range ids {
		if b.Len() > limit {
			break
		}
		obj, from := o.fresh[id], b.Len()
		b.Write(packHeader(packKinds[obj.kind], len(obj.data)))
		deflated, err := o.deflate.deflateAll(obj.data)
		if err != nil {
			return 0, err
		}
		b.Write(deflated)
		index.Add(plumbing.NewHash(id), uint64(from), crc32.ChecksumIEEE(b.Bytes()[from:]))
		count++
	}
	binary.BigEndian.PutUint32(b.Bytes()[8:], uint32(count))
	sum := plumbing.Hash(sha1.Sum(b.Bytes()))
	b.Write(sum[:])
	if err := index.OnFooter(sum); err != nil {
		return 0, err
	}
	return count, o.placePack(sum.String(), b.Bytes(), index)
}

// placePack makes a pack visible: its index comes last.
func (o *DB) placePack(name string, pack []byte, index *idxfile.Writer) error {
	idx, err := encodePackIndex(index)
	if err != nil {
		return err
	}
	dir := filepath.Join(o.sources[0].dir, "pack")
	if err := disk.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	path := filepath.Join(dir, "pack-"+name)
	if err := placeObject(disk.WriteSync, filepath.Join(dir, "tmp_pack_"+name), path+".pack", pack); err != nil {
		return err
	}
	if err := placeObject(disk.WriteSync, filepath.Join(dir, "tmp_idx_"+name), path+".idx", idx); err != nil {
		return err
	}
	o.packed = append(o.packed, path)
	return nil
}

// gonePack reports whether a pack of ours is not there any more.
func gonePack(path string) bool {
	for _, name := range [...]string{path + ".pack", path + ".idx"} {
		if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
			return true
		}
	}
	return false
}

// packHeader returns the beginning of an object in a pack: its kind and size.
func packHeader(kind byte, size int) []byte {
	b := []byte{kind<<4 | byte(size&15)}
	for size >>= 4; size > 0; size >>= 7 {
		b[len(b)-1] |= 0x80
		b = append(b, byte(size&0x7f))
	}
	return b
}

// encodePackIndex returns the file of an index.
func encodePackIndex(index *idxfile.Writer) ([]byte, error) {
	rows, err := index.Index()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	_, err = idxfile.NewEncoder(&b).Encode(rows)
	return b.Bytes(), err
}

// deflater compresses one object after the other, as fast as it can: that is
// git's own choice for new objects, and its gc compresses again.
type deflater struct {
	z   *zlib.Writer
	out bytes.Buffer
}

// deflateAll returns the parts deflated as one, in memory that the next call uses again.
func (d *deflater) deflateAll(parts ...[]byte) (_ []byte, err error) {
	d.out.Reset()
	if d.z == nil {
		d.z, err = zlib.NewWriterLevel(&d.out, zlib.BestSpeed)
	} else {
		d.z.Reset(&d.out)
	}
	for _, b := range parts {
		if err == nil {
			_, err = d.z.Write(b)
		}
	}
	if err == nil {
		err = d.z.Close()
	}
	return d.out.Bytes(), err
}
