package people

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"

	"holt/server/federation/behaviour"
	"holt/server/federation/object"
	"holt/server/federation/peer"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/tables/room"
)

// Place says where a set is.
type Place string

// The places.
const (
	InBag     Place = "bag"       // with the person's own host, on no table
	OnTable   Place = "table"     // on a table, which Table names if it is one of Host
	Elsewhere Place = "elsewhere" // another host has it
	Away      Place = "away"      // it cannot be reached
)

// Item is a set in a bag.
type Item struct {
	Set  id.OID
	Name string
	Place
	// The host that has the set, or that has the table, or for which this one waits; zero: not
	// known.
	Host  id.HostID
	Table id.OID
	// Reason and Until say why the set is unreachable, and until when its owner is not asked again.
	// If Until is 0, the owner is asked again when it announces that it is back.
	Reason table.Away
	Until  id.Millis
	// Copy is the time of the frozen copy, if it can be used again because the owner was given up
	// (O41); 0: there is none.
	Copy id.Millis
	// Newer says that there are newer versions of its kinds, which the person has not declined, and
	// that the set can have them now (O30).
	Newer bool
	// With are the sets of the same bag that belong with this one (O53), in order.
	With []id.OID
	// Thrown are sets that belong with this one and were thrown away. Their person can take them
	// back. The list is empty for everybody but the person's own host.
	Thrown []Thrown
}

// Thrown is a set that was thrown away, and can be taken back.
type Thrown struct {
	Set  id.OID
	Name string
}

// maxItems is how many sets of a bag are shown. maxShown is how many characters of a text of
// another host are shown.
const (
	maxItems = 500
	maxShown = 200
)

// Bag returns what is in the bag of a person, whatever their home server is. The error is a
// *room.Unreachable if the home server cannot be reached.
func (v *Visits) Bag(ctx context.Context, person id.OID) ([]Item, error) {
	if person.Creator() == v.Self() {
		return v.items(ctx, person)
	}
	a, err := v.ask(ctx, person.Creator(), request{Do: doBag, Person: person.String()})
	if err != nil {
		return nil, err
	}
	var items []Item
	known := map[id.OID]bool{}
	for _, i := range a.Items[:min(len(a.Items), maxItems)] {
		item, ok := i.item()
		if !ok {
			v.cfg.Links.Refused(person.Creator(), id.OID{}, "a bag that cannot be read")
			return nil, &room.Unreachable{Reason: table.AwayOwner}
		}
		// The home server learns nothing of other sets.
		if item.Set.Creator() == person.Creator() {
			v.findTable(ctx, &item)
		}
		items = append(items, item)
		known[item.Set] = true
	}
	for n := range items {
		items[n].With = slices.DeleteFunc(
			items[n].With, func(set id.OID) bool { return !known[set] || set == items[n].Set },
		)
	}
	return items, nil
}

// findTable finds out on which table a set lies that has moved here. Its home knows only that it is
// here.
func (v *Visits) findTable(ctx context.Context, i *Item) {
	if i.Place != Elsewhere || i.Host != v.Self() {
		return
	}
	_, on, err := v.cfg.Objects.About(ctx, i.Set)
	if err == nil && !on.IsZero() {
		i.Place, i.Table = OnTable, on
	} else if err == nil {
		i.Newer = v.isNewer(ctx, i.Set)
	}
}

// do carries out doBring, doHome, doLeave, doAdopt or doKeep for a set of a person.
func (v *Visits) do(ctx context.Context, person, set id.OID, what string) error {
	home := person.Creator()
	if home == v.Self() {
		return v.moveForPerson(ctx, person, set, what, home)
	}
	_, err := v.ask(ctx, home, request{Do: what, Person: person.String(), Set: set.String()})
	return err
}

// Bring lets a set of a person be put on a table of this host. The error is a Refused if this host
// does not allow that.
func (v *Visits) Bring(ctx context.Context, person, set id.OID) error {
	home := person.Creator()
	if home == v.Self() {
		return nil
	}
	if err := v.mayBring(home); err != nil {
		return err
	}
	return v.do(ctx, person, set, doBring)
}

// mayBring returns a Refused unless sets of people of a host may lie on tables of this one.
func (v *Visits) mayBring(home id.HostID) error {
	if k, ok := v.cfg.Links.Link(home); !ok || k.State != peer.Active || !k.Gives.Has(peer.Bring) {
		return Refused("This server does not let people of " + v.Name(home) +
			" put their own pieces on its tables. Whoever runs it can allow that.")
	}
	return nil
}

// TakeHome moves a set to the person's own host.
func (v *Visits) TakeHome(ctx context.Context, person, set id.OID) error {
	return v.do(ctx, person, set, doHome)
}

