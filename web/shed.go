package web

import "time"

// Shares of the memory that the server may use. From the first one on it accepts no new tables and
// seats. From the second one on it accepts no new streams either. Existing streams go on.
const (
	fullForSeats   = 0.6
	fullForStreams = 0.8
)

// fullAgain is the pause that is asked of clients that were refused for lack of memory.
const fullAgain = 15 * time.Second

// roomFor returns an error if so large a share of the memory is in use.
func (s *Server) roomFor(share float64) error {
	if s.memory == nil || s.memory() < share {
		return nil
	}
	return &problem{
		Code: "busy", Detail: "the server has too little memory left for more people",
		After: fullAgain,
	}
}
