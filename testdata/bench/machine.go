package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"

	"github.com/mattn/go-sqlite3"
)

// machine is what the figures were measured on.
type machine struct {
	CPU     string `json:"cpu"`
	Cores   int    `json:"cores"`
	Memory  string `json:"memory"`
	Kernel  string `json:"kernel"`
	Disk    string `json:"file_system"`
	Go      string `json:"go"`
	Git     string `json:"git"`
	SQLite  string `json:"sqlite"`
	Program string `json:"program"`
	Took    string `json:"took"`
}

func (m machine) String() string {
	return fmt.Sprintf("Measured with %s on %d × %s, %s of memory, Linux %s, %s; %s, %s, SQLite %s. The run took %s.",
		m.Program, m.Cores, m.CPU, m.Memory, m.Kernel, m.Disk, m.Go, m.Git, m.SQLite, m.Took)
}

func thisMachine(dir string) machine {
	sqlite, _, _ := sqlite3.Version()
	return machine{CPU: field("/proc/cpuinfo", "model name"), Cores: runtime.NumCPU(), Memory: memory(), Kernel: line("/proc/sys/kernel/osrelease"),
		Disk: fileSystem(dir), Go: runtime.Version(), Git: said("git", "--version"), SQLite: sqlite}
}

// field returns the first value of a name in a file of /proc; "unknown" without.
func field(file, name string) string {
	text, _ := os.ReadFile(file)
	for l := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(l, ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return "unknown"
}

func line(file string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(text))
}

func memory() string {
	var kb int
	if _, err := fmt.Sscanf(field("/proc/meminfo", "MemTotal"), "%d kB", &kb); err != nil {
		return "unknown"
	}
	return fmt.Sprintf("%.0f GB", float64(kb)/1e6)
}

func fileSystem(dir string) string {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return "unknown"
	}
	names := map[int64]string{0xEF53: "ext4", 0x01021994: "tmpfs", 0x9123683E: "btrfs", 0x58465342: "xfs", 0x794C7630: "overlayfs", 0x2FC12FC1: "zfs"}
	if name, ok := names[int64(s.Type)]; ok {
		return name
	}
	return fmt.Sprintf("file system %#x", s.Type)
}

// said returns the first line of what a program prints.
func said(argv ...string) string {
	out, err := exec.Command(argv[0], argv[1:]...).Output()
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(out), "\n")
	return first
}

func programVersion(cp string) string { return said(cp, "version") }
