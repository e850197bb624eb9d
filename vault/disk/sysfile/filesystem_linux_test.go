package sysfile

import "testing"

// Disks of other machines are told by their magic numbers, as statfs(2) lists
// them. Faults M11.
func TestFileSystemsOfOtherMachinesAreTold(t *testing.T) {
	for _, row := range []struct {
		magic  int64
		name   string
		remote bool
	}{
		{0x6969, "NFS", true}, {0x517b, "SMB", true}, {0xfe534d42, "SMB", true}, {0xff534d42 - 1<<32, "CIFS", true},
		{0x01021997, "9P", true}, {0x00c36400, "Ceph", true}, {0x5346414f, "AFS", true}, {0x65735546, "FUSE", false},
		{0xef53, "", false}, {0x9123683e, "", false}, {0x01021994, "", false}, {0, "", false},
	} {
		if name, remote := lookUpMagic(row.magic); name != row.name || remote != row.remote {
			t.Errorf("%#x: got %q, remote %v, want %q, %v", row.magic, name, remote, row.name, row.remote)
		}
	}
	if name, remote := FileSystem(t.TempDir() + "/not there"); name != "" || remote {
		t.Errorf("a folder that is not there is on %q", name)
	}
}
