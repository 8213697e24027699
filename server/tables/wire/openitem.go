package wire

import (
	"fmt"

	"google.golang.org/protobuf/proto"

	"holt/server/proto/logpb"
)

// EncodeOpen returns what is stored of something that is open at a table: a *logpb.OpenQuestion or
// a *logpb.OpenRound.
func EncodeOpen(m proto.Message) ([]byte, error) {
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("encode what is open: %w", err)
	}
	return b, nil
}

// DecodeOpenQuestion reads what EncodeOpen has returned for a question.
func DecodeOpenQuestion(b []byte) (*logpb.OpenQuestion, error) {
	m := &logpb.OpenQuestion{}
	if err := proto.Unmarshal(b, m); err != nil {
		return nil, fmt.Errorf("decode a question: %w", err)
	}
	return m, nil
}

// DecodeOpenRound reads what EncodeOpen has returned for a round.
func DecodeOpenRound(b []byte) (*logpb.OpenRound, error) {
	m := &logpb.OpenRound{}
	if err := proto.Unmarshal(b, m); err != nil {
		return nil, fmt.Errorf("decode a round: %w", err)
	}
	return m, nil
}
