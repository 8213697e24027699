package web

import (
	"time"

	"holt/server/tables/room"
)

// Shares of the memory that the server may use. From the first one on it accepts no new tables and
// seats. From the second one on it accepts no new streams either. Existing streams go on.
const (
	seatsMemoryLimit   = 0.6
	streamsMemoryLimit = 0.8
)

// memoryRetryAfter is the pause that is asked of clients that were refused for lack of memory.
const memoryRetryAfter = 15 * time.Second

// checkMemory returns an error if so large a share of the memory is in use.
func (s *Server) checkMemory(share float64) error {
	if s.memory == nil || s.memory() < share {
		return nil
	}
	return &problem{
		Code: "busy", Detail: "the server has too little memory left for more people",
		After: memoryRetryAfter,
	}
}

// admitStream returns why a seat may not open a stream now, and counts it if it may.
func (s *Server) admitStream(session room.Session) error {
	if err := s.checkMemory(streamsMemoryLimit); err != nil {
		return err
	}
	return s.limits.streams.take(keyOf(session), 1)
}
