package wire

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"holt/server/id"
	"holt/server/play/fairness"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
)

var updateVectors = flag.Bool("update", false, "write docs/protocol/vectors/frames.json")

// frameVectors are messages of the stream, as bytes and as what a client makes of them. The page's
// reader (static/js/net/wire.js) is tested with them, too.
type frameVectors struct {
	Frames    []frameVector     `json:"frames"`
	Malformed []malformedVector `json:"malformed"`
	Ups       []upVector        `json:"ups"`
}

type frameVector struct {
	Name string         `json:"name"`
	Hex  string         `json:"hex"`
	Want map[string]any `json:"want"`
}

type malformedVector struct {
	Name string `json:"name"`
	Hex  string `json:"hex"`
}

type upVector struct {
	Up  map[string]any `json:"up"`
	Hex string         `json:"hex"`
}

// TestFrameVectors shows that the vectors are what the generated types encode and decode (S3, S9).
func TestFrameVectors(t *testing.T) {
	path := filepath.Join("..", "..", "..", "docs", "protocol", "vectors", "frames.json")
	got, err := json.MarshalIndent(computedVectors(t), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	if *updateVectors {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error(
			"S3 the vectors have changed; if they should, run go test -update")
	}
}

func computedVectors(t *testing.T) frameVectors {
	var v frameVectors
	add := func(name string, b []byte) {
		f, err := DecodeFrame(b)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		v.Frames = append(v.Frames, frameVector{
			Name: name, Hex: hex.EncodeToString(b), Want: frameJSON(f),
		})
	}
	for _, c := range frameCases() {
		b, err := proto.MarshalOptions{Deterministic: true}.Marshal(c.frame)
		if err != nil {
			t.Fatal(err)
		}
		add(c.name, b)
	}
	for _, c := range oddEncodings() {
		add(c.name, unhex(t, c.hex))
	}
	for _, c := range malformedEncodings() {
		b := unhex(t, c.hex)
		// Clients alone refuse a number that JavaScript cannot hold.
		if f, err := DecodeFrame(b); err == nil && f.GetMark() <= uint64(id.VersionMax) {
			t.Errorf("%s: decodes to %v", c.name, f)
		}
		v.Malformed = append(v.Malformed, malformedVector{Name: c.name, Hex: hex.EncodeToString(b)})
	}
	for _, c := range upCases() {
		b, err := EncodeUp(c.up)
		if err != nil {
			t.Fatal(err)
		}
		v.Ups = append(v.Ups, upVector{Up: c.page, Hex: hex.EncodeToString(b)})
	}
	return v
}

type upCase struct {
	page map[string]any
	up   *holtpb.Up
}

// upCases are messages from a client, as the page has them and as the types do.
func upCases() []upCase {
	const at = 1780000000123
	return []upCase{
		{map[string]any{"type": "resync"}, ResyncUp()},
		{map[string]any{"type": "ping", "nonce": 1<<53 - 1}, &holtpb.Up{
			Up: &holtpb.Up_Ping{Ping: &holtpb.Ping{Nonce: 1<<53 - 1}},
		}},
		{map[string]any{"type": "ping", "nonce": 0}, &holtpb.Up{
			Up: &holtpb.Up_Ping{Ping: &holtpb.Ping{}},
		}},
		{
			map[string]any{
				"type": "motion", "at": at, "pieces": []uint32{12, 300},
				"x": []int32{-1_000_000, 64}, "y": []int32{0, 1_000_000},
			},
			&holtpb.Up{Up: &holtpb.Up_Motion{Motion: &holtpb.Motion{
				At: at, Pieces: []uint32{12, 300}, X: []int32{-1_000_000, 64},
				Y: []int32{0, 1_000_000},
			}}},
		},
		{map[string]any{"type": "cursor", "at": at, "x": -3, "y": 4}, &holtpb.Up{
			Up: &holtpb.Up_Cursor{Cursor: &holtpb.Cursor{At: at, X: -3, Y: 4}},
		}},
		{map[string]any{"type": "cursor", "at": 0, "x": 0, "y": 0}, &holtpb.Up{
			Up: &holtpb.Up_Cursor{Cursor: &holtpb.Cursor{}},
		}},
		{
			map[string]any{
				"type": "commit", "round": 2, "mix": 1, "hash": hex.EncodeToString(digest(3)),
			},
			&holtpb.Up{
				Up: &holtpb.Up_Commit{Commit: &holtpb.Commit{Round: 2, Mix: 1, Hash: digest(3)}},
			},
		},
		{
			map[string]any{
				"type": "reveal", "round": 2, "mix": 1, "entropy": hex.EncodeToString(digest(5)),
			},
			&holtpb.Up{
				Up: &holtpb.Up_Reveal{Reveal: &holtpb.Reveal{Round: 2, Mix: 1, Entropy: digest(5)}},
			},
		},
		{map[string]any{"type": "away", "away": true}, &holtpb.Up{
			Up: &holtpb.Up_Away{Away: &holtpb.Away{Away: true}},
		}},
		{map[string]any{"type": "away", "away": false}, &holtpb.Up{
			Up: &holtpb.Up_Away{Away: &holtpb.Away{}},
		}},
	}
}

type frameCase struct {
	name  string
	frame *holtpb.Frame
}

func frameCases() []frameCase {
	event := func(e ...*holtpb.Event) *holtpb.Frame {
		return &holtpb.Frame{Time: 1, Mark: 2, Events: e}
	}
	update := func(u *holtpb.Update) *holtpb.Frame {
		return event(&holtpb.Event{Event: &holtpb.Event_Update{Update: u}})
	}
	ack := func(a *holtpb.Ack) *holtpb.Frame {
		return event(&holtpb.Event{Event: &holtpb.Event_Ack{Ack: a}})
	}
	return []frameCase{
		{"an empty frame", &holtpb.Frame{}},
		{"lines of a chat", event(
			&holtpb.Event{Event: &holtpb.Event_Said{Said: &holtpb.Said{
				Line: table.MaxLine, By: 2, At: 1_764_288_000_000, Text: "zwölf \U0001f9a6", To: 3,
			}}},
			&holtpb.Event{Event: &holtpb.Event_Said{Said: &holtpb.Said{Line: table.MinLine, By: 1}}},
			&holtpb.Event{Event: &holtpb.Event_Unsaid{Unsaid: &holtpb.Unsaid{
				Line: table.MaxLine, By: 1,
			}}},
		)},
		{"the greatest numbers", &holtpb.Frame{
			Time: 1<<53 - 1, Mark: uint64(id.VersionMax),
			Events: []*holtpb.Event{
				{Event: &holtpb.Event_Update{Update: &holtpb.Update{By: 1<<32 - 1, Piece: &holtpb.Piece{
					Id: 1<<32 - 1, Mark: uint64(id.VersionMax), X: proto.Int32(1<<31 - 1),
					Y:    proto.Int32(-1 << 31),
					Kind: proto.Uint32(1<<32 - 1), ZMark: proto.Uint64(uint64(id.VersionMax)),
				}}}},
			},
		}},
		{"a full state", event(&holtpb.Event{Event: &holtpb.Event_Full{Full: fullCase()}})},
		{"an empty full state", event(&holtpb.Event{
			Event: &holtpb.Event_Full{Full: &holtpb.Full{}},
		})},
		{"an update of some fields", update(&holtpb.Update{
			Piece: &holtpb.Piece{
				Id: 12, Mark: 88064, X: proto.Int32(-1250), Holder: proto.Uint32(2),
			},
			By: 2, Op: holtpb.Op_OP_GRAB,
		})},
		{"an update to zero, empty and false", update(&holtpb.Update{
			Piece: &holtpb.Piece{
				Id: 12, Mark: 88065, Kind: proto.Uint32(0), X: proto.Int32(0), Y: proto.Int32(0),
				Angle: proto.Uint32(0), Face: proto.Uint32(0),
				Z: proto.String(""), ZMark: proto.Uint64(0), Pinned: proto.Bool(false),
				Locked: proto.Bool(false),
				Holder: proto.Uint32(0), Owner: proto.Uint32(0), Gone: proto.Bool(false),
			}, Op: holtpb.Op_OP_RELEASE,
		})},
		{"a deletion", update(&holtpb.Update{
			Piece: &holtpb.Piece{Id: 12, Mark: 9, Gone: proto.Bool(true)}, By: 1,
			Op: holtpb.Op_OP_DELETE,
		})},
		{"the server's own update", update(&holtpb.Update{
			Piece: &holtpb.Piece{Id: 3, Mark: 9, Z: proto.String("0.25")},
			Op:    holtpb.Op_OP_RESPREAD,
		})},
		{"an ack", ack(&holtpb.Ack{
			Seq: 17, Piece: &holtpb.Piece{Id: 12, Mark: 88066, ZMark: proto.Uint64(88066)},
		})},
		{"an ack of an addition", ack(&holtpb.Ack{Seq: 18, Made: 70, Piece: &holtpb.Piece{
			Id: 70, Mark: 88067, Kind: proto.Uint32(7), Z: proto.String("0.5"),
		}})},
		{"an ack without a piece", ack(&holtpb.Ack{Seq: 19})},
		{"a reject", event(&holtpb.Event{Event: &holtpb.Event_Reject{Reject: &holtpb.Reject{
			Seq: 20, Reason: holtpb.Reason_REASON_STALE_LOOSE, By: 3,
			Piece: &holtpb.Piece{Id: 12, Mark: 99, Y: proto.Int32(-1), Pinned: proto.Bool(true)},
		}}})},
		{"a reject of no piece", event(&holtpb.Event{Event: &holtpb.Event_Reject{
			Reject: &holtpb.Reject{Seq: 21, Reason: holtpb.Reason_REASON_TABLE_FULL},
		}})},
		{"a seat, the table and a farewell", event(
			&holtpb.Event{Event: &holtpb.Event_Seat{Seat: &holtpb.Seat{
				Id: 2, Nick: "Zoë 𝄞", Colour: 0xd1495b, Role: holtpb.Role_ROLE_PLAYER,
				Presence: holtpb.Presence_PRESENCE_HERE,
			}}},
			&holtpb.Event{Event: &holtpb.Event_Table{
				Table: &holtpb.TableInfo{Title: "Чеш", Width: 12000, Height: 9000, Surface: "felt"},
			}},
			&holtpb.Event{
				Event: &holtpb.Event_Going{Going: &holtpb.Going{AfterMs: 2500, Final: true, By: 3}},
			},
		)},
		{"the log is full, and a reject for that", event(
			&holtpb.Event{Event: &holtpb.Event_Space{
				Space: &holtpb.Space{Level: holtpb.SpaceLevel_SPACE_LEVEL_FULL},
			}},
			&holtpb.Event{Event: &holtpb.Event_Reject{
				Reject: &holtpb.Reject{Seq: 22, Reason: holtpb.Reason_REASON_LOG_FULL},
			}},
			&holtpb.Event{Event: &holtpb.Event_Reject{
				Reject: &holtpb.Reject{Seq: 23, Reason: holtpb.Reason_REASON_TOO_MUCH},
			}},
		)},
		{"somebody has dropped the history", event(&holtpb.Event{
			Event: &holtpb.Event_Space{Space: &holtpb.Space{Dropped: 2}},
		})},
		{"a shuffle after its updates", event(
			&holtpb.Event{Event: &holtpb.Event_Update{Update: &holtpb.Update{
				Piece: &holtpb.Piece{
					Id: 12, Mark: 88320, Kind: proto.Uint32(54), Face: proto.Uint32(0),
				},
				By: 2, Op: holtpb.Op_OP_SHUFFLE,
			}}},
			&holtpb.Event{Event: &holtpb.Event_Shuffled{
				Shuffled: &holtpb.Shuffled{By: 2, Pieces: []uint32{12, 300, 70000, 1<<32 - 1}},
			}},
		)},
		{"a shuffle of nothing", event(&holtpb.Event{
			Event: &holtpb.Event_Shuffled{Shuffled: &holtpb.Shuffled{}},
		})},
		{"a clock that runs", update(&holtpb.Update{
			Piece: &holtpb.Piece{Id: 40, Mark: 88576, Clock: &holtpb.Clock{
				Running: 2, Since: 1780000000123, Left1: 299000, Left2: 300000, Initial: 300000,
				Increment: 2000,
			}},
			By: 1, Op: holtpb.Op_OP_PRESS,
		})},
		{"a card goes into one's own hand", event(
			&holtpb.Event{Event: &holtpb.Event_Update{Update: &holtpb.Update{
				Piece: &holtpb.Piece{
					Id: 12, Mark: 88832, Kind: proto.Uint32(9), Owner: proto.Uint32(2),
					Team: &holtpb.Team{Seats: []uint32{3, 1024}}, Renamed: proto.Uint32(1<<21 - 1),
				},
				By: 3, Op: holtpb.Op_OP_RELEASE,
			}}},
			&holtpb.Event{Event: &holtpb.Event_Holds{
				Holds: &holtpb.Holds{Piece: 2, Kinds: []uint32{0, 61}, Counts: []uint32{1, 10000}},
			}},
		)},
		{"an ack of a card put into one's own hand", ack(&holtpb.Ack{Seq: 22, Piece: &holtpb.Piece{
			Id: 12, Mark: 88833, Owner: proto.Uint32(2), Team: &holtpb.Team{},
			Renamed: proto.Uint32(16384),
		}})},
		{"a hand is empty", event(&holtpb.Event{
			Event: &holtpb.Event_Holds{Holds: &holtpb.Holds{Piece: 2}},
		})},
		{"a value and a text", event(
			&holtpb.Event{Event: &holtpb.Event_Update{Update: &holtpb.Update{
				Piece: &holtpb.Piece{Id: 50, Mark: 88834, Value: proto.Int32(-1 << 30)}, By: 1,
				Op: holtpb.Op_OP_COUNT,
			}}},
			&holtpb.Event{Event: &holtpb.Event_Update{Update: &holtpb.Update{
				Piece: &holtpb.Piece{Id: 51, Mark: 88835, Text: proto.String("Zoë\nleads")}, By: 1,
				Op: holtpb.Op_OP_WRITE,
			}}},
			&holtpb.Event{Event: &holtpb.Event_Update{Update: &holtpb.Update{Piece: &holtpb.Piece{
				Id: 51, Mark: 88836, Text: proto.String(""), Value: proto.Int32(0),
			}, By: 1, Op: holtpb.Op_OP_WRITE}}},
		)},
		{"a peek and a show", event(
			&holtpb.Event{Event: &holtpb.Event_Notice{
				Notice: &holtpb.Notice{By: 1, Op: holtpb.Op_OP_PEEK, Piece: 3, Count: 500},
			}},
			&holtpb.Event{Event: &holtpb.Event_Faces{Faces: &holtpb.Faces{
				By: 1, Op: holtpb.Op_OP_PEEK, Piece: 3, Kinds: []uint32{0, 51},
			}}},
			&holtpb.Event{Event: &holtpb.Event_Notice{
				Notice: &holtpb.Notice{By: 1, Op: holtpb.Op_OP_SHOW, Seat: 2, Count: 1},
			}},
			&holtpb.Event{Event: &holtpb.Event_Faces{
				Faces: &holtpb.Faces{By: 1, Op: holtpb.Op_OP_SHOW, Kinds: []uint32{7}, Face: 1},
			}},
		)},
		// Clauses: F6.6, F6.7
		{"the events of a round", event(eachFair()...)},
		{"questions about undos: open, with ghosts, and refused", event(eachQuestion()...)},
		{"rounds in which several choose: open, shown and cancelled", event(eachRound()...)},
		{"motion of two pieces and a cursor", event(
			&holtpb.Event{Event: &holtpb.Event_Motions{Motions: &holtpb.Paths{
				Lag: 18, Span: 50, Ids: []uint32{12, 300}, X: []int32{-1250, 1 << 20},
				Y: []int32{0, -5}, Dx: []int32{40, -1 << 21}, Dy: []int32{-3, 0},
			}}},
			&holtpb.Event{Event: &holtpb.Event_Cursors{Cursors: &holtpb.Paths{
				Span: 1, Ids: []uint32{2}, X: []int32{7}, Y: []int32{8}, Dx: []int32{0},
				Dy: []int32{0},
			}}},
		)},
		{"motion of nothing", event(&holtpb.Event{
			Event: &holtpb.Event_Motions{Motions: &holtpb.Paths{}},
		})},
		{"a pong", &holtpb.Frame{Time: 1780000000123, Events: []*holtpb.Event{
			{Event: &holtpb.Event_Pong{Pong: &holtpb.Pong{Nonce: 1<<53 - 1}}},
		}}},
		{"a stream that goes on", event(&holtpb.Event{Event: &holtpb.Event_Resumed{
			Resumed: &holtpb.Resumed{Seats: []*holtpb.Seat{
				{
					Id: 1, Nick: "Ada", Colour: 0xd1495b, Role: holtpb.Role_ROLE_HOST,
					Presence: holtpb.Presence_PRESENCE_AWAY,
				},
				{
					Id: 2, Nick: "Bob", Role: holtpb.Role_ROLE_PLAYER,
					Presence: holtpb.Presence_PRESENCE_LOST,
				},
			}},
		}})},
		{"a full state with components", event(&holtpb.Event{Event: &holtpb.Event_Full{Full: &holtpb.Full{
			Epoch: 1, You: 1, Table: &holtpb.TableInfo{},
			Components: unhexed("0a0d080118b817200129030a0141"),
		}}})},
		{"components, and a refused one", event(
			&holtpb.Event{Event: &holtpb.Event_Components{Components: unhexed("0a07080310e0d403")}},
			&holtpb.Event{Event: &holtpb.Event_Refused{Refused: &holtpb.Refused{
				Entity: 1<<53 - 1, Component: 3041, Timestamp: 1<<32 - 1,
				Reason: holtpb.Refusal_REFUSAL_FULL,
			}}},
			&holtpb.Event{Event: &holtpb.Event_Refused{Refused: &holtpb.Refused{}}},
			&holtpb.Event{Event: &holtpb.Event_Components{}},
		)},
		{"a piece of a set, and one that left its set", update(&holtpb.Update{
			Piece: &holtpb.Piece{Id: 7, Mark: 2, Set: proto.Uint32(300)}, By: 2,
			Op: holtpb.Op_OP_PLACE,
		})},
		{"sets that have come, are unreachable, and have gone", event(
			SetEvent(&table.SetInfo{Number: 1, Seat: 2}),
			SetEvent(&table.SetInfo{
				Number: 300, Seat: 2, Away: table.AwayFrozen, Until: 1780000000123,
			}),
			SetEvent(&table.SetInfo{Number: 1, Seat: 2, Stage: table.StageReturn}),
			&holtpb.Event{Event: &holtpb.Event_Set{Set: &holtpb.GuestSet{Id: 3, Away: 77}}},
		)},
		{"a full state with sets", event(&holtpb.Event{Event: &holtpb.Event_Full{Full: &holtpb.Full{
			Epoch: 1, You: 1, Table: &holtpb.TableInfo{},
			Sets: GuestSets([]table.SetInfo{
				{Number: 4, Seat: 1, Away: table.AwayOwner}, {Number: 5, Stage: table.StageReturn},
			}),
		}}})},
		{"a resume, with sets and a catalogue", event(
			ResumedEvent([]*holtpb.Seat{{Id: 1}}, []*holtpb.GuestSet{{Id: 2, By: 1}}, digest(9)))},
		{"every reason", event(eachReason()...)},
		{"every operation", event(eachOp()...)},
		{"a future operation", update(&holtpb.Update{
			Piece: &holtpb.Piece{Id: 1, Mark: 1}, Op: 4000,
		})},
		{"hourglass turned over", update(&holtpb.Update{
			Piece: &holtpb.Piece{Id: 52, Mark: 88837, Clock: &holtpb.Clock{
				Running: 1, Since: 1780000000123, Left1: 120000, Left2: 180000, Initial: 300000,
			}},
			By: 2, Op: holtpb.Op_OP_TURN,
		})},
		{"hourglass turned over by its player", ack(&holtpb.Ack{Seq: 24, Piece: &holtpb.Piece{
			Id: 52, Mark: 88838, Clock: &holtpb.Clock{
				Running: 2, Since: 1780000000124, Left1: 119999, Left2: 180001, Initial: 300000,
			},
		}})},
		{"K16.2 a die is rolled, and a stopwatch was started", event(
			&holtpb.Event{Event: &holtpb.Event_Update{Update: &holtpb.Update{
				Piece: &holtpb.Piece{
					Id: 53, Mark: 88839, Face: proto.Uint32(5), Curves: &holtpb.Curves{
						From: 1780000000123, Curves: []*holtpb.Curve{{
							Property: holtpb.Property_PROPERTY_COOLDOWN, Start: 1200, Rate: -1, Max: 1200,
						}},
					},
				},
				By: 2, Op: holtpb.Op_OP_ROLL,
			}}},
			&holtpb.Event{Event: &holtpb.Event_Update{Update: &holtpb.Update{
				Piece: &holtpb.Piece{
					Id: 54, Mark: 88840, Curves: &holtpb.Curves{
						From: 1780000000124, Curves: []*holtpb.Curve{
							{Property: holtpb.Property_PROPERTY_SIDE1, Start: 0, Rate: 1, Max: 1 << 30},
							{Property: holtpb.Property_PROPERTY_TURN, Start: 1},
						},
					},
				},
				By: 2, Op: holtpb.Op_OP_START,
			}}},
		)},
		{"K16.3 nothing changes by itself any more", update(&holtpb.Update{
			Piece: &holtpb.Piece{Id: 53, Mark: 88841, Curves: &holtpb.Curves{}},
			By:    2, Op: holtpb.Op_OP_MOVE,
		})},
		{"pivot of a piece", update(&holtpb.Update{
			Piece: &holtpb.Piece{
				Id: 7, Mark: 131072, X: proto.Int32(-300), Y: proto.Int32(400),
				Angle: proto.Uint32(34500),
			}, By: 2, Op: holtpb.Op_OP_PIVOT,
		})},
		{"pivot into a hand, acknowledged with the angle of the hand", event(AckEvent(
			&table.Entry{Seq: 300}, &holtpb.Piece{
				Id: 7, Mark: 196608, Angle: proto.Uint32(9000), Owner: proto.Uint32(1),
			}))},
		{"an answer to updates", event(AnswerEvent(1<<53-1, 202, 0, ""))},
		{"an answer that refuses updates", event(AnswerEvent(
			7, 503, 2, `{"type":"/problems/busy","status":503,"code":"busy"}`,
		))},
	}
}

func fullCase() *holtpb.Full {
	return &holtpb.Full{
		Epoch: 5839201347112, You: 2,
		Table: &holtpb.TableInfo{
			Title: "Chess", Width: 12000, Height: 9000, Surface: "wood",
			Catalog: bytes.Repeat([]byte{0x00, 0x0f, 0xf0, 0xff}, 8),
		},
		Seats: []*holtpb.Seat{
			{
				Id: 1, Nick: "Ada", Colour: 0xd1495b, Role: holtpb.Role_ROLE_HOST,
				Presence: holtpb.Presence_PRESENCE_HERE,
			},
			{Id: 2, Role: holtpb.Role_ROLE_SPECTATOR}, {},
		},
		Pieces: []*holtpb.Piece{
			{Id: 1, Mark: 256, Z: proto.String("0.25"), ZMark: proto.Uint64(256)},
			{
				Id: 2, Mark: 512, Kind: proto.Uint32(3), X: proto.Int32(-3000), Y: proto.Int32(64),
				Angle: proto.Uint32(35999), Face: proto.Uint32(1),
				Z: proto.String("0." + strings.Repeat("3", 1024)), ZMark: proto.Uint64(300),
				Pinned: proto.Bool(true), Locked: proto.Bool(true),
				Holder: proto.Uint32(1), Owner: proto.Uint32(2), Value: proto.Int32(5),
				Text: proto.String("a"), Team: &holtpb.Team{Seats: []uint32{4}},
			},
		},
		Randomness: &holtpb.Randomness{
			Round: 3, Commitment: digest(1), Mix: 2, Revealing: true, Closing: digest(2),
			Pool: digest(3), Shares: []*holtpb.FairShare{
				{Seat: 1, Hash: digest(4), Entropy: digest(5)}, {Seat: 300, Hash: digest(6)},
			},
		},
		Holds: []*holtpb.Holds{
			{Piece: 1, Kinds: []uint32{5}, Counts: []uint32{52}},
			{Piece: 2, Kinds: []uint32{0}, Counts: []uint32{3}},
		},
	}
}

func unhexed(s string) []byte {
	b, _ := hex.DecodeString(s) // all of them are valid, as they are written in this file
	return b
}

func digest(n byte) []byte { return bytes.Repeat([]byte{n, 0xf0}, digestSize/2) }

// eachQuestion returns the event Question (T63) while it is open, with each sort of ghost, and when
// it has ended.
func eachQuestion() []*holtpb.Event {
	asked := []uint32{2, 300}
	return []*holtpb.Event{
		QuestionEvent(&holtpb.Question{
			Id: 1<<32 - 1, By: 1, Op: holtpb.Op_OP_DRAW, Pieces: []uint32{7, 1 << 20},
			Ends: 1780000000123, Asked: asked, Agreed: asked[:1],
			Ghosts: Ghosts([]table.Ghost{
				{X: -200, Y: 1_000_000, Angle: 35_999, Kind: 3},
				{Into: 12},
				{Piece: 7, X: 100, Angle: 9000},
				{Piece: 8, Goes: true},
				{Piece: 1 << 20, Into: 12},
			}),
		}),
		QuestionEvent(&holtpb.Question{
			Id: 1<<32 - 1, By: 1, Op: holtpb.Op_OP_DRAW, Asked: asked,
			State: holtpb.QuestionState_QUESTION_STATE_REFUSED, RefusedBy: 300,
		}),
	}
}

// eachRound returns the event Round (T76) in each state: while it is open as who has chosen gets it
// and as the others do, then with the choices of all, and cancelled.
func eachRound() (all []*holtpb.Event) {
	const title = "Wer beginnt? \U0001f3b2"
	asked := []uint32{1, 2, 300}
	own := &holtpb.Choice{Seat: 300, Pieces: []uint32{12, 1 << 20}, Text: "zwölf"}
	for _, r := range []*holtpb.Round{
		{Id: 1, By: 2, Title: title, Asked: asked, Ready: []uint32{2, 300}, Own: own},
		{Id: 1, By: 2, Title: title, Asked: asked, Ready: []uint32{2, 300}},
		{
			Id: 1, By: 2, Title: title, Asked: asked, Ready: asked,
			State: holtpb.RoundState_ROUND_STATE_SHOWN,
			Shown: []*holtpb.Choice{{Seat: 1, Text: "eins"}, {Seat: 2, Pieces: []uint32{7}}, own},
		},
		{Id: 1<<32 - 1, By: 1, State: holtpb.RoundState_ROUND_STATE_CANCELLED},
	} {
		all = append(all, &holtpb.Event{Event: &holtpb.Event_Round{Round: r}})
	}
	return all
}

func eachFair() []*holtpb.Event {
	var all []*holtpb.Event
	for _, f := range []fairness.Fact{
		fairness.Opened{
			Round: 2, Epoch: 5, Commitment: fairness.Digest(digest(1)),
			Before: fairness.Digest(digest(2)),
		},
		fairness.Committed{
			Round: 2, Mix: 1, Seat: 3, Client: id.Client{1}, Hash: fairness.Digest(digest(3)),
		},
		fairness.Closed{Round: 2, Mix: 1, Closing: fairness.Digest(digest(4))},
		fairness.Revealed{Round: 2, Mix: 1, Share: 1, Entropy: fairness.Entropy(digest(5))},
		fairness.Mixed{
			Round: 2, Mix: 1, Withheld: []fairness.Share{2, 64}, Pool: fairness.Digest(digest(6)),
		},
		fairness.Drawn{Round: 2, Record: fairness.Record{
			Audience: 3, Number: 300, Mix: 1, Kind: fairness.Roll, Inputs: []uint32{6},
			Outputs: []uint32{5},
		}, Seal: fairness.Digest(digest(7))},
		fairness.Published{Round: 1, Seed: fairness.Seed(digest(8))},
	} {
		all = append(all, FairEvent(f))
	}
	return all
}

func eachReason() []*holtpb.Event {
	var all []*holtpb.Event
	for _, r := range sortedKeys(holtpb.Reason_name) {
		all = append(all, &holtpb.Event{
			Event: &holtpb.Event_Reject{Reject: &holtpb.Reject{Reason: holtpb.Reason(r)}},
		})
	}
	return all
}

// eachOp returns an update for each operation up to place. Later ones have cases of their own, as
// cases do not change.
func eachOp() []*holtpb.Event {
	var all []*holtpb.Event
	for _, op := range sortedKeys(holtpb.Op_name) {
		if holtpb.Op(op) > holtpb.Op_OP_PLACE {
			break
		}
		all = append(all, &holtpb.Event{
			Event: &holtpb.Event_Update{Update: &holtpb.Update{Op: holtpb.Op(op)}},
		})
	}
	return all
}

func sortedKeys(names map[int32]string) []int32 {
	var keys []int32
	for k := range names {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

type hexCase struct{ name, hex string }

// oddEncodings are unusual and valid: a reader accepts them as the generated types do.
func oddEncodings() []hexCase {
	return []hexCase{
		{
			"unknown fields of all wire types",
			"7801 7900000000000000ff 7a03616263 7b0801 7c 7d000000ff 1007",
		},
		{"an unknown varint of 64 bits", "78ffffffffffffffffff01 1007"},
		{"groups in an unknown group", "7b 7b 7a0178 7c 8301 8401 7c 1007"},
		{"an unknown event", "1a04 a2060161 1a02 3a00"},
		{"an empty event", "1a00"},
		{"a number of too many bytes", "10 8780808000"},
		{"a field twice: the last counts", "1007 1008"},
		{"a message twice: put together", "1a10 12060a0408051009 12060a0420 041803"},
		{"two events in one: the last counts", "1a0a 1a020805 22040806 1002"},
		{"a known field of another wire type", "15 00000000 0a0100 1007"},
		{"a bool of 2", "1a04 3a02 1002"},
		{"a list of numbers, a field for each", "1a0d 420b 0802 1001 10ac02 10f0a204"},
		{
			"a list of numbers, packed, single and packed empty",
			"1a11 420f 0802 120101 10ac02 1203f0a204 1200",
		},
	}
}

func malformedEncodings() []hexCase {
	return []hexCase{
		{"cut in a tag", "10 07 80"},
		{"cut in a varint", "10 87"},
		{"cut before a value", "10"},
		{"cut in a message", "1a0a 3a02"},
		{"cut in a fixed64", "79 00000000"},
		{"cut in a fixed32", "7d 0000"},
		{"cut in a group", "7b 0801"},
		{"field number 0", "00 01"},
		{"field number 0 in a group", "7b 0001 7c"},
		{"wire type 6", "7e 00"},
		{"wire type 7", "7f 00"},
		{"the end of a group that did not begin", "7c"},
		{"the end of another group", "7b 8401"},
		{"a varint of 11 bytes", "10 8080808080808080808000"},
		{"a varint of 65 bits", "10 ffffffffffffffffff02"},
		{"a length beyond everything", "1a ffffffffffffffff7f"},
		{"a message longer than the one around it", "1a04 1206 0a00"},
		{"a text that is not UTF-8", "1a06 2a04 1202 c328"},
		{"a version of 2^53", "10 8080808080808010"},
		{"cut in a number of a packed list", "1a05 4203 120180"},
		{"a packed list longer than its message", "1a04 4202 1203"},
	}
}

func unhex(t testing.TB, s string) []byte {
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}
