package web_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"holt/server/proto/holtpb"
	"holt/server/tables/room"
	"holt/server/tables/wire"
	"holt/web"
)

// checkProblem checks a whole problem document (RFC 9457, http.md).
func checkProblem(t testing.TB, a answer, status int, code string) map[string]any {
	t.Helper()
	if a.StatusCode != status || a.Header.Get("Content-Type") != "application/problem+json" {
		t.Fatalf("%s as %s: %s, want %d %s", a.Status, a.Header.Get("Content-Type"),
			a.body, status, code)
	}
	d := json.NewDecoder(strings.NewReader(a.body))
	var p map[string]any
	if err := d.Decode(&p); err != nil {
		t.Fatal(err)
	}
	if p["code"] != code || p["type"] != "/problems/"+code || p["status"] != float64(status) ||
		p["title"] == "" || p["detail"] == "" {
		t.Errorf("problem %v, want code %s", p, code)
	}
	if a.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("a problem may be cached: %q", a.Header.Get("Cache-Control"))
	}
	return p
}

// statusOf sends a raw request and returns the status of the answer.
func statusOf(t testing.TB, conn net.Conn, request string) int {
	t.Helper()
	t.Cleanup(func() { _ = conn.Close() })
	if _, err := conn.Write([]byte(request)); err != nil {
		t.Fatal(err)
	}
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	return res.StatusCode
}

// addBatch returns a batch that adds a piece.
func addBatch(epoch uint64, seq int) string {
	return fmt.Sprintf(
		`{"client":%q,"epoch":%d,"updates":[{"seq":%d,"op":"add","kind":0,"x":0,"y":0}]}`,
		clientID, epoch, seq)
}

