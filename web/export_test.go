package web

import (
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"holt/server/proto/holtpb"
	"holt/server/tables/room"
	"holt/static"
)

// Statuses returns the problem codes with the status of each.
func Statuses() map[string]int {
	all := map[string]int{}
	for code, c := range codes {
		all[code] = c.status
	}
	return all
}

// Parts returns the files of all parts of the client.
func Parts() []string {
	parts, err := partFiles(static.Files)
	if err != nil {
		panic(err)
	}
	return parts
}

// PartNames returns the names under which a server serves the parts.
func (s *Server) PartNames() string { return s.assets.parts }

// TableRoutes returns the method and the pattern of every address that names a table.
func (s *Server) TableRoutes() (all [][2]string) {
	_ = chi.Walk(s.routes().(chi.Routes), func(
		method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler,
	) error {
		if strings.Contains(route, "{table}") {
			all = append(all, [2]string{method, route})
		}
		return nil
	})
	return all
}

// Upward returns what takes the batches of a seat that come on a new stream by datagrams (D39).
func (s *Server) Upward(
	session room.Session,
) func(m *holtpb.Updates, answer func(*holtpb.Event)) {
	return s.newUpward(session).receive
}
