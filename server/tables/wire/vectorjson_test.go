package wire

import (
	"encoding/hex"
	"strings"

	"holt/server/play/table"
	"holt/server/proto/holtpb"
)

// frameJSON returns a frame as the page has it.
func frameJSON(f *holtpb.Frame) map[string]any {
	events := []any{}
	for _, e := range f.GetEvents() {
		if m := eventJSON(e); m != nil {
			events = append(events, m)
		}
	}
	return map[string]any{"time": f.GetTime(), "mark": f.GetMark(), "events": events}
}

func eventJSON(e *holtpb.Event) map[string]any {
	switch e := e.GetEvent().(type) {
	case *holtpb.Event_Full:
		seats, pieces := []any{}, []any{}
		for _, s := range e.Full.GetSeats() {
			seats = append(seats, seatJSON(s))
		}
		for _, p := range e.Full.GetPieces() {
			pieces = append(pieces, pieceJSON(p, true))
		}
		m := map[string]any{
			"type": "full", "epoch": e.Full.GetEpoch(), "you": e.Full.GetYou(),
			"table": tableJSON(e.Full.GetTable()), "seats": seats, "pieces": pieces,
		}
		var holds []any
		for _, h := range e.Full.GetHolds() {
			holds = append(holds, holdsJSON(h))
		}
		if holds != nil {
			m["holds"] = holds
		}
		setsJSON(m, e.Full.GetSets())
		if r := e.Full.GetRandomness(); r != nil {
			shares := []any{}
			for _, s := range r.GetShares() {
				shares = append(shares, map[string]any{
					"seat": s.GetSeat(), "hash": hex.EncodeToString(s.GetHash()),
					"entropy": hex.EncodeToString(s.GetEntropy()),
				})
			}
			m["randomness"] = map[string]any{
				"round": r.GetRound(), "commitment": hex.EncodeToString(r.GetCommitment()),
				"mix": r.GetMix(), "revealing": r.GetRevealing(),
				"closing": hex.EncodeToString(r.GetClosing()),
				"pool":    hex.EncodeToString(r.GetPool()), "shares": shares,
			}
		}
		if c := e.Full.GetComponents(); c != nil {
			m["components"] = hex.EncodeToString(c)
		}
		return m
	case *holtpb.Event_Components:
		return map[string]any{"type": "components", "components": hex.EncodeToString(e.Components)}
	case *holtpb.Event_Refused:
		r := e.Refused
		return map[string]any{
			"type": "refused", "entity": r.GetEntity(), "component": r.GetComponent(),
			"timestamp": r.GetTimestamp(), "reason": int32(r.GetReason()),
		}
	case *holtpb.Event_Update:
		op := enumName("OP_", holtpb.Op_name[int32(e.Update.GetOp())])
		return map[string]any{
			"type": "update", "piece": pieceJSON(e.Update.GetPiece(), false),
			"by": e.Update.GetBy(), "op": op,
		}
	case *holtpb.Event_Ack:
		return map[string]any{
			"type": "ack", "seq": e.Ack.GetSeq(), "piece": pieceJSON(e.Ack.GetPiece(), false),
			"made": e.Ack.GetMade(),
		}
	case *holtpb.Event_Reject:
		reason := enumName("REASON_", holtpb.Reason_name[int32(e.Reject.GetReason())])
		return map[string]any{
			"type": "reject", "seq": e.Reject.GetSeq(), "reason": reason,
			"piece": pieceJSON(e.Reject.GetPiece(), true), "by": e.Reject.GetBy(),
		}
	case *holtpb.Event_Seat:
		m := seatJSON(e.Seat)
		m["type"] = "seat"
		return m
	case *holtpb.Event_Table:
		m := tableJSON(e.Table)
		m["type"] = "table"
		return m
	case *holtpb.Event_Going:
		return map[string]any{
			"type": "going", "afterMs": e.Going.GetAfterMs(), "final": e.Going.GetFinal(),
			"by": e.Going.GetBy(),
		}
	case *holtpb.Event_Shuffled:
		return map[string]any{
			"type": "shuffled", "by": e.Shuffled.GetBy(),
			"pieces": append([]uint32{}, e.Shuffled.GetPieces()...),
		}
	case *holtpb.Event_Motions:
		return pathsJSON("motions", e.Motions)
	case *holtpb.Event_Cursors:
		return pathsJSON("cursors", e.Cursors)
	case *holtpb.Event_Answer:
		a := e.Answer
		return map[string]any{
			"type": "answer", "request": a.GetRequest(), "status": a.GetStatus(),
			"retryAfter": a.GetRetryAfter(), "problem": a.GetProblem(),
		}
	case *holtpb.Event_Pong:
		return map[string]any{"type": "pong", "nonce": e.Pong.GetNonce()}
	case *holtpb.Event_Resumed:
		seats := []any{}
		for _, s := range e.Resumed.GetSeats() {
			seats = append(seats, seatJSON(s))
		}
		m := map[string]any{"type": "resumed", "seats": seats}
		setsJSON(m, e.Resumed.GetSets())
		if c := e.Resumed.GetCatalog(); c != nil {
			m["catalog"] = hex.EncodeToString(c)
		}
		return m
	case *holtpb.Event_Set:
		m := setJSON(e.Set)
		m["type"] = "set"
		return m
	case *holtpb.Event_Space:
		return map[string]any{
			"type": "space", "level": int32(e.Space.GetLevel()), "dropped": e.Space.GetDropped(),
		}
	case *holtpb.Event_Fair:
		m := fairJSON(e.Fair)
		m["type"], m["round"] = "fair", e.Fair.GetRound()
		return m
	case *holtpb.Event_Holds:
		m := holdsJSON(e.Holds)
		m["type"] = "holds"
		return m
	case *holtpb.Event_Said:
		s := e.Said
		return map[string]any{
			"type": "said", "line": s.GetLine(), "by": s.GetBy(), "at": s.GetAt(),
			"text": s.GetText(), "to": s.GetTo(),
		}
	case *holtpb.Event_Unsaid:
		return map[string]any{
			"type": "unsaid", "line": e.Unsaid.GetLine(), "by": e.Unsaid.GetBy(),
		}
	case *holtpb.Event_Notice:
		n := e.Notice
		return map[string]any{
			"type": "notice", "by": n.GetBy(), "op": enumName("OP_", n.GetOp().String()),
			"piece": n.GetPiece(), "count": n.GetCount(), "seat": n.GetSeat(),
		}
	case *holtpb.Event_Faces:
		f := e.Faces
		return map[string]any{
			"type": "faces", "by": f.GetBy(), "op": enumName("OP_", f.GetOp().String()),
			"piece": f.GetPiece(), "kinds": append([]uint32{}, f.GetKinds()...),
			"face": f.GetFace(),
		}
	case *holtpb.Event_Question:
		q, ghosts := e.Question, []any{}
		for _, g := range q.GetGhosts() {
			ghosts = append(ghosts, map[string]any{
				"piece": g.GetPiece(), "into": g.GetInto(), "x": g.GetX(), "y": g.GetY(),
				"angle": g.GetAngle(), "kind": g.GetKind(), "goes": g.GetGoes(),
			})
		}
		return map[string]any{
			"type": "question", "id": q.GetId(), "by": q.GetBy(),
			"op":     enumName("OP_", q.GetOp().String()),
			"pieces": append([]uint32{}, q.GetPieces()...), "ends": q.GetEnds(),
			"asked":  append([]uint32{}, q.GetAsked()...),
			"agreed": append([]uint32{}, q.GetAgreed()...),
			"state":  int32(q.GetState()), "refusedBy": q.GetRefusedBy(), "ghosts": ghosts,
		}
	case *holtpb.Event_Round:
		r := e.Round
		shown := []any{}
		for _, c := range r.GetShown() {
			shown = append(shown, choiceJSON(c))
		}
		return map[string]any{
			"type": "round", "id": r.GetId(), "by": r.GetBy(), "title": r.GetTitle(),
			"asked": append([]uint32{}, r.GetAsked()...),
			"ready": append([]uint32{}, r.GetReady()...),
			"state": int32(r.GetState()), "own": choiceJSON(r.GetOwn()), "shown": shown,
		}
	default:
		return nil
	}
}

