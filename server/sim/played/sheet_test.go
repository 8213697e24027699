package played

import (
	"strconv"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/proto/componentpb"
)

// score writes a number into a cell of the score sheet, and waits until everybody sees it there.
func (p *player) score(row, column, points int) {
	p.e.t.Helper()
	of, number := cell(row, column)
	data := schema.Encode(&componentpb.Text{Text: strconv.Itoa(points)})
	p.e.must(p.Put(of, number, data))
	for _, o := range p.e.players {
		o.wait("a number on the score sheet", func() bool {
			return o.scored(row, column) == strconv.Itoa(points)
		})
	}
}

// scored returns what stands in a cell of the score sheet as a player sees it.
func (p *player) scored(row, column int) string {
	p.e.t.Helper()
	data, ok := p.Component(cell(row, column))
	if !ok {
		return ""
	}
	text, err := schema.Decode[componentpb.Text](data)
	p.e.must(err)
	return text.GetText()
}

// cell returns which component a cell of the score sheet is.
func cell(row, column int) (of crdt.Entity, number uint32) {
	return schema.FirstRow + crdt.Entity(row), schema.FirstColumn + uint32(column)
}
