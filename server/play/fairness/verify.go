package fairness

import (
	"fmt"
	"strconv"

	"holt/server/id"
)

// Difference is the first thing in an export that is not as it should be, or not as it was noted
// (F14).
type Difference struct {
	Fault    Fault
	Round    Round
	Fact     int      // the number of the fact in the round, from 1; 0: the round itself
	Audience Audience // of the draw
	Draw     Number   // 0: not about a draw
	Position int      // the number of the output, from 1; 0: not about an output
	Noted    bool     // it differs from the notes
	// Want is what was expected or noted. Got is what the file says, or what follows from it.
	Want, Got string

	bound bool // about a round of version 2
}

// sentences say for people what is wrong.
var sentences = map[Fault]string{
	FaultRound:      "rounds are missing or not in order",
	FaultTime:       "it is dated before what it follows",
	FaultPhase:      "it comes out of its turn",
	FaultMix:        "it belongs to another mix",
	FaultTwice:      "it is there twice",
	FaultFull:       "there are too many",
	FaultShare:      "there is no such share",
	FaultEntropy:    "the entropy is not what was committed to",
	FaultClosing:    "the close is not about the commitments that are there",
	FaultWithheld:   "other shares were withheld than it says",
	FaultPool:       "the pool does not follow from the shares",
	FaultNumber:     "a draw is missing or out of order",
	FaultRecord:     "there cannot be such a draw",
	FaultOutcome:    "this is not what came out",
	FaultSeal:       "the seal does not belong to the draw",
	FaultEnd:        "the round does not end as the next one says: something is missing or was added",
	FaultVersion:    "there is no such thing in a round of this version",
	FaultName:       "a name is not the one that the rounds bind",
	FaultLine:       "a name, a time or something else here is not what the rounds bind",
	FaultCommitment: "the seed is not what was committed to",
}

// boundSentences replace some sentences for rounds of version 2, which bind names and times.
var boundSentences = map[Fault]string{
	FaultSeal: "the seal does not belong to the draw, its time, and the names and times before it",
	FaultEnd: "the round does not end as the next one says: " +
		"something is missing or was added, or has another name or time",
}

// notedSentences say what differs from notes.
var notedSentences = map[Fault]string{
	FaultTable:      "the notes are of another table",
	FaultCommitment: "another commitment was noted",
	FaultEnd:        "another end of the round before was noted",
	FaultClosing:    "another close was noted",
	FaultPool:       "another pool was noted",
	FaultSeal:       "another seal was noted",
	FaultShare:      "what you committed to yourself is missing",
}

func (d *Difference) Error() string {
	text := ""
	add := func(format string, n int) {
		if n > 0 {
			text += fmt.Sprintf(format, n)
		}
	}
	add("round %d, ", int(d.Round))
	add("fact %d, ", d.Fact)
	add("draw %d, ", int(d.Draw))
	add("told to seat %d alone, ", int(d.Audience))
	add("output %d, ", d.Position)
	sentence := sentences[d.Fault]
	if d.bound && boundSentences[d.Fault] != "" {
		sentence = boundSentences[d.Fault]
	}
	if d.Noted {
		sentence = notedSentences[d.Fault]
	}
	if text != "" {
		text = text[:len(text)-2] + ": "
	}
	want, got := d.Want, d.Got
	// It comes from somebody else's file and may contain anything.
	if d.Fault == FaultName {
		want, got = strconv.Quote(want), strconv.Quote(got)
	}
	return text + sentence + ": want " + want + ", got " + got
}

func (d *Difference) Unwrap() error { return d.Fault }

// Report says what was checked and is right.
type Report struct {
	Rounds []RoundReport
}

// RoundReport says what was checked of a round.
type RoundReport struct {
	Round    Round
	Revealed bool // the seed was published: outcomes and seals were checked
	Bound    bool // version 2: it binds names and times
	Mixes    int
	Shares   int // revealed shares of the mixes
	Withheld int // withheld shares of the mixes
	Draws    int // in a sealed round those of Everybody only
	Of       [len(whatNames)]int
	// Alone counts the draws before anybody's share was in the pool: the server alone decided their
	// outcomes.
	Alone int
}

// Verify recomputes everything that e allows: seeds, shares, pools, outcomes, seals, numbers, order
// and times (F14). The error is a *Difference: the first one in the order of the file. The report
// then covers what comes before it.
func Verify(e *Export) (Report, error) {
	v := verifier{export: e}
	for i := range e.Rounds {
		if want, got := e.Dropped+Round(i+1), e.Rounds[i].Round; got != want {
			return v.report, &Difference{Fault: FaultRound, Round: got,
				Want: strconv.Itoa(int(want)), Got: strconv.Itoa(int(got))}
		}
	}
	for i := range e.Rounds {
		if d := v.round(i); d != nil {
			d.bound = e.Rounds[i].Bound != nil
			return v.report, d
		}
	}
	if d := v.checkPublished(); d != nil {
		return v.report, d
	}
	if d := v.seats(); d != nil {
		return v.report, d
	}
	return v.report, nil
}

// verifier is the state of one Verify.
type verifier struct {
	export      *Export
	report      Report
	time        id.Millis // of the latest fact
	publishedAt id.Millis // when the latest seed was published
	end         Digest    // of the round before, for a round of version 1
	sum         Digest    // of the round before, for a round of version 2
	names       names     // names that the rounds bind

	// The last and the first round whose seed was published by a fact.
	lastPublished, firstPublished Round
	before                        Round // the number of the last round of version 1

	// For the round that is being verified.
	in    *ExportedRound
	mix   mixing
	heads heads
	line  Digest // zero in a round of version 1
}