func choiceJSON(c *holtpb.Choice) map[string]any {
	return map[string]any{
		"seat": c.GetSeat(), "pieces": append([]uint32{}, c.GetPieces()...), "text": c.GetText(),
	}
}

func fairJSON(m *holtpb.Fair) map[string]any {
	text := hex.EncodeToString
	switch f := m.GetFact().(type) {
	case *holtpb.Fair_Opened:
		return map[string]any{
			"fact": "opened", "commitment": text(f.Opened.GetCommitment()),
			"before": text(f.Opened.GetBefore()),
		}
	case *holtpb.Fair_Committed:
		return map[string]any{
			"fact": "committed", "mix": f.Committed.GetMix(), "seat": f.Committed.GetSeat(),
			"hash": text(f.Committed.GetHash()),
		}
	case *holtpb.Fair_Closed:
		return map[string]any{
			"fact": "closed", "mix": f.Closed.GetMix(), "closing": text(f.Closed.GetClosing()),
		}
	case *holtpb.Fair_Revealed:
		return map[string]any{
			"fact": "revealed", "mix": f.Revealed.GetMix(), "share": f.Revealed.GetShare(),
			"entropy": text(f.Revealed.GetEntropy()),
		}
	case *holtpb.Fair_Mixed:
		return map[string]any{
			"fact": "mixed", "mix": f.Mixed.GetMix(),
			"withheld": append([]uint32{}, f.Mixed.GetWithheld()...),
			"pool":     text(f.Mixed.GetPool()),
		}
	case *holtpb.Fair_Drawn:
		return map[string]any{
			"fact": "drawn", "audience": f.Drawn.GetAudience(), "number": f.Drawn.GetNumber(),
			"mix": f.Drawn.GetMix(), "seal": text(f.Drawn.GetSeal()),
		}
	case *holtpb.Fair_Told:
		return map[string]any{"fact": "told", "seed": text(f.Told.GetSeed())}
	default:
		return map[string]any{"fact": "unknown"}
	}
}

