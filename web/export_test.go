package web

// Statuses are the codes of problems with the status of each.
func Statuses() map[string]int {
	all := map[string]int{}
	for code, c := range codes {
		all[code] = c.status
	}
	return all
}

// Parts are the files of all parts of the client.
func Parts() []string { return parts }

// PartNames are the names under which a server serves them.
func (s *Server) PartNames() string { return s.assets.parts }
