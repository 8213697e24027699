package bench

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// process is a process of this machine, read from /proc. It exists on Linux only.
type process struct{ pid int }

// jiffy is the unit of processor time in /proc: 10 ms on every architecture that Go supports.
const jiffy = time.Second / 100

// cpu returns the processor time that the process has used, 0 if it is unknown.
func (p *process) cpu() time.Duration {
	if p == nil {
		return 0
	}
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.pid))
	if err != nil {
		return 0
	}
	// The name, in parentheses, may contain anything. The fields follow it.
	fields := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))
	const user, system = 11, 12
	if len(fields) <= system {
		return 0
	}
	u, _ := strconv.ParseInt(fields[user], 10, 64) // a number from the kernel; 0 if malformed
	s, _ := strconv.ParseInt(fields[system], 10, 64)
	return time.Duration(u+s) * jiffy
}

// memory returns the resident memory of the process now and at its peak, in bytes, 0 if unknown.
func (p *process) memory() (now, highest uint64) {
	if p == nil {
		return 0, 0
	}
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.pid))
	if err != nil {
		return 0, 0
	}
	return kilobytes(b, "VmRSS:"), kilobytes(b, "VmHWM:")
}

func kilobytes(status []byte, name string) uint64 {
	for line := range strings.Lines(string(status)) {
		if f := strings.Fields(line); len(f) >= 2 && f[0] == name {
			n, _ := strconv.ParseUint(f[1], 10, 64)
			return n << 10
		}
	}
	return 0
}

// listener returns the process that listens on a TCP port of this machine, nil if it is unknown.
func listener(port string) *process {
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return nil
	}
	for _, file := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		b, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		if inode := listening(b, n); inode != "" {
			return owner(inode)
		}
	}
	return nil
}

// listening returns the inode of the socket that listens on a port, "" if there is none.
func listening(sockets []byte, port uint64) string {
	const local, state, inode, listens = 1, 3, 9, "0A"
	suffix := fmt.Sprintf(":%04X", port)
	for line := range strings.Lines(string(sockets)) {
		f := strings.Fields(line)
		if len(f) > inode && f[state] == listens && strings.HasSuffix(f[local], suffix) {
			return f[inode]
		}
	}
	return ""
}

// owner returns a process that has a socket open, nil if there is none.
func owner(inode string) *process {
	links, err := filepath.Glob("/proc/[0-9]*/fd/*")
	if err != nil {
		return nil
	}
	for _, link := range links {
		if target, err := os.Readlink(link); err == nil && target == "socket:["+inode+"]" {
			if pid, err := strconv.Atoi(strings.Split(link, "/")[2]); err == nil {
				return &process{pid: pid}
			}
		}
	}
	return nil
}