func setsJSON(to map[string]any, sets []*holtpb.GuestSet) {
	var all []any
	for _, s := range sets {
		all = append(all, setJSON(s))
	}
	if all != nil {
		to["sets"] = all
	}
}

func setJSON(s *holtpb.GuestSet) map[string]any {
	away := table.Away(s.GetAway()).String()
	if s.GetAway() > holtpb.Absence_ABSENCE_LOST { // a future reason
		away = "lost"
	}
	return map[string]any{
		"id": s.GetId(), "by": s.GetBy(), "away": away, "until": s.GetUntil(), "gone": s.GetGone(),
	}
}

func holdsJSON(h *holtpb.Holds) map[string]any {
	return map[string]any{
		"piece": h.GetPiece(), "kinds": append([]uint32{}, h.GetKinds()...),
		"counts": append([]uint32{}, h.GetCounts()...),
	}
}

func pathsJSON(what string, p *holtpb.Paths) map[string]any {
	return map[string]any{
		"type": what, "lag": p.GetLag(), "span": p.GetSpan(),
		"ids": append([]uint32{}, p.GetIds()...),
		"x":   append([]int32{}, p.GetX()...), "y": append([]int32{}, p.GetY()...),
		"dx": append([]int32{}, p.GetDx()...), "dy": append([]int32{}, p.GetDy()...),
	}
}

// pieceJSON returns a piece, complete or with the fields that are present besides its name and
// version.
func pieceJSON(p *holtpb.Piece, whole bool) map[string]any {
	if p == nil {
		p = &holtpb.Piece{}
	}
	m := map[string]any{"id": p.GetId(), "mark": p.GetMark()}
	field := func(name string, present bool, v any) {
		if present || whole {
			m[name] = v
		}
	}
	field("kind", p.Kind != nil, p.GetKind())
	field("x", p.X != nil, p.GetX())
	field("y", p.Y != nil, p.GetY())
	field("angle", p.Angle != nil, p.GetAngle())
	field("face", p.Face != nil, p.GetFace())
	field("z", p.Z != nil, p.GetZ())
	field("zMark", p.ZMark != nil, p.GetZMark())
	field("pinned", p.Pinned != nil, p.GetPinned())
	field("locked", p.Locked != nil, p.GetLocked())
	field("holder", p.Holder != nil, p.GetHolder())
	field("owner", p.Owner != nil, p.GetOwner())
	field("gone", p.Gone != nil, p.GetGone())
	if p.Renamed != nil {
		m["renamed"] = p.GetRenamed()
	}
	if p.Value != nil {
		m["value"] = p.GetValue()
	}
	if p.Set != nil {
		m["set"] = p.GetSet()
	}
	if p.Text != nil {
		m["text"] = p.GetText()
	}
	if p.GetTeam() != nil {
		m["team"] = append([]uint32{}, p.GetTeam().GetSeats()...)
	}
	if c := p.GetClock(); c != nil {
		m["clock"] = map[string]any{
			"running": c.GetRunning(), "since": c.GetSince(), "left1": c.GetLeft1(),
			"left2": c.GetLeft2(), "initial": c.GetInitial(), "increment": c.GetIncrement(),
		}
	}
	if c := p.GetCurves(); c != nil {
		all := []map[string]any{}
		for _, of := range c.GetCurves() {
			all = append(all, map[string]any{
				"property": of.GetProperty(), "start": of.GetStart(), "rate": of.GetRate(),
				"max": of.GetMax(),
			})
		}
		m["curves"] = map[string]any{"from": c.GetFrom(), "curves": all}
	}
	return m
}

func seatJSON(s *holtpb.Seat) map[string]any {
	role := enumName("ROLE_", holtpb.Role_name[int32(s.GetRole())])
	return map[string]any{
		"id": s.GetId(), "nick": s.GetNick(), "colour": s.GetColour(), "role": role,
		"presence": enumName("PRESENCE_", holtpb.Presence_name[int32(s.GetPresence())]),
	}
}

func tableJSON(i *holtpb.TableInfo) map[string]any {
	return map[string]any{
		"title": i.GetTitle(), "width": i.GetWidth(), "height": i.GetHeight(),
		"surface": i.GetSurface(), "catalog": hex.EncodeToString(i.GetCatalog()),
	}
}

// enumName returns OP_STALE_LOOSE as stale-loose; a value without a name is unspecified.
func enumName(prefix, name string) string {
	if name == "" {
		return "unspecified"
	}
	return strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(name, prefix), "_", "-"))
}
