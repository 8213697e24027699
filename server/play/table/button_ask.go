package table

import (
	"slices"

	"holt/server/id"
)

// Buttons that ask whoever presses them (T95). The press brings the answers, so nothing waits for
// them.

// MaxQuestions is the most questions of a button.
const MaxQuestions = 4

// AnswerForm says what the answer to a question is.
type AnswerForm uint8

// What answers are.
const (
	AnswerNumber AnswerForm = iota // from Low to High; of a choice, its place from 0
	AnswerSeat                     // a seat that plays
	AnswerPiece                    // a piece of the kind that lies open
)

// Question is what a button asks.
type Question struct {
	For       AnswerForm
	Low, High int32  // of AnswerNumber
	Known     bool   // of AnswerPiece: the table has the kind
	Kind      uint32 // of AnswerPiece
}

// Uses says which answers a step uses: the numbers of their questions, from 1; 0 where it uses
// none.
type Uses struct {
	N     uint8 // for Step.N
	Piece uint8 // for Step.Only
	Onto  uint8 // for Step.Onto
	Seat  uint8 // for Step.Seat
	Of    uint8 // for Condition.Answer
}

// answered returns the steps of a button with the answers of a view. It reports false unless each
// of its questions has an answer that it permits.
func (t *Table) answered(
	k *ButtonKind, answers []int32, view id.Seat,
) (steps []Step, permitted bool) {
	if len(answers) != len(k.Asks) {
		return nil, false
	}
	if len(answers) == 0 {
		return k.Steps, true
	}
	answers = slices.Clone(answers)
	for i := range k.Asks {
		if answers[i], permitted = t.permits(&k.Asks[i], answers[i], view); !permitted {
			return nil, false
		}
	}
	return withAnswers(k.Steps, answers), true
}

// permits reports whether a question permits the answer of a view, which it returns with the
// present name of a piece. That depends only on what everybody sees.
func (t *Table) permits(q *Question, answer int32, view id.Seat) (as int32, permitted bool) {
	switch q.For {
	case AnswerSeat:
		return answer, answer > 0 && t.plays(id.Seat(answer))
	case AnswerPiece:
		p := t.find(id.Piece(max(answer, 0)), view)
		if p == nil || !q.Known || p.state.Kind != q.Kind || !t.open(&p.state) || !p.state.Set.IsZero() {
			return 0, false
		}
		return int32(p.name), true //nolint:gosec // at most maxPieceName
	default:
		return answer, q.Low <= answer && answer <= q.High
	}
}

// withAnswers returns a copy of steps that has the answers in it.
//
//nolint:gosec // names of seats and pieces are positive, as permits says
func withAnswers(steps []Step, answers []int32) []Step {
	if len(steps) == 0 {
		return nil
	}
	all := make([]Step, len(steps))
	for i := range steps {
		s := steps[i]
		if n := s.Uses.N; n != 0 {
			s.N = answers[n-1]
		}
		if n := s.Uses.Piece; n != 0 {
			s.Only = id.Piece(answers[n-1])
		}
		if n := s.Uses.Onto; n != 0 {
			s.Onto = id.Piece(answers[n-1])
		}
		if n := s.Uses.Seat; n != 0 {
			s.Seat = id.Seat(answers[n-1])
		}
		if n := s.Uses.Of; n != 0 {
			s.If.Answer = answers[n-1]
		}
		s.Then, s.Else = withAnswers(s.Then, answers), withAnswers(s.Else, answers)
		all[i] = s
	}
	return all
}

// means reports whether a step means a piece of its kind: the one that was chosen, or else those
// that are meant for a seat. A piece that was hidden since it was chosen has another name, so
// nobody learns whether it is the same one.
func (s *Step) means(p *piece, of *meant) bool {
	if s.Only != 0 {
		return p.name == s.Only
	}
	return of.has(p)
}
