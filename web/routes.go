package web

import (
	"net/http"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"holt/server/tables/room"
)

// routes returns the handler of all addresses of the server (http.md).
func (s *Server) routes() http.Handler {
	r := chi.NewRouter()
	r.Use(s.clientAddress, s.observe, s.harden, middleware.GetHead)
	r.NotFound(s.notFound)
	r.MethodNotAllowed(s.methodNotAllowed)

	// For people.
	r.Get("/", s.pages(s.getHome))
	r.Post("/tables", s.pages(s.postTables))
	r.Get("/create/{secret}", s.pages(s.getCreate))
	r.Get("/own", s.pages(s.getOwn))
	r.Post("/own", s.pages(s.postOwn))
	r.Get("/join/{invite}", s.pages(s.getJoin))
	r.Post("/join/{invite}", s.pages(s.postJoin))
	r.Get("/seat/{link}", s.pages(s.getSeatLink))
	r.Post("/seat/{link}", s.pages(s.postSeatLink))
	r.Get("/t/{table}", s.pages(s.getTable))
	r.Get("/t/{table}/fairness", s.pages(s.atSeat(s.getFairness)))
	r.Get("/t/{table}/replay", s.pages(s.atSeat(s.getReplay)))
	r.Get("/problems/{code}", s.pages(s.getProblem))

	// For programs.
	r.Get("/api/v1/games", s.api(s.apiGames))
	r.Post("/api/v1/games", s.api(s.apiBringGame))
	r.Get("/api/v1/linked-games", s.api(s.apiLinkedGames))
	r.Post("/api/v1/linked-games", s.api(s.apiBringLinkedGame))
	r.Get("/api/v1/games/{game}", s.api(s.apiGame))
	r.Delete("/api/v1/games/{game}", s.api(s.apiForgetGame))
	r.Get("/api/v1/games/{game}/texts", s.api(s.apiTexts))
	r.Get("/api/v1/games/{game}/versions", s.api(s.apiVersions))
	r.Post("/api/v1/games/{game}/newest", s.api(s.apiBringBack))
	r.Get("/api/v1/games/{game}/file", s.api(s.apiGameFile))
	r.Get("/api/v1/games/{game}/rules", s.api(s.apiGameRules))
	r.Post("/api/v1/tables", s.api(s.apiCreate))
	r.Post(seatsPath, s.api(s.apiTakeSeat))
	r.Post("/api/v1/tables/{table}/seats", s.api(s.apiTakeSeat))
	r.Delete("/api/v1/tables/{table}/seats/{seat}", s.api(s.atSeat(s.apiEndSeat)))
	r.Get("/api/v1/tables/{table}/seats/me/data", s.api(s.atSeat(s.apiOwnData)))
	r.Delete("/api/v1/tables/{table}/seats/{seat}/data", s.api(s.atSeat(s.apiErase)))
	r.Post("/api/v1/tables/{table}/seats/{seat}/side", s.api(s.atSeat(s.apiTakeSide)))
	r.Post("/api/v1/tables/{table}/seats/{seat}/role", s.api(s.atSeat(s.apiGiveRole)))
	r.Post("/api/v1/tables/{table}/seats/{seat}/edit", s.api(s.atSeat(s.apiLetEdit)))
	r.Get("/api/v1/tables/{table}/game", s.api(s.atSeat(s.apiDraftGame)))
	r.Post("/api/v1/tables/{table}/game", s.api(s.atSeat(s.apiSaveGame)))
	r.Post("/api/v1/tables/{table}/kinds", s.api(s.atSeat(s.apiAddKinds)))
	r.Post("/api/v1/tables/{table}/uploads", s.api(s.atSeat(s.apiBeginArrival)))
	r.Get("/api/v1/tables/{table}/uploads/{upload}", s.api(s.atSeat(s.apiArrival)))
	r.Put("/api/v1/tables/{table}/uploads/{upload}", s.api(s.atSeat(s.apiArrivalPart)))
	r.Delete("/api/v1/tables/{table}/uploads/{upload}", s.api(s.atSeat(s.apiForgetArrival)))
	r.Post("/api/v1/tables/{table}/uploads/{upload}/kinds",
		s.api(s.atSeat(s.apiAddArrivedKinds)))
	r.Post("/api/v1/tables/{table}/seats/{seat}/referee", s.api(s.atSeat(s.apiPropose)))
	r.Post("/api/v1/tables/{table}/referee", s.api(s.atSeat(s.apiAnswerProposal)))
	r.Post("/api/v1/tables/{table}/seats/me/stand", s.api(s.atSeat(s.apiStandUp)))
	r.Post("/api/v1/tables/{table}/seats/me/sit", s.api(s.atSeat(s.apiSitDown)))
	r.Post("/api/v1/tables/{table}/host", s.api(s.atSeat(s.apiVoteHost)))
	r.Post("/api/v1/tables/{table}/undo", s.api(s.atSeat(s.apiUndo)))
	r.Post("/api/v1/tables/{table}/undo/{question}", s.api(s.atSeat(s.apiAnswerUndo)))
	r.Post("/api/v1/tables/{table}/round", s.api(s.atSeat(s.apiBeginRound)))
	r.Post("/api/v1/tables/{table}/round/{round}", s.api(s.atSeat(s.apiChoose)))
	r.Post("/api/v1/tables/{table}/round/{round}/end", s.api(s.atSeat(s.apiEndRound)))
	r.Get("/api/v1/tables/{table}/rules", s.api(s.atSeat(s.apiRules)))
	r.Get("/api/v1/tables/{table}/credits", s.api(s.atSeat(s.apiCredits)))
	r.Get("/api/v1/tables/{table}/rules/file", s.api(s.atSeat(s.apiRulesFile)))
	r.Get("/api/v1/tables/{table}/saves", s.api(s.atSeat(s.apiSaves)))
	r.Post("/api/v1/tables/{table}/saves", s.api(s.atSeat(s.apiSave)))
	r.Delete("/api/v1/tables/{table}/saves/{save}", s.api(s.atSeat(s.apiDeleteSave)))
	r.Post("/api/v1/tables/{table}/rewind", s.api(s.atSeat(s.apiRewind)))
	r.Post("/api/v1/tables/{table}/seats/{seat}/link", s.api(s.atSeat(s.apiLinkSeat)))
	r.Post("/api/v1/tables/{table}/logout", s.api(s.atSeat(s.apiLogOut)))
	r.Get("/api/v1/tables/{table}", s.api(s.atSeat(s.apiRead)))
	r.Delete("/api/v1/tables/{table}", s.api(s.atSeat(s.apiDelete)))
	r.Post("/api/v1/tables/{table}/copy", s.api(s.atSeat(s.apiCopy)))
	r.Delete("/api/v1/tables/{table}/history", s.api(s.atSeat(s.apiDropHistory)))
	r.Post("/api/v1/tables/{table}/updates", s.api(s.atSeat(s.apiUpdate)))
	r.Get("/api/v1/tables/{table}/invites", s.api(s.atSeat(s.apiInvites)))
	r.Post("/api/v1/tables/{table}/invites", s.api(s.atSeat(s.apiRenewInvites)))
	r.Post("/api/v1/tables/{table}/password", s.api(s.atSeat(s.apiPassword)))
	r.Post("/api/v1/tables/{table}/network", s.api(s.atSeat(s.apiListen)))
	r.Get("/api/v1/tables/{table}/log", s.api(s.atSeat(s.apiLog)))
	r.Get("/api/v1/tables/{table}/replay", s.api(s.atSeat(s.apiReplay)))
	r.Get("/api/v1/tables/{table}/replay/motion", s.api(s.atSeat(s.apiReplayMotion)))
	r.Post("/api/v1/tables/{table}/hands", s.api(s.atSeat(s.apiOpenHands)))
	r.Get("/api/v1/tables/{table}/fairness", s.api(s.atSeat(s.apiFairness)))
	r.Post("/api/v1/tables/{table}/rounds", s.api(s.atSeat(s.apiOpenRound)))
	r.Get("/api/v1/tables/{table}/components", s.api(s.atSeat(s.apiComponents)))
	r.Post("/api/v1/tables/{table}/components", s.api(s.atSeat(s.apiOperate)))
	r.Get("/api/v1/tables/{table}/bag", s.api(s.apiBag))
	r.Post("/api/v1/tables/{table}/bag", s.api(s.apiChangeBag))
	r.Get("/api/v1/tables/{table}/stream", s.api(s.apiStream))
	r.Post("/api/v1/tables/{table}/datagrams", s.api(s.atSeat(s.apiDatagrams)))
	r.Get("/api/v1/tables/{table}/replica", s.api(s.apiReplica))
	r.Get("/healthz", s.api(s.getHealth))

	// Named by their content, so they never change.
	r.Get("/art/{hash}", s.api(s.getArt))
	r.Get("/art/{hash}/album", s.api(s.getAlbum))
	r.Get("/art/{hash}/in/{language}", s.api(s.getTranslated))
	r.Get("/assets/*", s.api(s.getAsset))

	// For people and servers of linked servers.
	if s.visits != nil {
		r.Get("/bag", s.pages(s.getBag))
		r.Post("/bag", s.pages(s.postBag))
		r.Get("/bag/{key}", s.pages(s.getKey))
		r.Post("/bag/{key}", s.pages(s.postKey))
		r.Get("/go", s.pages(s.getGo))
		r.Post("/go", s.pages(s.postGo))
		r.Get("/api/v1/tables/{table}/doors", s.api(s.apiDoors))
		r.Post("/api/v1/tables/{table}/doors", s.api(s.apiMakeDoor))
		r.Post("/api/v1/tables/{table}/doors/{piece}", s.api(s.apiOpenDoor))
		r.Delete("/api/v1/tables/{table}/doors/{piece}", s.api(s.apiRemoveDoor))
		r.Post("/api/v1/tables/{table}/doors/{piece}/send", s.api(s.apiSend))
		r.Get("/visit", s.pages(s.getVisit))
		r.Post("/visit", s.pages(s.postVisit))
	}
	if s.servers != nil {
		r.Get("/servers", s.pages(s.getServers))
		r.Post("/servers", s.pages(s.postServers))
	}
	if s.peers != nil {
		r.Get("/api/v1/peer", s.api(s.apiPeer))
	}
	return r
}

