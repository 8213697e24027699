package web

import "time"

// Shares of the memory that the server may use, from which on it takes in nothing new: first no tables and seats, then no streams
// either. Those who play go on.
const (
	fullForSeats   = 0.6
	fullForStreams = 0.8
)

// fullAgain is when those who are turned away for want of memory should come back.
const fullAgain = 15 * time.Second

// roomFor returns an error if so large a share of the memory is in use.
func (s *Server) roomFor(share float64) error {
	if s.memory == nil || s.memory() < share {
		return nil
	}
	return &problem{Code: "busy", Detail: "the server has too little memory left for more people", After: fullAgain}
}
