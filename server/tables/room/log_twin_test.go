package room_test

import (
	"encoding/json"
	"flag"
	"fmt"
	mathrand "math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
)

// randomNumbers are the members and lists with numbers that are drawn at random: those of pieces
// from table.MinRandomName on, and those of lines.
var randomNumbers = regexp.MustCompile(`("(?:id|piece|renamed|line)":|[\[,])(\d{5,})`)

// withoutRandomNumbers replaces numbers that are drawn at random by the order in which they come.
func withoutRandomNumbers(text string) string {
	seen := map[string]int{}
	return randomNumbers.ReplaceAllStringFunc(text, func(found string) string {
		parts := randomNumbers.FindStringSubmatch(found)
		if n, _ := strconv.Atoi(parts[2]); n < int(table.MinRandomName) {
			return found
		}
		if seen[parts[2]] == 0 {
			seen[parts[2]] = len(seen) + 1
		}
		return fmt.Sprintf(`%s"#%d"`, parts[1], seen[parts[2]])
	})
}

// logsOf plays a game and returns the logs of dan and eve, page by page with the cursors, and what
// they get of undos: answers, and questions with how they end. If secret is set, ada and bob
// whisper and delete whispers, and ada arranges her cards all the time, which takes no time.
// Everything else follows from the seed.
func logsOf(t *testing.T, seed uint64, secret bool) (logs map[string]string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var order []uint32
		for k := cardsRoyal; k < cardsDie; k++ {
			order = append(order, k)
		}
		r := &rig{t: t, store: newMemory(), random: chacha(seed), game: cardsGame(t, order)}
		r.start()
		defer r.stop()
		r.create()
		p := r.party()
		rnd := mathrand.New(mathrand.NewPCG(seed, 1))
		hidden := mathrand.New(mathrand.NewPCG(seed, 2))
		var lines, whispers []uint64
		logs = map[string]string{}
		for turn := range 60 {
			for range hidden.IntN(4) {
				if secret {
					p.beSecret(hidden, &whispers)
				}
			}
			who := []*player{p.ada, p.bob, p.dan, p.eve}[rnd.IntN(4)]
			if who == p.eve {
				who.mustSend(who.say(fmt.Sprint("I saw ", rnd.IntN(10)), 0))
			} else {
				switch rnd.IntN(7) {
				case 0:
					who.mustSend(who.blind(table.OpDeal, deck))
				case 1:
					who.mustSend(who.drawOut(rnd.Int32N(900), 2000))
				case 2:
					who.mustSend(who.say(fmt.Sprint("line ", rnd.IntN(100)), 0))
				case 3:
					if len(lines) > 0 {
						who.mustSend(who.unsay(lines[rnd.IntN(len(lines))]))
					}
				case 4:
					who.mustSend(who.blind(table.OpRecall, deck))
				default:
					who = []*player{p.bob, p.dan}[rnd.IntN(2)]
					switch rnd.IntN(3) {
					case 0:
						who.mustSend(who.blind(table.OpDeal, deck))
					case 1:
						who.mustSend(who.move(tokenLeft, rnd.Int32N(900), 3000))
					}
					if secret {
						p.beSecret(hidden, &whispers)
					}
					logs["dan"] += p.undoBy(who, rnd, turn)
				}
			}
			seen := p.eve.events()
			for _, s := range saidIn(seen) {
				lines = append(lines, s.GetLine())
			}
			logs["eve"] += questionsIn(t, seen)
			logs["dan"] += questionsIn(t, p.dan.events())
			for _, s := range saidIn(p.ada.events()) {
				if s.GetTo() != 0 {
					whispers = append(whispers, s.GetLine())
				}
			}
			p.readAll()
		}
		for name, who := range map[string]*player{"dan": p.dan, "eve": p.eve, "ada": p.ada} {
			for _, limit := range []int{7, 200} {
				q := room.LogQuery{Limit: limit, To: who.version, HasTo: true}
				for more := true; more; {
					page := who.page(q)
					logs[name] += asJSON(t, page.Lines) + fmt.Sprint(page.Before, page.More)
					q.Before, more = page.Before, page.More
				}
			}
		}
	})
	return logs
}