// handler answers a request, or returns why it cannot.
type handler func(w http.ResponseWriter, r *http.Request) error

// atSeat authenticates who asks before it calls h.
func (s *Server) atSeat(
	h func(w http.ResponseWriter, r *http.Request, session room.Session) error,
) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		session, err := s.session(r)
		if err != nil {
			return err
		}
		return h(w, r, session)
	}
}

// api makes a handler whose errors are problem documents.
func (s *Server) api(h handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := h(w, r); err != nil {
			s.refuse(w, r, err)
		}
	}
}

// pages makes a handler whose errors are pages.
func (s *Server) pages(h handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := h(w, r); err != nil {
			s.refusePage(w, r, err)
		}
	}
}

// refuseFor answers with a problem document or a page: programs use some addresses, people the
// others.
func (s *Server) refuseFor(w http.ResponseWriter, r *http.Request, err error) {
	for _, prefix := range []string{"/api/", "/art/", "/assets/", "/healthz"} {
		if strings.HasPrefix(r.URL.Path, prefix) {
			s.refuse(w, r, err)
			return
		}
	}
	s.refusePage(w, r, err)
}

func (s *Server) notFound(w http.ResponseWriter, r *http.Request) { s.refuseFor(w, r, notFound()) }

func (s *Server) methodNotAllowed(w http.ResponseWriter, r *http.Request) {
	var allow []string
	routes := chi.RouteContext(r.Context()).Routes
	for _, m := range []string{http.MethodGet, http.MethodPost, http.MethodDelete} {
		if routes.Match(chi.NewRouteContext(), m, r.URL.Path) {
			allow = append(allow, m)
		}
	}
	if slices.Contains(allow, http.MethodGet) {
		allow = append(allow, http.MethodHead)
	}
	s.refuseFor(w, r, &problem{
		Code: "method", Detail: "this address takes " + strings.Join(allow, ", "),
		Allow: strings.Join(allow, ", "),
	})
}

// routeOf returns the pattern that r matched. Unlike the path it contains no secrets.
func routeOf(r *http.Request) string {
	if c := chi.RouteContext(r.Context()); c != nil && c.RoutePattern() != "" {
		return c.RoutePattern()
	}
	return "none"
}
