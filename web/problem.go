package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"holt/server/federation/people"
	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/tables/library"
	"holt/server/tables/room"
	"holt/templates"
)

// problem is an error in the form in which HTTP sends it (RFC 9457, http.md).
type problem struct {
	Code   string
	Detail string
	Update *int          // index of the invalid update, nil if there is none
	Piece  *id.Piece     // the piece that stands in the way, nil if there is none
	After  time.Duration // for Retry-After; 0: none
	Allow  string        // methods, for a 405

	unreachable *room.Unreachable // of "away": note puts the reason into words
}

func (p *problem) Error() string { return p.Code + ": " + p.Detail }

// codes are all codes of http.md with their status, and a title that explains them
// to programs. Pages show the messages of the same codes.
var codes = map[string]struct {
	status int
	title  string
}{
	"malformed":           {http.StatusBadRequest, "The request is malformed"},
	"no-seat":             {http.StatusUnauthorized, "You have no seat at this table"},
	"role":                {http.StatusForbidden, "Your seat may not do that"},
	"refused":             {http.StatusForbidden, "That is not possible"},
	"operator":            {http.StatusForbidden, "This page is for who runs the server"},
	"create":              {http.StatusForbidden, "You may not set up a table here"},
	"upload":              {http.StatusForbidden, "You may not bring games here"},
	"game":                {http.StatusUnprocessableEntity, "The game file is not correct"},
	"kinds-full":          {http.StatusInsufficientStorage, "The table has no room for that"},
	"kind-taken":          {http.StatusConflict, "Another kind has that name"},
	"kind-unlike":         {http.StatusConflict, "That would be another sort of piece"},
	"kinds-changed":       {http.StatusConflict, "Somebody else has changed the kinds"},
	"games-full":          {http.StatusInsufficientStorage, "There is no room for this game"},
	"origin":              {http.StatusForbidden, "The request came from another site"},
	"no-table":            {http.StatusNotFound, "There is no such table"},
	"no-invite":           {http.StatusNotFound, "This invite leads nowhere"},
	"renewed-invite":      {http.StatusGone, "This invite link has been replaced"},
	"no-link":             {http.StatusNotFound, "This link does not work any more"},
	"not-found":           {http.StatusNotFound, "There is nothing here"},
	"datagrams":           {http.StatusNotFound, "There are no datagrams here"},
	"dependency":          {http.StatusFailedDependency, "An earlier request was refused"},
	"gone":                {http.StatusGone, "This table was thrown away"},
	"method":              {http.StatusMethodNotAllowed, "This method does not work here"},
	"sequence-reused":     {http.StatusConflict, "The sequence number was used for something else"},
	"epoch":               {http.StatusConflict, "The table was restored to an older state"},
	"client-taken":        {http.StatusConflict, "The client id belongs to another seat"},
	"closed-hands":        {http.StatusConflict, "There are no open hands to watch"},
	"proposed":            {http.StatusConflict, "All are asked about another referee"},
	"last-host":           {http.StatusConflict, "You are the only host"},
	"password":            {http.StatusForbidden, "This table has a password"},
	"closed":              {http.StatusForbidden, "Nobody new may come to this table"},
	"frozen":              {http.StatusForbidden, "The table is frozen"},
	"host-here":           {http.StatusConflict, "A host is at the table"},
	"port-taken":          {http.StatusConflict, "Another program listens there"},
	"rounds":              {http.StatusConflict, "Too many rounds are sealed"},
	"hidden":              {http.StatusConflict, "Something here is hidden"},
	"guests":              {http.StatusConflict, "Somebody's own set lies here"},
	"nothing-to-undo":     {http.StatusConflict, "There is nothing to undo"},
	"changed-since":       {http.StatusConflict, "Something has changed since"},
	"not-last":            {http.StatusConflict, "Something else was done since"},
	"cannot-undo":         {http.StatusConflict, "This cannot be undone"},
	"undo-off":            {http.StatusConflict, "Nothing is undone at this table"},
	"saves-full":          {http.StatusConflict, "The table cannot keep more save points"},
	"save-stays":          {http.StatusConflict, "This save point stays"},
	"question":            {http.StatusConflict, "Somebody is asking already"},
	"round":               {http.StatusConflict, "A round is open already"},
	"not-in-hand":         {http.StatusConflict, "This does not lie in your hand"},
	"attempt":             {http.StatusConflict, "A later stream of this client is open"},
	"handover":            {http.StatusConflict, "No stream of this client can go over"},
	"misdirected":         {http.StatusMisdirectedRequest, "This server is at another address"},
	"too-large":           {http.StatusRequestEntityTooLarge, "The request is too large"},
	"too-heavy":           {http.StatusRequestEntityTooLarge, "That is too much at once"},
	"content-type":        {http.StatusUnsupportedMediaType, "The content type is not understood"},
	"impossible-value":    {http.StatusUnprocessableEntity, "A value is impossible"},
	"unknown-piece":       {http.StatusUnprocessableEntity, "The piece was never shown to you"},
	"unknown-operation":   {http.StatusUnprocessableEntity, "The operation is not known"},
	"tag-from-the-future": {http.StatusUnprocessableEntity, "The mark was never given to you"},
	"sequence-decreasing": {http.StatusUnprocessableEntity, "The sequence number is too low"},
	"too-fast":            {http.StatusTooManyRequests, "That was too fast"},
	"log-full":            {http.StatusInsufficientStorage, "This table is full"},
	"damaged":             {http.StatusInternalServerError, "This table is damaged"},
	"internal":            {http.StatusInternalServerError, "Something broke in the server"},
	"storage": {http.StatusServiceUnavailable,
		"The server cannot store anything at the moment"},
	"away":     {http.StatusServiceUnavailable, "It cannot be reached"},
	"busy":     {http.StatusServiceUnavailable, "The server has too much to do"},
	"stopping": {http.StatusServiceUnavailable, "The server is stopping"},
}

