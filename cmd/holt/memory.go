package main

import (
	"bufio"
	"bytes"
	"io/fs"
	"log/slog"
	"math"
	"path"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
)

// boundMemory gives the process a soft limit of memory: three quarters of what the machine or the
// container has. GOMEMLIMIT overrides that. It returns the limit in bytes, or 0 if the memory is
// not known.
func boundMemory(root fs.FS, log *slog.Logger) uint64 {
	if given := debug.SetMemoryLimit(-1); given != math.MaxInt64 {
		return uint64(given) //nolint:gosec // never negative
	}
	has := memoryOf(root)
	if has == 0 {
		return 0
	}
	limit := has / 4 * 3
	debug.SetMemoryLimit(int64(limit)) //nolint:gosec // less than the memory
	log.Info("memory is limited", "bytes", limit)
	return limit
}

// memoryOf returns how many bytes of memory the machine or the container has, whichever has less,
// or 0 if neither is known. root is the file system.
func memoryOf(root fs.FS) uint64 {
	least := uint64(math.MaxUint64)
	for _, n := range append(ofGroups(root), ofMachine(root)) {
		if n > 0 {
			least = min(least, n)
		}
	}
	if least == math.MaxUint64 {
		return 0
	}
	return least
}

// ofGroups returns the limits of the control groups of the process and of those above them, of
// version 2 and version 1.
func ofGroups(root fs.FS) (limits []uint64) {
	body, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(body)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		base, file := "sys/fs/cgroup", "memory.max"
		switch {
		case parts[1] == "memory":
			base, file = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
		case parts[1] != "":
			continue
		}
		for group := path.Clean("/" + parts[2]); ; group = path.Dir(group) {
			limits = append(limits, numberIn(root, path.Join(base, group, file)))
			if group == "/" {
				break
			}
		}
	}
	return limits
}

// numberIn returns the number in a file, or 0 if the file has none, such as "max".
func numberIn(root fs.FS, name string) uint64 {
	body, err := fs.ReadFile(root, name)
	if err != nil {
		return 0
	}
	n, err := strconv.ParseUint(strings.TrimSpace(string(body)), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// ofMachine returns how many bytes of memory the machine has, or 0 if that is not known.
func ofMachine(root fs.FS) uint64 {
	body, err := fs.ReadFile(root, "proc/meminfo")
	if err != nil {
		return 0
	}
	lines := bufio.NewScanner(bytes.NewReader(body))
	for lines.Scan() {
		if rest, ok := strings.CutPrefix(lines.Text(), "MemTotal:"); ok {
			// 0 if it is not a number
			n, _ := strconv.ParseUint(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 54)
			return n << 10
		}
	}
	return 0
}

// memoryInUse returns a gauge: which share of limit the live heap and the stacks take. Beyond one
// half the garbage collector has ever more work. It returns nil if there is no limit.
func memoryInUse(limit uint64) func() float64 {
	if limit == 0 {
		return nil
	}
	return func() float64 {
		samples := []metrics.Sample{
			{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"},
		}
		metrics.Read(samples)
		used := uint64(0)
		for _, s := range samples {
			if s.Value.Kind() == metrics.KindUint64 {
				used += s.Value.Uint64()
			}
		}
		return float64(used) / float64(limit)
	}
}
