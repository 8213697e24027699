package peer

import (
	"encoding/binary"
	"testing"

	"holt/server/id"
)

func TestQuestions(t *testing.T) {
	var q Questions
	ada, ben := id.HostID{1}, id.HostID{2}
	n, answer, end, ok := q.Ask(ada, 1)
	if _, _, _, more := q.Ask(ben, 1); !ok || more {
		t.Fatalf("the first: %t, one beyond the bound: %t", ok, more)
	}
	b := append(binary.BigEndian.AppendUint64(nil, n), "yes"...)
	q.Answer(ben, b)
	if len(answer) != 0 {
		t.Error("another host has answered")
	}
	q.Answer(ada, b)
	q.Answer(ada, b)
	if len(answer) != 1 || string(<-answer) != "yes" {
		t.Error("the answer has not come once")
	}
	end()
	n, answer, end, ok = q.Ask(ada, 1)
	end()
	q.Answer(ada, append(binary.BigEndian.AppendUint64(nil, n), 1))
	if !ok || len(answer) != 0 {
		t.Errorf("after the end: %t, %d answers", ok, len(answer))
	}
}