// retryAfter is the pause that a 503 asks for.
const retryAfter = 2 * time.Second

// foreseen maps the errors of other packages to codes. No other code does that.
var foreseen = []struct {
	err  error
	code string
}{
	{room.ErrNoTable, "no-table"},
	{room.ErrGone, "gone"},
	{room.ErrNoSeat, "no-seat"},
	{room.ErrRenewed, "renewed-invite"}, // which is an ErrNoInvite, too
	{room.ErrNoInvite, "no-invite"},
	{room.ErrNoLink, "no-link"},
	{room.ErrVisitor, "refused"},
	{room.ErrNoBlob, "not-found"},
	{library.ErrFull, "games-full"},
	{library.ErrServerFull, "games-full"},
	{game.ErrTooMany, "kinds-full"},
	{game.ErrTaken, "kind-taken"},
	{game.ErrUnlike, "kind-unlike"},
	{room.ErrChanged, "kinds-changed"},
	{room.ErrNoKind, "not-found"},
	{room.ErrRole, "role"},
	{room.ErrFull, "role"},
	{room.ErrLogFull, "log-full"},
	{room.ErrEpoch, "epoch"},
	{room.ErrClient, "client-taken"},
	{room.ErrAttempt, "attempt"},
	{room.ErrHandover, "handover"},
	{room.ErrRounds, "rounds"},
	{room.ErrUndoOff, "undo-off"},
	{room.ErrQuestion, "question"},
	{room.ErrNoQuestion, "not-found"},
	{room.ErrRound, "round"},
	{room.ErrNoRound, "not-found"},
	{room.ErrNotInHand, "not-in-hand"},
	{room.ErrAnswer, "impossible-value"},
	{room.ErrProposed, "proposed"},
	{room.ErrClosedHands, "closed-hands"},
	{room.ErrNoProposal, "not-found"},
	{room.ErrNoSave, "not-found"},
	{room.ErrSavesFull, "saves-full"},
	{room.ErrSaveStays, "save-stays"},
	{room.ErrCards, "hidden"},
	{room.ErrDecks, "hidden"},
	{room.ErrSecrets, "hidden"},
	{room.ErrGuests, "guests"},
	{room.ErrNoDoor, "not-found"},
	{room.ErrDoorHidden, "hidden"},
	{room.ErrOver, "not-found"},
	{room.ErrHands, "impossible-value"},
	{room.ErrLogVersion, "impossible-value"},
	{room.ErrLastHost, "last-host"},
	{room.ErrHostHere, "host-here"},
	{room.ErrClosed, "closed"},
	{room.ErrPassword, "password"},
	{room.ErrBadPassword, "impossible-value"},
	{room.ErrFrozen, "frozen"},
	{ErrPortTaken, "port-taken"},
	{ErrNoAddress, "impossible-value"},
	{room.ErrNoGame, "impossible-value"},
	{room.ErrNoSetup, "impossible-value"},
	{room.ErrPerson, "impossible-value"},
	{room.ErrBusy, "busy"},
	{room.ErrStopping, "stopping"},
	{room.ErrDamaged, "damaged"},
	{room.ErrStorage, "storage"},
	{room.ErrFenced, "storage"},
	{context.DeadlineExceeded, "busy"},
	{context.Canceled, "stopping"}, // the client has gone: nobody reads the answer
}