// Leave lets a set of a visitor stay at this host. The error is a Refused if the person is at home
// here.
func (v *Visits) Leave(ctx context.Context, person, set id.OID) error {
	if person.Creator() == v.Self() {
		return Refused("You are at home: it stays in your bag.")
	}
	return v.do(ctx, person, set, doLeave)
}

// inBag returns an error unless a person of this host has a set. A box is not a set: it stays here
// (O53).
func (v *Visits) inBag(ctx context.Context, person, set id.OID) error {
	has, err := v.cfg.Objects.Has(ctx, person, set)
	var boxes []id.OID
	if err == nil && has {
		boxes, err = v.cfg.Objects.Boxes(ctx, []id.OID{set})
	}
	if err == nil && (!has || len(boxes) > 0) {
		err = errNotInBag
	}
	return err
}

const errNotInBag = Refused("That is not in your bag.")

// Carried returns the name of a set that is in the bag of a person of this host. The error is a
// Refused if it is not there.
func (v *Visits) Carried(ctx context.Context, person, set id.OID) (name string, err error) {
	if err := v.inBag(ctx, person, set); err != nil {
		return "", err
	}
	name, _ = v.cfg.Store.SetName(ctx, set) // if this fails, it has no name
	return name, nil
}

// moveForPerson does at the person's own host what the host at has asked for.
func (v *Visits) moveForPerson(
	ctx context.Context, person, set id.OID, what string, at id.HostID,
) error {
	if err := v.inBag(ctx, person, set); err != nil {
		return err
	}
	owner, err := v.cfg.Objects.Where(ctx, set)
	if err != nil {
		return err
	}
	switch what {
	case doBring:
		return v.cfg.Objects.Give(ctx, set, at)
	case doLeave:
		if owner == at {
			return nil
		}
		if owner != v.Self() {
			return Refused("It is neither here nor at home. Take it home first.")
		}
		return v.cfg.Objects.Move(ctx, set, at)
	case doAdopt, doKeep:
		if owner != v.Self() {
			return Refused("It is not at home. Take it home first.")
		}
		return v.decideHere(ctx, set, what)
	}
	if owner != v.Self() {
		if err := v.freeToMove(ctx, person, set); err != nil {
			return err
		}
		return v.cfg.Objects.Bring(ctx, set)
	}
	_, on, err := v.cfg.Objects.About(ctx, set)
	switch {
	case err != nil || on.IsZero() || on.Creator() == v.Self():
		return err
	// The table there must give it back, or its person must take it at home.
	case at != v.Self():
		return Refused(
			"It lies on a table. It comes home when it is taken off there, or from your bag at home.",
		)
	}
	return v.cfg.Objects.Recall(ctx, set)
}

// lookers is how many sets of a bag are looked up at once. The bound of 16 calls of one object
// (O14) does not matter here: each set is another object.
const lookers = 16

// items finds out what is in the bag of a person of this host.
func (v *Visits) items(ctx context.Context, person id.OID) ([]Item, error) {
	b, err := v.open(ctx, person)
	if err != nil {
		return nil, err
	}
	all := b.sets[:min(len(b.sets), maxItems)]
	items := make([]Item, len(all))
	var next atomic.Int64
	var looking sync.WaitGroup
	for range min(lookers, len(all)) {
		looking.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(all)); i = next.Add(1) - 1 {
				items[i] = v.item(ctx, all[i])
			}
		})
	}
	looking.Wait()
	for i := range items {
		v.addTies(ctx, &items[i], b)
	}
	return items, nil
}

// Thaw uses the frozen copy of a set of a person of this host again (O41). The error is a Refused
// if that cannot be done.
func (v *Visits) Thaw(ctx context.Context, person, set id.OID) error {
	if err := v.inBag(ctx, person, set); err != nil {
		return err
	}
	err := v.cfg.Objects.Thaw(ctx, set)
	switch {
	case errors.Is(err, object.ErrNoCopy):
		return Refused("There is no copy of it here.")
	case errors.Is(err, object.ErrInUse):
		return Refused(
			"The server that has it may come back. Whoever runs this server can end the link to it.",
		)
	case errors.Is(err, object.ErrUnready):
		return Refused(
			"This server was restored, and waits for other servers first. Try again later.",
		)
	}
	return err
}

