package main

import (
	"runtime"
	"testing"
	"testing/fstest"
)

func TestMemoryThatThereIs(t *testing.T) {
	const machine = "MemFree:  100 kB\nMemTotal:       2048 kB\n"
	for _, c := range []struct {
		name  string
		files map[string]string
		want  uint64
	}{
		{"no limit is given", map[string]string{}, 0},
		{"the machine", map[string]string{"proc/meminfo": machine}, 2 << 20},
		{"a container of version 2", map[string]string{"proc/meminfo": machine,
			"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "1048576\n"}, 1 << 20},
		{"a container without a limit", map[string]string{"proc/meminfo": machine,
			"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "max\n"}, 2 << 20},
		{"a group above has the limit", map[string]string{"proc/self/cgroup": "0::/a/b\n",
			"sys/fs/cgroup/a/b/memory.max": "max\n", "sys/fs/cgroup/a/memory.max": "4096\n"}, 4096},
		{"a container of version 1", map[string]string{"proc/meminfo": machine,
			"proc/self/cgroup": "5:cpu:/x\n4:memory:/x\n",
			"sys/fs/cgroup/memory/x/memory.limit_in_bytes": "8192\n"}, 8192},
		{"a group that has more than the machine", map[string]string{"proc/meminfo": machine,
			"proc/self/cgroup":         "0::/\n",
			"sys/fs/cgroup/memory.max": "9223372036854771712\n"}, 2 << 20},
		{"nonsense",
			map[string]string{"proc/meminfo": "MemTotal: much\n", "proc/self/cgroup": "x\n"}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := fstest.MapFS{}
			for name, body := range c.files {
				root[name] = &fstest.MapFile{Data: []byte(body)}
			}
			if got := memoryOf(root); got != c.want {
				t.Errorf("%d bytes, want %d", got, c.want)
			}
		})
	}
	t.Run("the gauge shows what is alive", func(t *testing.T) {
		if memoryInUse(0) != nil {
			t.Error("there is a gauge without a limit")
		}
		const more = 64 << 20
		gauge := memoryInUse(more)
		runtime.GC()
		before := gauge()
		alive := make([]byte, more)
		runtime.GC()
		if after := gauge(); after < before+0.9 {
			t.Errorf("it shows %v, with %d bytes more alive %v", before, more, after)
		}
		runtime.KeepAlive(alive)
	})
}