// problemOf turns any error into a problem. An unforeseen error is internal, and its text is not
// sent.
func problemOf(err error) *problem {
	var p *problem
	var invalid *table.Invalid
	var tooLarge *http.MaxBytesError
	var refused people.Refused
	var absent *room.Unreachable
	var refusal *room.Refusal
	var soon *room.TooSoon
	var undo *room.NoUndo
	var trouble *room.Trouble
	var tooMuch room.TooMuch
	var fast room.TooFast
	var unreadable *library.Unreadable
	var unsavable *room.Unsavable
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &refused):
		return newProblem("refused", string(refused))
	case errors.As(err, &undo):
		return noUndo(undo)
	case errors.As(err, &soon):
		return &problem{Code: "too-fast", Detail: soon.Error(), After: soon.After}
	case errors.As(err, &absent):
		return &problem{Code: "away", After: retryAfter, unreachable: absent}
	case errors.As(err, &refusal):
		return newProblem("refused",
			"it does not let go of it: it may lie on a table, or be on its way already")
	case errors.As(err, &trouble):
		return &problem{
			Code: "storage", Detail: "nothing can be saved, because " + trouble.Reason,
			After: retryAfter,
		}
	case errors.As(err, &invalid):
		p = &problem{Code: invalid.Code, Detail: invalid.Detail}
		if invalid.Index >= 0 {
			p.Update = &invalid.Index
		}
		return p
	case errors.As(err, &tooMuch):
		return newProblem("too-heavy", tooMuch.Error())
	case errors.As(err, &fast):
		return &problem{
			Code: "too-fast", Detail: "more work than the table does for one seat, or for all",
			After: max(fast.After, time.Second),
		}
	case errors.As(err, &unsavable):
		return newProblem("impossible-value", unsavable.Error())
	case errors.As(err, &unreadable):
		return newProblem("game", unreadable.Error())
	case errors.As(err, &tooLarge):
		return &problem{
			Code:   "too-large",
			Detail: fmt.Sprintf("the body has more than %d bytes", tooLarge.Limit),
		}
	}
	for _, f := range foreseen {
		if errors.Is(err, f.err) {
			p = &problem{Code: f.code, Detail: f.err.Error()}
			if isAny(err, room.ErrPerson, game.ErrTaken) {
				p.Detail = err.Error() // it says which name, and what is wrong with it
			}
			if codes[f.code].status == http.StatusServiceUnavailable {
				p.After = retryAfter
			}
			return p
		}
	}
	return newProblem("internal", "the fault is in the server and has been noted there")
}

func (p *problem) status() int { return codes[p.Code].status }

// retryAfter returns the pause that the problem asks for, in seconds; 0 if it asks for none.
func (p *problem) retryAfter() int { return int(math.Ceil(p.After.Seconds())) }

func isAny(err error, targets ...error) bool {
	return slices.ContainsFunc(targets, func(t error) bool { return errors.Is(err, t) })
}

func newProblem(code, detail string) *problem { return &problem{Code: code, Detail: detail} }

func malformed(detail string) error  { return newProblem("malformed", detail) }
func impossible(detail string) error { return newProblem("impossible-value", detail) }
func notFound() error {
	return newProblem("not-found", "no page has this address")
}

// MarshalJSON writes the members of application/problem+json.
func (p *problem) MarshalJSON() ([]byte, error) {
	c := codes[p.Code]
	return json.Marshal(struct {
		Type   string `json:"type"`
		Title  string `json:"title"`
		Status int    `json:"status"`
		Detail string `json:"detail"`
		Code   string `json:"code"`
		Update *int   `json:"update,omitempty"`

		Piece *id.Piece `json:"piece,omitempty"`
	}{"/problems/" + p.Code, c.title, c.status, p.Detail, p.Code, p.Update, p.Piece})
}

