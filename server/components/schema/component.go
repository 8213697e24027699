// Package schema defines the components of a table (docs/protocol/component.md): the numbers of
// entities (C13), which components there are, who may write them and what they hold (C14), and
// whether an operation may be merged (C11, C12, C15, C16). The messages that components hold are in
// server/proto/componentpb.
//
// The package decides, and keeps no components: package crdt merges them, and a room owns them. It
// has no clock and does not read the table. What a judgement depends on comes in as arguments.
package schema

// The numbers of components (C14). An answer has the number after that of its question (C18).
const (
	Title         uint32 = 3001
	Surface       uint32 = 3002
	Size          uint32 = 3003
	Grid          uint32 = 3004
	Links         uint32 = 3005
	Foreign       uint32 = 3006
	About         uint32 = 3007 // on bridges only (C23)
	Recall        uint32 = 3008
	Recording     uint32 = 3009
	Profile       uint32 = 3010
	Person        uint32 = 3011 // of seats, on bridges only (C23)
	Undo          uint32 = 3012
	Chat          uint32 = 3013
	Identity      uint32 = 3015 // of pieces, on bridges of flat form only (C19)
	Kind          uint32 = 3016 // of pieces, on bridges only (C23), as the next three
	Place         uint32 = 3017
	Face          uint32 = 3018
	Holder        uint32 = 3019
	Label         uint32 = 3020
	Tint          uint32 = 3021
	Remark        uint32 = 3022
	Contents      uint32 = 3023 // of pieces, on bridges only (C23), as the next one
	Clock         uint32 = 3024
	Access        uint32 = 3025
	Voice         uint32 = 3026
	Wins          uint32 = 3027
	Sheet         uint32 = 3030
	Row           uint32 = 3031
	Stroke        uint32 = 3040
	Points        uint32 = 3041
	Author        uint32 = 3042
	Ping          uint32 = 3050
	Roll          uint32 = 3060
	RollResult    uint32 = 3061
	Shuffle       uint32 = 3062
	ShuffleResult uint32 = 3063
	HitTest       uint32 = 3064
	HitTestResult uint32 = 3065
	Measure       uint32 = 3066
	MeasureResult uint32 = 3067
	Door          uint32 = 3070
	FirstColumn   uint32 = 3100 // of the sheet: a heading; of a row: a cell
	LastColumn    uint32 = 3131
)