func TestProblems(t *testing.T) {
	s := newStack(t)
	host := s.open("chess")
	spectator := s.join(host, host.Invites.Spectator, "Eve")
	player := s.join(host, host.Invites.Player, "Bob")
	var state struct{ Epoch uint64 }
	s.get(host.api(""), host.bearer()...).json(t, &state)
	batch := func(updates string) string {
		return fmt.Sprintf(`{"client":%q,"epoch":%d,"updates":[%s]}`, clientID,
			state.Epoch, updates)
	}
	update := func(k seat, body string, h ...string) answer {
		return s.post(k.api("/updates"), body, append(k.bearer(), h...)...)
	}
	// The host's client is known. Its sequences have reached 5, without 2 to 4.
	for _, seq := range []string{"1", "5"} {
		if a := update(host, batch(`{"seq":`+seq+
			`,"op":"add","kind":0,"x":0,"y":0}`)); a.StatusCode != http.StatusAccepted {
			t.Fatal(a.Status, a.body)
		}
	}
	noTable := "/api/v1/tables/0123456789abcdef0123456789abcdef"
	for _, c := range []struct {
		name   string
		answer answer
		status int
		code   string
	}{
		{"T15 not JSON", update(host, `{"client":`), 400, "malformed"},
		{"T15 empty", update(host, ``), 400, "malformed"},
		{"a table of nothing", s.post("/api/v1/tables", ``), 400, "malformed"},
		{"a table without game", s.post("/api/v1/tables", `{}`), 400, "malformed"},
		{"a table with an unknown field", s.post("/api/v1/tables", `{"game":"chess","x":1}`),
			400, "malformed"},
		{"a field in capitals", s.post("/api/v1/tables", `{"Game":"chess"}`), 400, "malformed"},
		{"a field twice", s.post("/api/v1/tables", `{"game":"chess","game":"chess"}`),
			400, "malformed"},
		{"null", s.post("/api/v1/tables", `{"game":"chess","nick":null}`), 400, "malformed"},
		{"a wrong type", s.post("/api/v1/tables", `{"game":7}`), 400, "malformed"},
		{"something after it", s.post("/api/v1/tables", `{"game":"chess"} {}`), 400, "malformed"},
		{"not UTF-8", s.post("/api/v1/tables", "{\"game\":\"chess\",\"nick\":\"\xff\"}"),
			400, "malformed"},
		{"arrays without end", s.post("/api/v1/tables", `{"game":`+strings.Repeat("[", 16_000)),
			400, "malformed"},
		{"T15 arrays without end", update(host, batch(strings.Repeat("[", 100_000))),
			400, "malformed"},
		{"T15 a number without end", update(host, batch(`{"seq":1`+strings.Repeat("0", 100_000)+
			`,"op":"pin"}`)), 422, "impossible-value"},
		{"a list", s.post("/api/v1/tables", `["game"]`), 400, "malformed"},
		{"a seat without invite", s.post(host.api("/seats"), `{"nick":"Bob"}`), 400, "malformed"},
		{"a seat without nick", s.post(host.api("/seats"), `{"invite":"x"}`), 400, "malformed"},
		{"no token", s.get(host.api("")), 401, "no-seat"},
		{"a wrong token", s.get(host.api(""), "Authorization", "Bearer nonsense"), 401, "no-seat"},
		{"another scheme",
			s.get(host.api(""), "Authorization", "Basic "+host.Token), 401, "no-seat"},
		{"the token of another table",
			s.get(host.api(""), s.open("chess").bearer()...), 401, "no-seat"},
		{"updates without token", s.post(host.api("/updates"),
			batch(`{"seq":6,"op":"add","kind":0,"x":0,"y":0}`)), 401, "no-seat"},
		// Clauses: T24.5
		{"a spectator's update",
			update(spectator, batch(`{"seq":1,"op":"add","kind":0,"x":0,"y":0}`)), 403, "role"},
		{"invites for a spectator",
			s.get(host.api("/invites"), spectator.bearer()...), 403, "role"},
		{"new invites by a player",
			s.post(host.api("/invites"), "", player.bearer()...), 403, "role"},
		{"no such table", s.get(noTable, host.bearer()...), 404, "no-table"},
		{"not a table's name", s.get("/api/v1/tables/XYZ", host.bearer()...), 404, "no-table"},
		{"no such invite", s.post(host.api("/seats"), `{"invite":"nonsense","nick":"Bob"}`),
			404, "no-invite"},
		{"no such invite, and no table", s.post("/api/v1/seats", `{"invite":"nonsense","nick":"Bob"}`),
			404, "no-invite"},
		{"an invite of another table", s.post(s.open("chess").api("/seats"),
			`{"invite":"`+secretOf(host.Invites.Player)+`","nick":"Bob"}`), 404, "no-invite"},
		{"an invite of no table", s.post("/api/v1/tables//seats",
			`{"invite":"`+secretOf(host.Invites.Player)+`","nick":"Bob"}`), 404, "no-table"},
		{"an invite of the table zero",
			s.post("/api/v1/tables/"+strings.Repeat("0", 32)+"/seats",
				`{"invite":"`+secretOf(host.Invites.Player)+`","nick":"Bob"}`), 404, "no-invite"},
		{"no such address", s.get("/api/v1/nothing"), 404, "not-found"},
		{"no such art", s.get("/art/" + strings.Repeat("0", 64)), 404, "not-found"},
		{"art by another name", s.get("/art/logo.svg"), 404, "not-found"},
		{"a path out of the art", s.get("/art/..%2f..%2fetc%2fpasswd"), 404, "not-found"},
		{"a path out of the assets", s.get("/assets/..%2f..%2fgo.mod"), 404, "not-found"},
		{"a table and more", s.get(host.api("%2finvites"), host.bearer()...), 404, "no-table"},
		{"art in capitals", s.get("/art/" + strings.Repeat("A", 64)), 404, "not-found"},
		{"no such asset", s.get("/assets/nothing.js"), 404, "not-found"},
		{"T10.3 a sequence again, with other content", update(host,
			batch(`{"seq":5,"op":"add","kind":0,"x":1,"y":0}`)), 409, "sequence-reused"},
		{"T19.6 another epoch", update(host, addBatch(state.Epoch%1000+1, 6)), 409, "epoch"},
		{"a client of another seat", update(player,
			batch(`{"seq":9,"op":"add","kind":0,"x":0,"y":0}`)), 409, "client-taken"},
		{"too large a body", update(host, batch(`{"seq":6,"op":"add","kind":0,"x":0,"y":0}`)+
			strings.Repeat(" ", wire.MaxBatchBytes)), 413, "too-large"},
		{"too many updates", update(host, batch(strings.Repeat(`{"seq":6,"op":"pin"},`,
			wire.MaxBatch)+`{"seq":6,"op":"pin"}`)), 413, "too-large"},
		{"too large a request for a table", s.post("/api/v1/tables",
			`{"game":"`+strings.Repeat("x", 20_000)+`"}`), 413, "too-large"},
		{"another type", update(host, batch(`{"seq":6,"op":"add","kind":0,"x":0,"y":0}`),
			"Content-Type", "text/plain"), 415, "content-type"},
		{"a form for a table", s.post("/api/v1/tables", `game=chess`, "Content-Type",
			"application/x-www-form-urlencoded"), 415, "content-type"},
		{"another character set", s.post("/api/v1/tables", `{"game":"chess"}`, "Content-Type",
			"application/json; charset=latin1"), 415, "content-type"},
		{"compressed", s.post("/api/v1/tables", `{"game":"chess"}`, "Content-Encoding", "gzip"),
			415, "content-type"},
		{"T24 out of range", update(host, batch(`{"seq":6,"op":"add","kind":0,"x":1000001,"y":0}`)),
			422, "impossible-value"},
		{"a kind that is not there", update(host,
			batch(`{"seq":6,"op":"add","kind":9999,"x":0,"y":0}`)), 422, "impossible-value"},
		{"a game that is not on the shelf", s.post("/api/v1/tables", `{"game":"nothing"}`), 422,
			"impossible-value"},
		{"a colour out of form", s.post("/api/v1/tables", `{"game":"chess","colour":"red"}`), 422,
			"impossible-value"},
		{"an empty nick", s.post("/api/v1/tables", `{"game":"chess","nick":" "}`), 422,
			"impossible-value"},
		{"a nick of 41 characters", s.post("/api/v1/tables",
			`{"game":"chess","nick":"`+strings.Repeat("é", 41)+`"}`), 422, "impossible-value"},
		{"a title of 81 characters", s.post("/api/v1/tables",
			`{"game":"chess","title":"`+strings.Repeat("é", 81)+`"}`), 422, "impossible-value"},
		{"T15.6, T21 a piece never shown", update(host,
			batch(`{"seq":6,"op":"pin","piece":2000000000,"tag":0}`)), 422, "unknown-piece"},
		{"T24 an unknown operation", update(host, batch(`{"seq":6,"op":"explode"}`)), 422,
			"unknown-operation"},
		{"T10.5 sequences that do not rise", update(host, batch(
			`{"seq":9,"op":"add","kind":0,"x":0,"y":0},{"seq":8,"op":"add","kind":0,"x":0,"y":0}`)),
			422, "sequence-decreasing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkProblem(t, c.answer, c.status, c.code)
		})
	}

	t.Run("T15 the problem names the update", func(t *testing.T) {
		a := update(
			host,
			batch(
				`{"seq":6,"op":"add","kind":0,"x":0,"y":0},`+
					`{"seq":7,"op":"rotate","piece":1,"tag":0,"angle":36000}`,
			),
		)
		if p := checkProblem(t, a, 422, "impossible-value"); p["update"] != 1.0 {
			t.Errorf("update is %v, want 1", p["update"])
		}
		a = update(host, `[]`)
		if p := checkProblem(t, a, 400, "malformed"); p["update"] != nil {
			t.Errorf("the whole body is wrong, but update is %v", p["update"])
		}
	})

	t.Run("T7, T15.1 a version never given", func(t *testing.T) {
		var view struct {
			Pieces []struct{ ID, Mark uint64 }
		}
		s.get(host.api(""), host.bearer()...).json(t, &view)
		body := batch(fmt.Sprintf(`{"seq":6,"op":"pin","piece":%d,"tag":%d}`,
			view.Pieces[0].ID, uint64(1)<<52))
		checkProblem(t, update(host, body), 422, "tag-from-the-future")
		for _, tag := range []uint64{0, 1, view.Pieces[0].Mark + 1, view.Pieces[0].Mark + 1000} {
			body := batch(fmt.Sprintf(`{"seq":7,"op":"pin","piece":%d,"tag":%d}`,
				view.Pieces[0].ID, tag))
			checkProblem(t, update(host, body), 422, "tag-from-the-future")
		}
	})

	t.Run("405 lists what is allowed", func(t *testing.T) {
		for path, allow := range map[string]string{
			"/api/v1/tables":     "POST",
			"/api/v1/games":      "GET, POST, HEAD",
			"/healthz":           "GET, HEAD",
			host.api("/invites"): "GET, POST, HEAD",
		} {
			a := s.do(s.request(http.MethodDelete, path, "", nil), nil)
			checkProblem(t, a, 405, "method")
			if got := a.Header.Get("Allow"); got != allow {
				t.Errorf("%s: Allow is %q, want %q", path, got, allow)
			}
		}
		a := s.do(s.request(http.MethodDelete, "/", "", nil), nil)
		if a.StatusCode != http.StatusMethodNotAllowed ||
			!strings.HasPrefix(a.Header.Get("Content-Type"), "text/html") {
			t.Errorf("a page: %s %s", a.Status, a.Header.Get("Content-Type"))
		}
	})

	t.Run("a 401 says how to authenticate", func(t *testing.T) {
		if got := s.get(host.api("")).Header.Get("WWW-Authenticate"); got != "Bearer" {
			t.Errorf("WWW-Authenticate is %q", got)
		}
	})
}

