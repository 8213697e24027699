package schema

import (
	"hash/crc32"
	"strconv"

	"holt/server/components/crdt"
	"holt/server/proto/componentpb"
)

// Foreign components are those of other programs (C21): components that are not in the registry,
// under numbers that engines choose. Nobody here reads what they hold.

// Bounds of foreign components of a table (C21).
const (
	MaxForeignValue = 16 << 10 // bytes of a value, or of an element of a set
	MaxForeignSet   = 256      // elements of a set
	MaxForeignBytes = 1 << 20  // bytes of data of all of them, and ForeignKey for each key
	ForeignKey      = 64       // what a key counts, be it deleted
	// MaxForeignAhead is how far a timestamp may lie above the stored one. Engines count a write for
	// each of their frames, also before they are linked.
	MaxForeignAhead = 1 << 16
)

// The numbers of components that are not foreign, because they are in the registry or may come into
// it.
const (
	firstOwn = 3000
	lastOwn  = 3999
)

// Foreign entities are those that engines number (C21).
const (
	FirstForeign crdt.Entity = 32_768 // of the numbers, in any version
	lastReserved crdt.Entity = 511    // engines have their own use for 1 to 511
	versionBits              = 16
)

// engineNames are the components by the numbers that engines compute from names, and the reverse.
var engineNames, engineNumbers = namesOfEngines()

func namesOfEngines() (names map[uint32]string, numbers map[uint32]uint32) {
	names, numbers = map[uint32]string{}, map[uint32]uint32{}
	for i := range registry {
		s := &registry[i]
		for n := s.Number; n <= max(s.Number, s.Last); n++ {
			name := "holt::" + s.Name
			if s.Last != 0 {
				name = "holt::Column" + strconv.Itoa(int(n-s.Number))
			}
			crc := numberOfName(name)
			names[n], numbers[n], numbers[crc] = name, crc, n
		}
	}
	return names, numbers
}

// numberOfName returns the number that engines compute from the name of a component: the CRC-32 of
// 128 bytes, plus 2,048.
func numberOfName(name string) uint32 {
	var b [128]byte
	copy(b[:], name)
	return crc32.ChecksumIEEE(b[:]) + 2048
}

// EngineName returns the name under which engines define a component of the registry, and the
// number that they compute from it (C22).
func EngineName(component uint32) (name string, number uint32) {
	name, ok := engineNames[component]
	if !ok {
		return "", 0
	}
	return name, engineNumbers[component]
}

// SwapNumber exchanges the number of a component of the registry with the one that engines compute,
// and returns all other numbers as they are.
func SwapNumber(component uint32) uint32 {
	if n, ok := engineNumbers[component]; ok {
		return n
	}
	return component
}

// IsForeign reports whether a component is foreign, by its number.
func IsForeign(component uint32) bool {
	_, ours := engineNumbers[component]
	return !ours && (component < firstOwn || component > lastOwn)
}

// IsForeignEntity reports whether engines number an entity.
func IsForeignEntity(e crdt.Entity) bool {
	return e > 0 && e <= lastReserved ||
		e.Class() == crdt.Versioned && e&(1<<versionBits-1) >= FirstForeign
}

// AnyClassOf is ClassOf, and ClassForeign for foreign entities. Pages know no such class.
func AnyClassOf(e crdt.Entity) Class {
	if IsForeignEntity(e) {
		return ClassForeign
	}
	return ClassOf(e)
}

// ForeignKeyOf reports whether a key is one of a foreign component: of a foreign entity, or of the
// table.
func ForeignKeyOf(e crdt.Entity, component uint32) bool {
	return IsForeign(component) && (e == TheTable || IsForeignEntity(e))
}

// ForeignOp reports whether an operation is about foreign components.
func ForeignOp(op *crdt.Op) bool {
	if op.Kind == crdt.DeleteEntity {
		return IsForeignEntity(op.Entity)
	}
	return ForeignKeyOf(op.Entity, op.Component)
}

// LowerVersion returns the entity whose deletion deletes all lower versions of the number of a
// foreign entity (C5). It returns false if there are none.
func LowerVersion(e crdt.Entity) (crdt.Entity, bool) {
	if !IsForeignEntity(e) || e < 1<<versionBits {
		return 0, false
	}
	return e - 1<<versionBits, true
}

// Both says of which components values and sets are kept under the same key (C21), and how many
// elements the sets have. It is for crdt.Config.
func Both(component uint32) (limit int, ok bool) { return MaxForeignSet, IsForeign(component) }

// foreignSpec stands for all foreign components.
var foreignSpec = Spec{
	Name: "Foreign", Of: ClassForeign, Who: ByPlayer, Size: MaxForeignValue, Set: MaxForeignSet,
	Foreign: true,
}

// ForeignAllowed returns the setting of a table about foreign components, as a replica has it.
func ForeignAllowed(r *crdt.Replica) (allowed, shared bool) {
	data, ok := r.Get(TheTable, Foreign)
	if !ok {
		return false, false
	}
	m, err := Decode[componentpb.Foreign](data)
	if err != nil {
		return false, false
	}
	return m.GetAllowed(), m.GetAllowed() && m.GetShared()
}

var checkForeign = holds(func(m *componentpb.Foreign) problem {
	if m.GetShared() && !m.GetAllowed() {
		return wrong("shared", "what is not allowed cannot be shared")
	}
	return problem{}
})
