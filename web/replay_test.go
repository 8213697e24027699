package web_test

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	api "holt/server/client"
	"holt/server/proto/holtpb"
)

// replayPage reads a page of a replay.
func (s *stack) replayPage(t *testing.T, k seat, query string) *holtpb.Replay {
	t.Helper()
	return s.pageOf(t, k, "/replay"+query)
}

// pageOf reads a page of frames.
func (s *stack) pageOf(t *testing.T, k seat, path string) *holtpb.Replay {
	t.Helper()
	a := s.get(k.api(path), k.bearer()...)
	if a.StatusCode != http.StatusOK || a.Header.Get("Content-Type") != "application/x-protobuf" ||
		a.Header.Get("Cache-Control") != "no-store" {
		t.Fatalf("%s: %s %v %s", path, a.Status, a.Header, a.body)
	}
	var page holtpb.Replay
	if err := proto.Unmarshal([]byte(a.body), &page); err != nil {
		t.Fatal(err)
	}
	return &page
}

func TestReplayByHTTP(t *testing.T) {
	s := newStack(t)
	k := s.open("chess")
	ben := s.join(k, k.Invites.Player, "Ben")
	var table api.Document
	s.get(k.api(""), k.bearer()...).json(t, &table)
	a := s.post(k.api("/updates"), fmt.Sprintf(
		`{"client":"q83vEjRWeJCrze8SNFZ4kA","epoch":%d,"updates":[`+
			`{"op":"move","seq":1,"piece":%d,"tag":%d,"x":7,"y":8}]}`,
		table.Epoch, table.Pieces[9].ID, table.Pieces[9].Mark), k.bearer()...)
	if a.StatusCode != http.StatusAccepted {
		t.Fatalf("%s %s", a.Status, a.body)
	}
	t.Run("T73.1, T73.8 each seat gets frames, and those after a time", func(t *testing.T) {
		for _, who := range []seat{k, ben} {
			page := s.replayPage(t, who, "")
			frames := page.GetFrames()
			if len(frames) < 2 || page.GetNext() != 0 || page.GetDropped() ||
				len(frames[0].GetEvents()[0].GetFull().GetPieces()) != len(table.Pieces) {
				t.Fatalf("the page is %v", page)
			}
			events := frames[len(frames)-1].GetEvents()
			if got := events[len(events)-1].GetUpdate().GetPiece().GetX(); got != 7 {
				t.Errorf("the last event is %v", events)
			}
			rest := s.replayPage(t, who, fmt.Sprint("?after=", frames[0].GetTime()))
			if len(rest.GetFrames()) != len(frames)-1 ||
				!proto.Equal(rest.GetFrames()[0], frames[1]) {
				t.Errorf("after the first frame come %v", rest)
			}
		}
	})
	t.Run("T73.18 recorded motion comes apart from it", func(t *testing.T) {
		if page := s.pageOf(t, k, "/replay/motion"); len(page.GetFrames())+int(page.GetNext()) != 0 {
			t.Errorf("nothing is recorded, and it is %v", page)
		}
		wantProblem(t, "no open hands", s.get(k.api("/replay/motion?hands=open"), k.bearer()...),
			http.StatusConflict, "closed-hands")
		if a := s.get(k.api("/replay/motion")); a.StatusCode != http.StatusUnauthorized {
			t.Errorf("without a seat it answers %s", a.Status)
		}
	})
	t.Run("T73.1 nobody else gets it, and a wrong query is refused", func(t *testing.T) {
		for _, path := range []string{k.api("/replay"), "/t/" + k.Table + "/replay"} {
			if a := s.get(path); a.StatusCode != http.StatusUnauthorized {
				t.Errorf("without a seat %s answers %s", path, a.Status)
			}
		}
		wantProblem(t, "a word", s.get(k.api("/replay?after=x"), k.bearer()...),
			http.StatusBadRequest, "malformed")
		wantProblem(t, "zero", s.get(k.api("/replay?after=0"), k.bearer()...),
			http.StatusUnprocessableEntity, "impossible-value")
	})
	t.Run("T73.12 the page has what the file needs", func(t *testing.T) {
		page := s.get("/t/"+k.Table+"/replay", k.bearer()...)
		attribute := func(name string) string {
			found := regexp.MustCompile(name + `="([^"]*)"`).FindStringSubmatch(page.body)
			if found == nil {
				t.Fatalf("the page has no %s: %s", name, page.body)
			}
			return found[1]
		}
		if got := attribute("data-replay"); got != "/t/"+k.Table {
			t.Errorf("it leads back to %q", got)
		}
		script := s.get(attribute("data-file-script"))
		sum := sha256.Sum256([]byte(script.body))
		if got := attribute("data-file-hash"); got != base64.StdEncoding.EncodeToString(sum[:]) {
			t.Errorf("the hash is %q", got)
		}
		for _, bad := range []string{"</script", "<!--"} {
			if strings.Contains(script.body, bad) {
				t.Errorf("the script would be cut off at %q", bad)
			}
		}
		style := s.get(attribute("data-file-style"))
		if !strings.Contains(style.body, ".replay-bar") || strings.Contains(style.body, "</style") {
			t.Errorf("the style has %d bytes and is not that of a replay", len(style.body))
		}
	})
}