// TestDocumentedProblems compares the server with docs/protocol/http.md: both have the same codes
// with the same statuses.
func TestDocumentedProblems(t *testing.T) {
	doc, err := os.ReadFile("../docs/protocol/http.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]int{}
	for _, row := range regexp.MustCompile(
		`(?m)^\| ([45][0-9]{2}) \| ([^|]*) \|`).FindAllStringSubmatch(string(doc), -1) {
		for _, code := range regexp.MustCompile("`([a-z-]+)`").FindAllStringSubmatch(row[2], -1) {
			documented[code[1]], _ = strconv.Atoi(row[1])
		}
	}
	if got := web.Statuses(); !maps.Equal(got, documented) {
		t.Errorf("the server has %v, http.md %v", got, documented)
	}
}

// faulty are rooms that fail in ways that a test can hardly make real rooms fail.
type faulty struct {
	web.Rooms
	err   error
	panic any
}

func (f faulty) Read(context.Context, room.Session) (*holtpb.Frame, error) {
	if f.panic != nil {
		panic(f.panic)
	}
	return nil, f.err
}

func TestFaultsOfTheServer(t *testing.T) {
	for _, c := range []struct {
		name   string
		fault  faulty
		status int
		code   string
	}{
		{"storage", faulty{err: fmt.Errorf("%w: disk full", room.ErrStorage)}, 503, "storage"},
		{"fenced", faulty{err: room.ErrFenced}, 503, "storage"},
		{"busy", faulty{err: room.ErrBusy}, 503, "busy"},
		{"too late", faulty{err: context.DeadlineExceeded}, 503, "busy"},
		{"stopping", faulty{err: room.ErrStopping}, 503, "stopping"},
		{"unforeseen", faulty{err: fmt.Errorf("secret detail")}, 500, "internal"},
		{"panic", faulty{panic: "secret detail"}, 500, "internal"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStack(t, func(cfg *web.Config) {
				c.fault.Rooms = cfg.Rooms
				cfg.Rooms = c.fault
			})
			k := s.open("chess")
			a := s.get(k.api(""), k.bearer()...)
			checkProblem(t, a, c.status, c.code)
			if c.status == 503 && a.Header.Get("Retry-After") == "" {
				t.Error("no Retry-After")
			}
			if strings.Contains(a.body, "secret detail") {
				t.Errorf("the client sees the fault: %s", a.body)
			}
			if c.status == 500 && !strings.Contains(s.log.String(), "secret detail") {
				t.Error("the fault is not in the log")
			}
			if again := s.get("/healthz"); again.StatusCode != http.StatusOK {
				t.Errorf("afterwards: %s", again.Status)
			}
		})
	}
	t.Run("health", func(t *testing.T) {
		s := newStack(t, func(cfg *web.Config) {
			cfg.Health = func(context.Context) error { return room.ErrStorage }
		})
		checkProblem(t, s.get("/healthz"), 503, "storage")
	})
	t.Run("health with damaged objects", func(t *testing.T) {
		s := newStack(t, func(cfg *web.Config) { cfg.ObjectsDamaged = func() bool { return true } })
		if a := s.get("/healthz"); a.StatusCode != http.StatusOK ||
			!strings.HasPrefix(a.body, "ok, but the objects of this server are damaged") {
			t.Errorf("%s: %s", a.Status, a.body)
		}
	})
	t.Run("health after a part of the data was lost", func(t *testing.T) {
		s := newStack(t, func(cfg *web.Config) { cfg.Losses = func() int { return 2 } })
		if a := s.get("/healthz"); a.StatusCode != http.StatusOK ||
			!strings.HasPrefix(a.body, "ok, but a part of the data was lost") {
			t.Errorf("%s: %s", a.Status, a.body)
		}
	})
}

