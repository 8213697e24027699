package web

// Statuses are the codes of problems with the status of each.
func Statuses() map[string]int {
	all := map[string]int{}
	for code, c := range codes {
		all[code] = c.status
	}
	return all
}
