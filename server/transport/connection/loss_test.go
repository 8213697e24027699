package connection

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"holt/server/transport/simline"
)

// down is a good line on which nothing gets through.
var down = simline.Config{Delay: 50 * ms, Down: true}

// quietLink returns a link that has exchanged its first packets, so that its ends know the
// round-trip time.
func quietLink(t *testing.T, path Path, there, back simline.Config) *link {
	l := newLink(t, 1, path, there, back)
	l.run(450 * ms)
	return l
}

// lose makes an end send what it may, and loses it.
func (l *link) lose(e *end) {
	before := l.lines[e.side].Config()
	l.lines[e.side].Set(simline.Config{Delay: 50 * ms, Down: true})
	e.flush()
	l.lines[e.side].Set(before)
}

func TestLoss(t *testing.T) {
	// Clauses: D26.1
	t.Run("D26 a packet is lost and sent again after the ack of one three later", func(t *testing.T) {
		l := quietLink(t, quic, good, good)
		a, b := l.ends[0], l.ends[1]
		a.send(10, 0)
		l.lose(a)
		start := l.now
		for lane := range 3 {
			a.send(10, 1+lane)
			a.flush()
		}
		for b.count < 4 {
			l.step(start + time.Second)
		}
		if l.now-start != 150*ms || a.conn.Stats().Lost != 1 || a.conn.Stats().Probes != 0 {
			t.Errorf("after %v, %+v", l.now-start, a.conn.Stats())
		}
	})
	t.Run("D26.3 a packet is lost 9/8 of the round trip after a later ack", func(t *testing.T) {
		l := quietLink(t, quic, good, good)
		a, b := l.ends[0], l.ends[1]
		a.send(10, 0)
		l.lose(a)
		start := l.now
		a.send(10, 1)
		a.flush()
		for b.count < 2 {
			l.step(start + time.Second)
		}
		if want := 100*ms*9/8 + 50*ms; l.now-start != want || a.conn.Stats().Lost != 1 ||
			a.conn.Stats().Probes != 0 {
			t.Errorf("after %v, want %v, %+v", l.now-start, want, a.conn.Stats())
		}
	})
	// thin sends a message of a lane of its own every 33 ms, until the ends know the round-trip time
	// well, and then one that is lost as often as losses says. It returns how long that one took, and
	// how many packets had it.
	thin := func(l *link, losses int, each func()) (took time.Duration, copies int) {
		a, b := l.ends[0], l.ends[1]
		for n := range 100 {
			a.send(10, n%lanes)
			a.flush()
			l.run(l.now + 33*ms)
		}
		start, number := l.now, a.sent
		b.onExecute = func(n uint64, _ []byte) {
			if n == number {
				took = l.now - start
			}
		}
		l.saw = func(from int, _ []byte) {
			l.lines[a.side].Set(good)
			u := a.conn.flight.find(a.conn.flight.next - 1).units
			if from != a.side || len(u) == 0 || u[0].number != number {
				return
			}
			if copies++; copies <= losses {
				l.lines[a.side].Set(down)
			}
		}
		for n := 0; took == 0 && l.now < start+2*time.Second; n++ {
			a.send(10, n%lanes)
			a.flush()
			for until := l.now + 33*ms; l.step(until); {
				each()
			}
		}
		return took, copies
	}
	t.Run("D26.12 what is overdue is sent again although others are acknowledged",
		func(t *testing.T) {
			for losses := range 3 {
				l := quietLink(t, udp, good, good)
				l.ends[0].conn.config.RepeatOverdue = true
				var timeout time.Duration
				took, copies := thin(l, losses, func() {
					if timeout == 0 {
						timeout = l.ends[0].conn.rtt.probeAfter(0)
					}
				})
				if want := time.Duration(losses)*timeout + 50*ms; (took-want).Abs() > ms ||
					copies != losses+1 {
					t.Errorf("lost %d times it takes %v and %d packets, want %v and %d", losses, took, copies,
						want, losses+1)
				}
				if n := l.ends[0].conn.Stats().Probes; n > 0 {
					t.Errorf("%d probes", n)
				}
			}
			l := quietLink(t, udp, good, good)
			if took, _ := thin(l, 1, func() {}); took < 180*ms {
				t.Errorf("without the rule it takes %v", took)
			}
		})
	t.Run("D26.12 a packet is overdue once", func(t *testing.T) {
		l := quietLink(t, udp, good, good)
		a := l.ends[0]
		a.conn.config.RepeatOverdue = true
		a.send(10, 0)
		l.lose(a)
		overdue := l.now + a.conn.rtt.probeAfter(0)
		for i, want := range []int{0, 1, 0} {
			now := overdue - ms + time.Duration(i)*ms
			a.conn.detect(now)
			if n := len(a.conn.out.retries); n != want {
				t.Errorf("%v after it was overdue %d messages are sent again, want %d", now-overdue, n, want)
			}
			for range want {
				if _, ok := a.conn.Next(now, nil); !ok {
					t.Error("there is no packet")
				}
			}
		}
	})
	t.Run("D26.14 nothing is overdue while much is under way", func(t *testing.T) {
		const most = 8192 // as D26.12 says
		for _, under := range []int{most, most + 1} {
			l := quietLink(t, udp, good, good)
			a := l.ends[0]
			a.conn.config.RepeatOverdue = true
			a.send(10, 0)
			l.lose(a)
			a.conn.flight.bytes = under
			a.conn.detect(l.now + a.conn.rtt.probeAfter(0))
			if n := len(a.conn.out.retries); (n > 0) != (under == most) {
				t.Errorf("with %d bytes under way %d messages are sent again", under, n)
			}
		}
	})
	t.Run("D26.13 what is overdue does not count as lost", func(t *testing.T) {
		l := quietLink(t, udp, good, good)
		a := l.ends[0]
		a.conn.config.RepeatOverdue = true
		again := 0
		thin(l, 1, func() {
			for n := a.conn.flight.first; n < a.conn.flight.next; n++ {
				if s := a.conn.flight.find(n); s != nil && s.fate == flying && s.repeated {
					again++
					if lost := a.conn.Stats().Lost; lost > 0 {
						t.Fatalf("%d are lost", lost)
					}
				}
			}
		})
		if again == 0 {
			t.Error("nothing was overdue")
		}
	})
	t.Run("D24.3, D26.8 the last packet of all is probed for", func(t *testing.T) {
		l := quietLink(t, quic, good, good)
		a, b := l.ends[0], l.ends[1]
		trip := a.conn.rtt
		a.send(10, 0)
		l.lose(a)
		start := l.now
		for b.count < 1 {
			l.step(start + time.Second)
		}
		if want := trip.smoothed + 4*trip.variation + 10*ms + 50*ms; l.now-start != want ||
			a.conn.Stats().Probes != 1 {
			t.Errorf("after %v, want %v, %+v", l.now-start, want, a.conn.Stats())
		}
		l.settle(time.Second)
	})
	// Clauses: D26.7, D26.9, D26.10
	t.Run("D26 probes are the two oldest messages, down to one a second", func(t *testing.T) {
		l := newLink(t, 1, quic, down, good)
		a := l.ends[0]
		a.conn.SetKeepalive(time.Hour)
		for n := range 5 {
			a.send(300, n)
		}
		var at []time.Duration
		l.saw = func(from int, p []byte) {
			_, rest, err := readData(p, false)
			if err != nil || from != 0 {
				return
			}
			records, err := readAllAt(rest, 0)
			if err != nil {
				t.Fatal(err)
			}
			if len(records) == 0 {
				return // it acknowledges
			}
			at = append(at, l.now)
			if len(at) > 2 && (len(records) != 2 || records[0].header.Number != 0 ||
				records[1].header.Number != 1) {
				t.Errorf("at %v: %v", l.now, records)
			}
		}
		l.run(4 * time.Second)
		// First the two packets with the messages, then the probes.
		want := []time.Duration{0, 0, 200 * ms, 600 * ms, 1400 * ms, 2400 * ms, 3400 * ms}
		if !equal(at, want) {
			t.Errorf("%v, want %v", at, want)
		}
	})
	t.Run("D26 a message in several packets is in a probe once", func(t *testing.T) {
		l := newLink(t, 1, quic, down, good)
		a := l.ends[0]
		a.send(300, 0)
		l.run(time.Second) // two probes
		probes := 0
		for n := range a.conn.flight.next {
			switch units := len(a.conn.flight.find(n).units); units {
			case 0:
			case 1:
				probes++
			default:
				t.Errorf("packet %d has it %d times", n, units)
			}
		}
		if probes != 3 {
			t.Errorf("%d packets have it, want 3", probes)
		}
	})
	t.Run("D26 after a blackout of two seconds everything arrives soon", func(t *testing.T) {
		for _, path := range []Path{udp, quic} {
			l := quietLink(t, path, good, good)
			for _, line := range l.lines {
				line.Set(down)
			}
			for end := l.now + 2*time.Second; l.now < end; {
				for _, e := range l.ends {
					e.send(60, int(e.sent)%lanes)
					e.flush()
				}
				l.run(l.now + 5*ms)
			}
			for _, line := range l.lines {
				line.Set(good)
			}
			l.settle(1500 * ms)
			if a := l.ends[0]; a.sent < 390 {
				t.Errorf("%d messages", a.sent)
			}
		}
	})
	t.Run("D26 lost acknowledgements cost only time", func(t *testing.T) {
		l := quietLink(t, udp, good, simline.Config{Delay: 50 * ms, Loss: 0.5})
		a := l.ends[0]
		for range 2000 {
			a.send(60, int(a.sent)%lanes)
			a.flush()
			l.run(l.now + 5*ms)
		}
		l.settle(5 * time.Second)
		if s := a.conn.Stats(); s.Lost > 20 {
			t.Errorf("%d packets count as lost: %+v", s.Lost, s)
		}
	})
	t.Run("D26 packets overtaken by fifty do not count as lost for long", func(t *testing.T) {
		l := quietLink(t, udp, simline.Config{Delay: 50 * ms, Late: 0.02, Lateness: 50 * ms}, good)
		a := l.ends[0]
		var half Stats
		for n := range 4000 {
			a.send(60, int(a.sent)%lanes)
			a.flush()
			l.run(l.now + ms)
			if n == 2000 {
				half = a.conn.Stats()
			}
		}
		l.settle(time.Second)
		all := a.conn.Stats()
		if half.Spurious == 0 || all.Lost-half.Lost > half.Lost/2 || all.Lost != all.Spurious {
			t.Errorf("after half %+v, in the end %+v", half, all)
		}
	})
	t.Run("D22 duplicated packets change nothing", func(t *testing.T) {
		l := quietLink(t, udp, good, good)
		r := rand.New(rand.NewPCG(22, 1))
		var kept [2][][]byte
		l.saw = func(from int, p []byte) { kept[from] = append(kept[from], slices.Clone(p)) }
		for range 3000 {
			e := l.ends[r.IntN(2)]
			e.send(r.IntN(200), r.IntN(lanes))
			e.flush()
			l.run(l.now + time.Duration(r.IntN(3))*ms)
			for range 3 {
				side := r.IntN(2)
				if n := len(kept[side]); n > 0 {
					p := kept[side][n-1-r.IntN(min(n, 1+r.IntN(2000)))]
					if err := l.ends[1-side].conn.Receive(l.now, p); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		l.settle(5 * time.Second)
	})
	t.Run("D1.2, D6, D22.2 numbers of packets and messages wrap around", func(t *testing.T) {
		rounds := 150_000 // uses all numbers of messages four times
		if testing.Short() {
			rounds = 70_000 // twice
		}
		for _, loss := range []float64{0, 0.1} {
			line := simline.Config{Delay: 20 * ms, Loss: loss, Duplicate: loss}
			l := quietLink(t, quic, line, line)
			a := l.ends[0]
			for range rounds {
				a.send(5, int(a.sent)%lanes)
				a.flush()
				l.run(l.now + ms/4)
			}
			l.settle(5 * time.Second)
			if a.sent < uint64(rounds) || a.packets < 1<<16 || l.ends[1].count != a.sent {
				t.Errorf("%d messages in %d packets, %d executed", a.sent, a.packets,
					l.ends[1].count)
			}
			l.bounded()
		}
	})
}

func readAllAt(p []byte, floor uint64) ([]record, error) {
	var r reader
	return r.read(p, floor)
}
