package schema

import (
	"bytes"
	"fmt"
	"regexp"
	"unicode/utf8"

	"google.golang.org/protobuf/proto"

	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/proto/componentpb"
)

// Bounds of what components hold (C14), in characters unless something else is said. Titles and
// nicks have the bounds with which tables are made and seats are taken (docs/protocol/http.md).
const (
	MaxTitle   = 80
	MaxNick    = 40
	MaxPronoun = 20
	MaxWord    = 24 // of a ping
	MaxLine    = 40 // labels, names of rows, headings, cells
	MaxSheet   = 80 // the title of the score sheet
	MaxRemark  = 1000
	MaxLinks   = 10
	MaxWins    = 9999 // games
	MaxAddress = 500
	MaxStroke  = 1000 // table units
	MaxHits    = 100  // pieces in an answer
	// MaxDistance is the greatest distance of two places, in table units.
	MaxDistance = 2_828_427
)

// Fault says why data is not what its component holds (C12).
type Fault struct {
	Component uint32
	Name      string // as in the registry
	Field     string // of the message; empty for the whole of it
	Detail    string
}

func (f *Fault) Error() string {
	if f.Field == "" {
		return fmt.Sprintf("component %d (%s): %s", f.Component, f.Name, f.Detail)
	}
	return fmt.Sprintf("component %d (%s): %s: %s", f.Component, f.Name, f.Field, f.Detail)
}

// Check returns a *Fault if data is not what a component holds, or too large (C12, C14). A
// component that is not in the registry may hold anything: operations on it are refused, but not
// invalid.
func Check(component uint32, data []byte) error {
	s := byNumber(component)
	if s.schema.fault == nil {
		return nil
	}
	p := problem{detail: fmt.Sprintf("it has %d bytes, more than %d", len(data), s.Size)}
	if len(data) <= s.Size {
		p = s.schema.fault(data)
	}
	if p == (problem{}) {
		return nil
	}
	return &Fault{Component: component, Name: s.Name, Field: p.field, Detail: p.detail}
}

// Message is what the data of a component encodes.
type Message = proto.Message

// Encode returns a message as the data of a component. The same message always gives the same
// bytes. It panics for a text that is not UTF-8.
func Encode(m Message) []byte {
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil { // a text is not UTF-8: callers check texts first
		panic(fmt.Sprintf("component: encode %T: %v", m, err))
	}
	return data
}