// setHeaders sets the headers that belong to the status, in a problem document and on a page alike.
func (p *problem) setHeaders(h http.Header) {
	h.Set("Cache-Control", "no-store")
	if p.After > 0 {
		h.Set("Retry-After", strconv.Itoa(p.retryAfter()))
	}
	if p.Allow != "" {
		h.Set("Allow", p.Allow)
	}
	if p.Code == "no-seat" {
		h.Set("WWW-Authenticate", "Bearer")
	}
}

// refuse answers with the problem of err, as a document for programs.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, err error) {
	p := s.problemFor(r, err)
	body := s.document(r.Context(), p)
	p.setHeaders(w.Header())
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(p.status())
	//nolint:gosec // JSON, and not HTML
	_, _ = w.Write(append(body, '\n')) // the client may have gone
}

// document returns the problem document of p.
func (s *Server) document(ctx context.Context, p *problem) []byte {
	body, err := json.Marshal(p)
	if err != nil {
		s.log.LogAttrs(ctx, slog.LevelError, "write problem", slog.Any("err", err))
	}
	return body
}

// refusePage answers with the problem of err, as a page for people.
func (s *Server) refusePage(w http.ResponseWriter, r *http.Request, err error) {
	p := s.problemFor(r, err)
	p.setHeaders(w.Header())
	title := titleOf(p.Code)
	s.page(w, r, p.status(), templates.Error(s.head(title), templates.ErrorView{
		Status: p.status(),
		Title:  title,
		Text:   adviceOf(p),
		Hints:  hintsFor(p.Code),
		Own:    s.wayOwn(r, p),
	}))
}

// adviceOf says what people can do. Some details are already written for people.
func adviceOf(p *problem) string {
	switch {
	case p.Code == "away" && p.unreachable != nil:
		return templates.Msg("problem.away.waiting", "why", people.Sentence(p.Detail))
	case p.Code == "misdirected":
		return people.Sentence(p.Detail)
	case p.Code == "refused":
		return p.Detail
	}
	if reason, ok := strings.CutPrefix(p.Detail, "nothing can be saved, because "); ok {
		return templates.Msg("problem.storage.because", "reason", reason)
	}
	return adviceFor(p.Code)
}

// problemFor returns the problem of an error, and logs errors of the server.
func (s *Server) problemFor(r *http.Request, err error) *problem {
	return s.problemAt(r.Context(), func() string { return routeOf(r) }, err)
}

// problemAt is problemFor for what did not come by HTTP. route says what was asked for.
func (s *Server) problemAt(ctx context.Context, route func() string, err error) *problem {
	p := problemOf(err)
	if p.unreachable != nil {
		p.Detail = "who has it cannot be reached"
		if s.visits != nil {
			p.Detail = s.visits.Why(p.unreachable.Reason, p.unreachable.Host)
		}
	}
	var trouble *room.Trouble
	switch {
	case ctx.Err() != nil: // the client has gone
	case errors.As(err, &trouble): // the storage has logged it once
	case p.Code == "damaged":
		s.log.LogAttrs(ctx, slog.LevelWarn, "what was asked for is damaged",
			slog.String("route", route()), slog.Any("err", err))
	case p.status() == http.StatusInternalServerError, p.Code == "storage":
		s.log.LogAttrs(ctx, slog.LevelError, "request failed",
			slog.String("route", route()), slog.Any("err", err))
	case p.status() == http.StatusServiceUnavailable:
		s.log.LogAttrs(ctx, slog.LevelWarn, "request turned away",
			slog.String("route", route()), slog.String("detail", p.Detail), slog.Any("err", err))
	}
	return p
}

// titleOf returns the title of a code as pages show it. The documents have the title of codes.
func titleOf(code string) string { return templates.Msg("problem." + code) }

// adviceFor says what people can do about a problem; empty if there is nothing to say.
func adviceFor(code string) string {
	if !templates.HasMsg("problem." + code + ".advice") {
		return ""
	}
	return templates.Msg("problem." + code + ".advice")
}

// hintsFor returns further advice, as a list.
func hintsFor(code string) []string {
	if code != "damaged" {
		return nil
	}
	return []string{
		templates.Msg("problem.damaged.visitor"), templates.Msg("problem.damaged.operator"),
	}
}
