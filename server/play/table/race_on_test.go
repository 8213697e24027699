//go:build race

package table_test

// raceEnabled says that the race detector slows everything down.
const raceEnabled = true