// Decode returns the message in the data of a component. The data should have passed Check, and M
// should be the message of the component.
func Decode[M any, P interface {
	*M
	proto.Message
}](data []byte) (P, error) {
	m := P(new(M))
	if err := (proto.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(data, m); err != nil {
		return nil, fmt.Errorf("decode %T: %w", m, err)
	}
	return m, nil
}

// problem is what is wrong with a message; zero if nothing is.
type problem struct{ field, detail string }

// schema says what data must be.
type schema struct {
	message string // of schema.proto
	fault   func(data []byte) problem
}

func wrong(field, format string, args ...any) problem {
	return problem{field: field, detail: fmt.Sprintf(format, args...)}
}

// holds returns the schema of data that is a message M in which check finds nothing wrong.
//
// It accepts only one encoding of a message (C12). So all readers read the same: those that read
// numbers with more bits, those that take the first of two fields, and those that keep unknown
// fields. And equal values are equal data.
func holds[M any, P interface {
	*M
	proto.Message
}](check func(P) problem) schema {
	name := string(P(new(M)).ProtoReflect().Descriptor().Name())
	return schema{message: name, fault: func(data []byte) problem {
		m, err := Decode[M, P](data)
		switch {
		case err != nil:
			return wrong("", "it is not a valid %s", name)
		case !bytes.Equal(Encode(m), data):
			return wrong(
				"", "it has something that is unknown, twice, zero, out of order or longer than it need be",
			)
		}
		return check(m)
	}}
}

// line returns the schema of a text of one line, of least to most characters.
func line(least, most int) schema {
	return holds(func(m *componentpb.Text) problem {
		return checkLine("text", m.GetText(), least, most)
	})
}

func checkLine(field, text string, least, most int) problem {
	if err := game.CheckName(text, least, most); err != nil {
		return wrong(field, "%v", err)
	}
	return problem{}
}

func checkColour(colour uint32) problem {
	if colour > 0xffffff {
		return wrong("colour", "a colour has 24 bits")
	}
	return problem{}
}

// within checks that a whole number is from least to most.
func within[N int32 | uint32 | uint64](field string, n, least, most N) problem {
	if n < least || n > most {
		return wrong(field, "%d is not from %d to %d", n, least, most)
	}
	return problem{}
}

func checkPlace(x, y int32) problem {
	return first(
		within("x", x, -table.MaxCoordinate, table.MaxCoordinate),
		within("y", y, -table.MaxCoordinate, table.MaxCoordinate),
	)
}

// first returns the first problem, or no problem if there is none.
func first(all ...problem) problem {
	for _, p := range all {
		if p != (problem{}) {
			return p
		}
	}
	return problem{}
}

// Schemas of the components of the table, and of pings.
var (
	checkSurface = holds(func(m *componentpb.Surface) problem {
		switch {
		case (m.GetName() != "") == (m.Colour != nil):
			return wrong("name", "a surface is of a material or of a colour")
		case m.GetName() != "" && !game.IsSurface(m.GetName()):
			return wrong("name", "%q is not a surface", m.GetName())
		}
		return checkColour(m.GetColour())
	})
	checkSize = holds(func(m *componentpb.Size) problem {
		return first(
			within("width", m.GetWidth(), game.MinTable, game.MaxTable),
			within("height", m.GetHeight(), game.MinTable, game.MaxTable),
		)
	})
	checkGrid = holds(func(m *componentpb.Grid) problem {
		if _, known := componentpb.Grid_Form_name[int32(m.GetForm())]; !known {
			return wrong("form", "there is no form %d", m.GetForm())
		}
		if m.GetForm() == componentpb.Grid_FORM_NONE {
			if proto.Size(m) != 0 {
				return wrong("form", "no grid has nothing else")
			}
			return problem{}
		}
		return first(
			within("pitch", m.GetPitch(), game.MinSize, game.MaxSize),
			checkPlace(m.GetX(), m.GetY()),
		)
	})
	checkRecall = holds(func(*componentpb.Recall) problem { return problem{} })
	checkUndo   = holds(func(m *componentpb.Undo) problem {
		return within("consent", int32(m.GetConsent()), 0, int32(componentpb.Undo_CONSENT_OFF))
	})
	checkRecording = holds(func(*componentpb.Recording) problem { return problem{} })
	checkChat      = holds(func(m *componentpb.Chat) problem {
		if n := m.GetDays(); n != 0 && n != 1 && n != 30 {
			return wrong("days", "%d is not 0, 1 or 30", n)
		}
		return problem{}
	})
	checkAccess = holds(func(*componentpb.Access) problem { return problem{} })
	checkVoice  = holds(func(m *componentpb.Voice) problem {
		return checkAddress("address", m.GetAddress())
	})
	checkWins = holds(func(m *componentpb.Wins) problem {
		return within("games", int32(min(m.GetGames(), MaxWins+1)), 0, MaxWins)
	})
	checkLinks = holds(func(m *componentpb.Links) problem {
		if len(m.GetLinks()) > MaxLinks {
			return wrong("links", "%d are more than %d", len(m.GetLinks()), MaxLinks)
		}
		for i, l := range m.GetLinks() {
			if p := checkLine(
				fmt.Sprintf("links[%d].text", i), l.GetText(), 0, MaxLine,
			); p != (problem{}) {
				return p
			}
			if p := checkAddress(
				fmt.Sprintf("links[%d].address", i), l.GetAddress(),
			); p != (problem{}) {
				return p
			}
		}
		return problem{}
	})
	checkPing = holds(func(m *componentpb.Ping) problem {
		return first(
			checkSeat(m.GetSeat()),
			checkPlace(m.GetX(), m.GetY()),
			within("time", m.GetTime(), 0, 1<<53-1),
			checkLine("word", m.GetWord(), 0, MaxWord),
		)
	})
)

// checkAddress checks an address to which a link leads.
func checkAddress(field, text string) problem {
	if len(text) > MaxAddress || !address.MatchString(text) {
		return wrong(field, "it is not an https address of up to %d characters", MaxAddress)
	}
	return problem{}
}

// address matches what links may lead to (C14): https, a host without user or password, and after
// it only characters that need no encoding. Other addresses could run something, or show another
// name than the one they lead to.
var address = regexp.MustCompile(
	`^https://[0-9A-Za-z](?:[0-9A-Za-z.-]*[0-9A-Za-z])?(?::[0-9]{1,5})?` +
		`(?:[/?#][0-9A-Za-z!#$%&'()*+,./:;=?@_~\[\]-]*)?$`,
)

// Schemas of the components of seats and pieces.
var (
	checkProfile = holds(func(m *componentpb.Profile) problem {
		return first(
			checkLine("nick", m.GetNick(), 1, MaxNick),
			checkColour(m.GetColour()),
			checkLine("pronoun", m.GetPronoun(), 0, MaxPronoun),
		)
	})
	checkTint   = holds(func(m *componentpb.Tint) problem { return checkColour(m.GetColour()) })
	checkRemark = holds(func(m *componentpb.Text) problem {
		switch n := utf8.RuneCountInString(m.GetText()); {
		case n > MaxRemark:
			return wrong("text", "it has %d characters, more than %d", n, MaxRemark)
		case !table.Plain(m.GetText()):
			return wrong("text", "it has a control character")
		}
		return problem{}
	})
)

// The states of a door (O50).
const (
	DoorOpen        uint32 = 0
	DoorRefused     uint32 = 1 // the other table does not let people in by it
	DoorGone        uint32 = 2 // the other table was deleted
	DoorUnreachable uint32 = 3 // the other server does not answer
)

// Bounds of what a door says.
const (
	MaxDoorServer = 80  // characters
	MaxDoorSeal   = 640 // bytes
)

// checkDoor is the schema of doors (O49).
var checkDoor = holds(func(m *componentpb.Door) problem {
	if !doorSeal.MatchString(m.GetSeal()) || len(m.GetSeal()) > MaxDoorSeal {
		return wrong("seal", "it is not base64url of up to %d bytes", MaxDoorSeal)
	}
	return first(
		checkLine("title", m.GetTitle(), 1, MaxTitle),
		checkLine("server", m.GetServer(), 0, MaxDoorServer),
		within("state", m.GetState(), 0, DoorUnreachable),
	)
})

var doorSeal = regexp.MustCompile(`^[0-9A-Za-z_-]+$`)

// checkIdentity is the schema of Identity, which bridges of flat form use (C19).
var checkIdentity = holds(func(m *componentpb.Identity) problem {
	return checkName("piece", m.GetPiece())
})

// Schemas of what bridges add (C23). Nobody writes it, so these check the form alone.
var (
	checkAbout    = holds(func(*componentpb.About) problem { return problem{} })
	checkPerson   = holds(func(*componentpb.Person) problem { return problem{} })
	checkKind     = holds(func(*componentpb.Kind) problem { return problem{} })
	checkPlaceOf  = holds(func(*componentpb.Place) problem { return problem{} })
	checkFace     = holds(func(*componentpb.Face) problem { return problem{} })
	checkHolder   = holds(func(m *componentpb.Seat) problem { return checkSeat(m.GetSeat()) })
	checkContents = holds(func(*componentpb.Contents) problem { return problem{} })
	checkClock    = holds(func(*componentpb.Clock) problem { return problem{} })
)

// Schemas of the components of strokes.
var (
	checkStroke = holds(func(m *componentpb.Stroke) problem {
		return first(checkColour(m.GetColour()), within("width", m.GetWidth(), 1, MaxStroke))
	})
	checkPoints = holds(func(m *componentpb.Points) problem {
		if len(m.GetX()) == 0 || len(m.GetX()) != len(m.GetY()) {
			return wrong("", "its columns are empty or differ in length")
		}
		x, y := int64(0), int64(0)
		for i := range m.GetX() {
			x, y = x+int64(m.GetX()[i]), y+int64(m.GetY()[i])
			if max(x, -x, y, -y) > table.MaxCoordinate {
				return wrong("", "place %d lies beyond %d", i, table.MaxCoordinate)
			}
		}
		return problem{}
	})
	checkAuthor = holds(func(m *componentpb.Seat) problem { return checkSeat(m.GetSeat()) })
)

func checkSeat(n uint32) problem { return within("seat", n, 1, table.MaxSeats) }

// Schemas of questions and answers (C18).
var (
	checkRoll       = holds(func(*componentpb.Roll) problem { return problem{} })
	checkRollResult = holds(func(m *componentpb.RollResult) problem {
		return first(
			checkOf(m.GetOf()),
			within("face", m.GetFace(), 0, game.MaxFaces-1),
			either("face", m.Face != nil, m.GetReason()),
		)
	})
	checkShuffle       = holds(func(*componentpb.Shuffle) problem { return problem{} })
	checkShuffleResult = holds(func(m *componentpb.ShuffleResult) problem {
		return first(checkOf(m.GetOf()), checkReason(m.GetReason()))
	})
	checkHitTest = holds(func(m *componentpb.HitTest) problem {
		return checkPlace(m.GetX(), m.GetY())
	})
	checkHitTestResult = holds(func(m *componentpb.HitTestResult) problem {
		if len(m.GetPieces()) > MaxHits {
			return wrong("pieces", "%d are more than %d", len(m.GetPieces()), MaxHits)
		}
		for i, name := range m.GetPieces() {
			if p := checkName(fmt.Sprintf("pieces[%d]", i), name); p != (problem{}) {
				return p
			}
		}
		return checkOf(m.GetOf())
	})
	checkMeasure = holds(func(m *componentpb.Measure) problem {
		return first(checkSpot("from", m.GetFrom()), checkSpot("to", m.GetTo()))
	})
	checkMeasureResult = holds(func(m *componentpb.MeasureResult) problem {
		return first(
			checkOf(m.GetOf()),
			within("distance", m.GetDistance(), 0, MaxDistance),
			either("distance", m.Distance != nil, m.GetReason()),
		)
	})
)

// checkOf checks the timestamp of a question.
func checkOf(timestamp uint32) problem { return within("of", timestamp, 1, 1<<32-1) }

// checkReason checks the number of a reason (T14), or 0 for no reason.
func checkReason(n uint32) problem { return within("reason", n, 0, uint32(table.MaxReason)) }

// either checks that an answer has a result or the reason why there is none, and not both.
func either(field string, has bool, reason uint32) problem {
	if has == (reason != 0) {
		return wrong(field, "there is either this or a reason")
	}
	return checkReason(reason)
}

func checkName(field string, name uint32) problem {
	return within(field, name, 1, uint32(table.MaxRandomName))
}

// checkSpot checks a place, or the identifier of a piece.
func checkSpot(field string, s *componentpb.Spot) problem {
	var p problem
	switch {
	case s == nil:
		return wrong(field, "it is missing")
	case s.GetPiece() == 0:
		p = checkPlace(s.GetX(), s.GetY())
	case s.GetX() != 0 || s.GetY() != 0:
		p = wrong("piece", "a piece has no place beside it")
	default:
		p = checkName("piece", s.GetPiece())
	}
	if p != (problem{}) {
		p.field = field + "." + p.field
	}
	return p
}