func TestTooFast(t *testing.T) {
	s := newStack(t, func(cfg *web.Config) {
		cfg.Limits = web.Limits{
			Tables:   web.Rate{PerSecond: 0.001, Burst: 2},
			Seats:    web.Rate{PerSecond: 0.001, Burst: 1},
			Failures: web.Rate{PerSecond: 0.001, Burst: 2},
			Streams:  web.Rate{PerSecond: 0.001, Burst: 1},
			Updates:  web.Rate{PerSecond: 0.001, Burst: 45}, // a bad batch counts as 20 more
			Exports:  web.Rate{PerSecond: 0.001, Burst: 2},
		}
	})
	tooFast := func(a answer) {
		t.Helper()
		checkProblem(t, a, 429, "too-fast")
		if after, err := time.ParseDuration(a.Header.Get("Retry-After") + "s"); err != nil ||
			after < time.Second {
			t.Errorf("Retry-After is %q", a.Header.Get("Retry-After"))
		}
	}
	k, other := s.open("chess"), s.open("chess")
	tooFast(s.post("/api/v1/tables", `{"game":"chess"}`))

	s.join(k, k.Invites.Player, "Bob")
	tooFast(s.post(k.api("/seats"), `{"invite":"`+secretOf(k.Invites.Player)+`","nick":"Eve"}`))

	batch := func(n int) string {
		u := make([]string, n)
		for i := range u {
			u[i] = fmt.Sprintf(`{"seq":%d,"op":"explode"}`, i+1)
		}
		return fmt.Sprintf(`{"client":%q,"epoch":1,"updates":[%s]}`, clientID, strings.Join(u, ","))
	}
	checkProblem(t, s.post(k.api("/updates"), batch(1), k.bearer()...), 422, "unknown-operation")
	checkProblem(t, s.post(k.api("/updates"), batch(1), k.bearer()...), 422, "unknown-operation")
	checkProblem(t, s.post(k.api("/updates"), `rubbish`, k.bearer()...), 400, "malformed")
	tooFast(s.post(k.api("/updates"), batch(1), k.bearer()...))
	// T16: other seats have their own
	checkProblem(t, s.post(other.api("/updates"), batch(1), other.bearer()...), 422,
		"unknown-operation")

	for range 2 {
		if a := s.get(k.api("/fairness"), k.bearer()...); a.StatusCode != http.StatusOK {
			t.Errorf("F14 an export: %s", a.Status)
		}
	}
	tooFast(s.get(k.api("/fairness"), k.bearer()...))
	if a := s.get(other.api("/fairness"), other.bearer()...); a.StatusCode != http.StatusOK {
		t.Errorf("F14 another seat's: %s", a.Status)
	}

	s.stream(k, clientID)
	tooFast(s.get(k.api("/stream?client="+clientID), append(k.bearer(),
		"Connection", "Upgrade", "Upgrade", "websocket",
		"Sec-WebSocket-Version", "13", "Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==",
		"Sec-WebSocket-Protocol", "holt.v1")...))

	s.stream(other, clientID) // S9: seats do not wait for each other's streams either

	for range 2 {
		checkProblem(t, s.get(k.api(""), "Authorization", "Bearer wrong"), 401, "no-seat")
	}
	tooFast(s.get(k.api(""), "Authorization", "Bearer wrong"))
	if a := s.get("/join/guess"); a.StatusCode != http.StatusTooManyRequests {
		t.Errorf("a guessed invite: %s", a.Status)
	}
	if a := s.get(k.api(""), k.bearer()...); a.StatusCode != http.StatusOK {
		t.Errorf("S9 guesses at the same address lock a seat out: %s", a.Status)
	}
	if a := s.get("/join/" + secretOf(k.Invites.Player)); a.StatusCode != http.StatusOK {
		t.Errorf("and an invite: %s", a.Status)
	}
}