func (v *Visits) item(ctx context.Context, set id.OID) Item {
	i := Item{Set: set}
	i.Name, _ = v.cfg.Store.SetName(ctx, set) // if this fails, it has no name
	owner, err := v.cfg.Objects.Where(ctx, set)
	var absent *room.Unreachable
	switch {
	case errors.As(err, &absent):
		i.Place, i.Reason, i.Until, i.Host = Away, absent.Reason, absent.Until, absent.Host
		i.Copy, _ = v.cfg.Objects.Copy(ctx, set) // if this fails, no copy is offered now
		return i
	case err != nil:
		i.Place = Away
		return i
	case owner != v.Self():
		i.Place, i.Host = Elsewhere, owner
		return i
	}
	name, on, err := v.cfg.Objects.About(ctx, set)
	if err == nil && name != "" && name != i.Name {
		if err := v.cfg.Store.NameSet(ctx, set, name); err != nil {
			v.cfg.Log.Warn("what a set is called is not kept", "set", set, "error", err)
		}
		i.Name = name
	}
	i.Place, i.Host = InBag, v.Self()
	if !on.IsZero() {
		i.Place, i.Host, i.Table = OnTable, on.Creator(), on
	} else if err == nil {
		i.Newer = v.isNewer(ctx, set)
	}
	return i
}

// itemsOf answers the request of another host for a bag.
func (v *Visits) itemsOf(ctx context.Context, person id.OID) response {
	items, err := v.items(ctx, person)
	if err != nil {
		return v.sentenceOf(err)
	}
	a := response{Items: make([]itemJSON, 0, len(items))}
	for _, i := range items {
		j := itemJSON{
			Set: i.Set.String(), Name: i.Name, Place: string(i.Place), Host: i.Host.String(),
			Reason: uint8(i.Reason), Until: i.Until, Newer: i.Newer,
		}
		for _, set := range i.With {
			j.With = append(j.With, set.String())
		}
		if !i.Table.IsZero() {
			j.Table = i.Table.String()
		}
		a.Items = append(a.Items, j)
	}
	return a
}

// item reads what another host says of a set.
func (j itemJSON) item() (Item, bool) {
	i := Item{
		Name: plain(j.Name), Place: Place(j.Place), Reason: table.Away(j.Reason),
		Until: max(0, j.Until), Newer: j.Newer && Place(j.Place) == InBag,
	}
	var errs [4]error
	i.Set, errs[0] = id.ParseOID(j.Set)
	if j.Table != "" {
		i.Table, errs[1] = id.ParseOID(j.Table)
	}
	i.Host, errs[2] = parseHost(j.Host)
	for _, text := range j.With[:min(len(j.With), behaviour.MaxBoxed)] {
		set, err := id.ParseOID(text)
		i.With, errs[3] = append(i.With, set), errors.Join(errs[3], err)
	}
	known := i.Place == InBag || i.Place == OnTable || i.Place == Elsewhere || i.Place == Away
	return i, errors.Join(errs[:]...) == nil && known && i.Reason <= table.AwayLost
}

func parseHost(text string) (id.HostID, error) {
	o, err := id.ParseOID(text + "0000000000000000") // an OID begins with its host
	return o.Creator(), err
}

// plain makes one line of printable characters of a text of another host.
func plain(text string) string {
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	r := []rune(text)
	return string(r[:min(len(r), maxShown)])
}

// reasonText says why a set is unreachable.
func reasonText(a table.Away) string {
	switch a {
	case table.AwayCreator:
		return "nobody can be asked where it is"
	case table.AwayFrozen:
		return "it is on its way to another server"
	case table.AwayStranger:
		return "it belongs to a server that this one does not know"
	case table.AwayLost:
		return "the server to which it belongs has lost it"
	default:
		return "the server to which it belongs does not answer"
	}
}

// Why says in words why a set is unreachable, for which host this one waits, and what would end it
// (O43).
func (v *Visits) Why(a table.Away, host id.HostID) string {
	if host == (id.HostID{}) || host == v.Self() {
		return reasonText(a)
	}
	name := v.Name(host)
	switch a {
	case table.AwayCreator:
		return name + " made it and does not answer, and nobody else knows where it is"
	case table.AwayFrozen:
		return "it waits for " + name + ": it comes back when " + name + " answers"
	case table.AwayStranger:
		return "it is on " + name + ", and this server is not linked with that"
	case table.AwayOwner:
		if _, linked := v.Linked(host); !linked {
			return "it was on " + name + ", and this server is not linked with that any more"
		}
		return "it is on " + name + ", which does not answer: it comes back when " +
			name + " is there again"
	default:
		return reasonText(a)
	}
}

// mayCome reports whether people of a host may sit down here.
func (v *Visits) mayCome(host id.HostID) bool {
	k, ok := v.cfg.Links.Link(host)
	return ok && k.State == peer.Active && k.Gives.Has(peer.Visit)
}