// questionsIn returns the questions in events as JSON. They list pieces by their names, in an order
// that is random, too. So which of them are in the log is not compared.
func questionsIn(t *testing.T, events []*holtpb.Event) string {
	t.Helper()
	b, err := json.Marshal(questions(events))
	if err != nil {
		t.Fatal(err)
	}
	return withoutRandomNumbers(string(b))
}

// undoBy makes a player undo what they did last. If others are asked, they agree or refuse, or the
// question is withdrawn. It returns the answers.
func (p *party) undoBy(who *player, rnd *mathrand.Rand, turn int) string {
	a, err := who.undo(fmt.Sprint("undo ", turn))
	b, _ := json.Marshal(a) // it has numbers and lists of numbers only
	answers := withoutRandomNumbers(string(b)) + fmt.Sprint(err)
	if a.Question == 0 {
		return answers
	}
	for _, other := range []*player{p.ada, p.bob, p.dan} {
		if other != who {
			answers += fmt.Sprint(other.agree(a.Question, rnd.IntN(5) > 0))
		}
	}
	// It is over, unless somebody else is asked, too.
	return answers + fmt.Sprint(who.rooms.WithdrawUndo(who.t.Context(), who.session))
}

// beSecret makes ada and bob do what nobody else may notice.
func (p *party) beSecret(hidden *mathrand.Rand, whispers *[]uint64) {
	p.ada.now()
	switch cards := p.ada.hand(func(uint32) bool { return true }); {
	case hidden.IntN(2) == 0 && len(cards) > 0:
		c := id.Piece(cards[hidden.IntN(len(cards))].GetId())
		p.ada.mustSend(p.ada.turn(c, hidden.Int32N(36_000)))
	case hidden.IntN(3) == 0 && len(*whispers) > 0:
		p.ada.mustSend(p.ada.unsay((*whispers)[0]))
		*whispers = slices.Delete(*whispers, 0, 1)
	case hidden.IntN(4) == 0: // few enough that bob may still say what he says openly (T64.3)
		p.bob.mustSend(p.bob.say(fmt.Sprint("psst ", hidden.IntN(1000)), 1))
	}
}

// twinLogs is how many games TestT65TwinLogs plays at random. The race detector needs few.
var twinLogs = flag.Int("twinlogs", 0, "games of TestT65TwinLogs; 0: a hundred, six with -short")

// TestT65TwinLogs plays games twice, which differ only in what dan and eve may not know. Their
// logs, and what they get of undos, are equal, byte by byte but for numbers that are drawn at
// random.
// Clauses: T64.7, T65.7
func TestT65TwinLogs(t *testing.T) {
	games, first := *twinLogs, firstSeed("twinlogs")
	switch {
	case games > 0:
		t.Logf("seeds from %d", first)
	case testing.Short():
		games = 6
	default:
		games = 100
	}
	undone := 0
	for i := range uint64(games) {
		seed := first + i
		open, secret := logsOf(t, seed, false), logsOf(t, seed, true)
		undone += strings.Count(open["dan"], "{\"Undone\":true,")
		for _, who := range []string{"dan", "eve"} {
			a, b := withoutRandomNumbers(open[who]), withoutRandomNumbers(secret[who])
			if len(a) < 5000 {
				t.Errorf("the log of %s has %d bytes", who, len(a))
			}
			if a != b {
				i := 0
				for i < min(len(a), len(b)) && a[i] == b[i] {
					i++
				}
				t.Fatalf("seed %d: %s reads\n%.600s\nand\n%.600s", seed, who, a[max(i-300, 0):],
					b[max(i-300, 0):])
			}
		}
		if withoutRandomNumbers(open["ada"]) == withoutRandomNumbers(secret["ada"]) {
			t.Error("ada reads the same: the games do not differ")
		}
	}
	if undone < games {
		t.Errorf("in %d games there were %d undos: too few", games, undone)
	}
}