// round verifies the round at i and adds it to the report.
func (v *verifier) round(i int) *Difference {
	r := &v.export.Rounds[i]
	for _, check := range []func(int) error{v.version, v.opening, v.seed, v.binding} {
		d := difference(check(i))
		if d == nil {
			continue
		}
		if d.Round = r.Round; d.Fault == FaultEnd { // of the round before
			d.Round--
		}
		return d
	}
	v.in, v.mix, v.heads = r, begin(v.export.Table, r.Round, r.Commitment), nil
	v.report.Rounds = append(v.report.Rounds,
		RoundReport{Round: r.Round, Revealed: r.Seed != nil, Bound: r.Bound != nil})
	for n := range r.Facts {
		if d := v.fact(&r.Facts[n]); d != nil {
			d.Round, d.Fact = r.Round, n+1
			return d
		}
	}
	v.end = end(v.export.Table, r.Round, v.mix.pool, v.heads)
	v.sum = sumOf(v.export.Table, r.Round, v.mix.pool, v.line, v.heads)
	return nil
}

// opening verifies how a round follows the one before. It cannot compute the end of a sealed round,
// because draws for single seats are missing, nor that of a dropped round.
func (v *verifier) opening(i int) error {
	r := &v.export.Rounds[i]
	if r.Opened < v.time {
		return &Error{FaultTime, since(v.time), at(r.Opened)}
	}
	v.time = r.Opened
	if computed := i == 0 && v.export.Dropped == 0 ||
		i > 0 && v.export.Rounds[i-1].Seed != nil; !computed {
		return nil
	}
	end := v.end
	if i > 0 && r.Bound != nil {
		end = v.export.Rounds[i-1].Seed.end(v.sum)
	}
	if r.Before != end {
		return &Error{FaultEnd, r.Before.String(), end.String()}
	}
	return nil
}

// seed verifies the seed of a round, if it was published.
func (v *verifier) seed(i int) error {
	r := &v.export.Rounds[i]
	switch {
	case r.Seed == nil:
		return nil
	case i == len(v.export.Rounds)-1:
		return &Error{FaultPhase, "no seed before the next round", "a seed"}
	case i > 0 && v.export.Rounds[i-1].Seed == nil:
		return &Error{FaultPhase, "no seed before that of round " + strconv.Itoa(int(r.Round)-1),
			"a seed"}
	}
	if from := max(v.publishedAt, v.export.Rounds[i+1].Opened); r.Published < from {
		return &Error{FaultTime, since(from), at(r.Published)}
	}
	v.publishedAt = r.Published
	if c := r.Seed.Commitment(v.export.Table, r.Round); c != r.Commitment {
		return &Error{FaultCommitment, r.Commitment.String(), c.String()}
	}
	return nil
}

// fact verifies a fact of the round; nil if it is right.
func (v *verifier) fact(d *Dated) *Difference {
	if d.At < v.time {
		return difference(&Error{FaultTime, since(v.time), at(d.At)})
	}
	v.time = d.At
	report := &v.report.Rounds[len(v.report.Rounds)-1]
	m := &v.mix
	var err error
	switch f := d.Fact.(type) {
	case Committed:
		if err = m.due(f.Kind(), f.Mix); err == nil {
			err = m.commit(share{seat: f.Seat, hash: f.Hash})
		}
	case Closed, Revealed:
		err = m.apply(f)
	case Mixed:
		shares := len(m.shares)
		err = m.apply(f)
		if err == nil {
			report.Mixes++
			report.Withheld += len(f.Withheld)
			report.Shares += shares - len(f.Withheld)
		}
	case Drawn:
		return v.draw(&f, d.At, report)
	default:
		err = v.bind(d)
	}
	if err == nil {
		err = v.follow(d)
	}
	return difference(err)
}

// draw verifies a draw. In a sealed round it can verify only the number and the mix.
func (v *verifier) draw(f *Drawn, at id.Millis, report *RoundReport) *Difference {
	position, err := v.drawn(f, at)
	if d := difference(err); d != nil {
		d.Audience, d.Draw, d.Position = f.Record.Audience, f.Record.Number, position
		return d
	}
	report.Draws++
	report.Of[f.Record.Kind]++
	if report.Shares == 0 {
		report.Alone++
	}
	return nil
}

func (v *verifier) drawn(f *Drawn, at id.Millis) (position int, err error) {
	r := &f.Record
	revealed := v.in.Seed != nil
	switch {
	case revealed:
		err = r.check()
	case r.Kind != 0 || r.Audience != Everybody:
		err = &Error{FaultRecord, "nothing but number, mix and seal while the round is sealed",
			"more"}
	}
	if err != nil {
		return 0, err
	}
	last := v.heads.of(r.Audience, v.in.Commitment)
	if err := v.heads.follow(r, f.Seal, v.in.Commitment, v.mix.mixed); err != nil {
		return 0, err
	}
	if !revealed {
		return 0, nil
	}
	l := drawKey{
		table: v.export.Table, round: v.in.Round, seed: v.in.Seed, pool: v.mix.pool, mix: r.Mix,
		audience: r.Audience, number: r.Number, last: last.seal, bound: v.in.Bound != nil,
		line: v.line, at: at,
	}
	if position, err := l.verify(r); err != nil {
		return position, err
	}
	if want := l.seal(r); f.Seal != want {
		return 0, &Error{FaultSeal, want.String(), f.Seal.String()}
	}
	return 0, nil
}

// difference returns the Difference of an *Error, nil for nil.
func difference(err error) *Difference {
	e, _ := err.(*Error) //nolint:errorlint // mixing and record return nothing else, unwrapped
	if e == nil {
		return nil
	}
	return &Difference{Fault: e.Fault, Want: e.Want, Got: e.Got}
}

func at(t id.Millis) string    { return strconv.FormatInt(int64(t), 10) }
func since(t id.Millis) string { return at(t) + " or later" }
