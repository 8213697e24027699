package web

import (
	"bytes"
	"net/http"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/tables/room"
)

// Bounds of a message of operations on components (C17).
const (
	maxComponentBytes = 256 << 10
	maxComponentOps   = 1000
)

// typeComponents is the media type of a WireMessage (C8).
const typeComponents = "application/x-protobuf"

// apiComponents answers with all components that the seat may see, as one message (C17).
func (s *Server) apiComponents(
	w http.ResponseWriter, r *http.Request, session room.Session,
) error {
	if err := s.limits.updates.take(keyOf(session), componentsCost); err != nil {
		return err
	}
	message, err := s.rooms.Components(r.Context(), session)
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", typeComponents)
	noStore(w)
	w.WriteHeader(http.StatusOK)
	//nolint:gosec // no browser takes this type for a page; the client may have gone
	_, _ = w.Write(message)
	return nil
}

// componentsCost is how many updates a read of all components counts as.
const componentsCost = 50

// apiOperate takes operations on components (C17). It counts one update before it reads the body,
// and the others when it knows how many there are.
func (s *Server) apiOperate(
	w http.ResponseWriter, r *http.Request, session room.Session,
) error {
	if err := s.limits.updates.take(keyOf(session), 1); err != nil {
		return err
	}
	if err := checkType(r, typeComponents); err != nil {
		return err
	}
	m, err := operationsOf(r)
	if err != nil {
		return err
	}
	err = withBody(r, maxComponentBytes, func(body []byte) error {
		m.Ops, err = decodeOps(bytes.Clone(body))
		return err
	})
	if err != nil {
		return err
	}
	if err := s.limits.updates.take(keyOf(session), costOf(m.Ops)-1); err != nil {
		return err
	}
	var corrections []byte
	wants := r.URL.Query().Has("corrections")
	if wants {
		m.Lost = func(won crdt.Op) { corrections = crdt.AppendOp(corrections, &won) }
	}
	if err := s.rooms.Operate(r.Context(), session, m); err != nil {
		return err
	}
	noStore(w)
	if !wants {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	w.Header().Set("Content-Type", typeComponents)
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(corrections)
	return nil
}

// hitTestCost is how many updates a HitTest counts as: the room looks at all pieces for it, while
// others wait.
const hitTestCost = 50

// costOf returns how many updates operations count as.
func costOf(ops []crdt.Op) int {
	n := len(ops)
	for i := range ops {
		if ops[i].Component == schema.HitTest {
			n += hitTestCost - 1
		}
	}
	return n
}

// operationsOf reads the query of a message of operations. It names the version that the client
// knew when it made them (S1), and the client whose stream reports what is refused.
func operationsOf(r *http.Request) (m room.Operations, err error) {
	q := r.URL.Query()
	if !q.Has("epoch") || !q.Has("mark") {
		return m, malformed("the query has not both epoch and mark")
	}
	epoch, err := numberOf(q, "epoch")
	if err != nil {
		return m, err
	}
	mark, err := numberOf(q, "mark")
	if err != nil {
		return m, err
	}
	m.Epoch, m.Version = id.Epoch(epoch), id.Version(mark)
	if m.Life, err = lifeOf(q); err != nil {
		return m, err
	}
	if text := q.Get("client"); text != "" {
		if m.Client, err = id.ParseClient(text); err != nil {
			return m, malformed(err.Error())
		}
	}
	return m, nil
}

// decodeOps returns the operations of a message.
func decodeOps(body []byte) ([]crdt.Op, error) {
	m, err := crdt.Decode(body)
	if err != nil {
		return nil, malformed(err.Error())
	}
	var ops []crdt.Op
	for op := range m.Ops() {
		if len(ops) == maxComponentOps {
			return nil, newProblem("too-large", "a message has at most 1000 operations")
		}
		ops = append(ops, op)
	}
	return ops, nil
}
