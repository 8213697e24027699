package wire

import (
	"encoding/json"
	"strconv"

	"holt/server/play/table"
)

// AppendBatch appends b in the form that DecodeBatch reads.
func AppendBatch(to []byte, b Batch) []byte {
	to = append(to, `{"client":"`...)
	to = append(to, b.Client.String()...)
	to = append(to, `","epoch":`...)
	to = strconv.AppendUint(to, uint64(b.Epoch), 10)
	to = append(to, `,"updates":[`...)
	for i := range b.Updates {
		if i > 0 {
			to = append(to, ',')
		}
		to = appendUpdate(to, &b.Updates[i])
	}
	return append(to, "]}"...)
}

// UpdateSize returns how many bytes an update takes in a batch.
func UpdateSize(u *table.Update) int { return len(appendUpdate(nil, u)) }

func appendUpdate(to []byte, u *table.Update) []byte {
	to = append(to, `{"op":"`...)
	to = append(to, u.Op.String()...)
	to = append(to, `","seq":`...)
	to = strconv.AppendUint(to, uint64(u.Seq), 10)
	for i := range table.Arguments {
		a := &table.Arguments[i]
		if u.Has&a.Field == 0 {
			continue
		}
		to = append(to, ',', '"')
		to = append(to, a.Name...)
		to = append(to, '"', ':')
		switch a.Form {
		case table.FormNumber:
			to = strconv.AppendInt(to, a.Get(u), 10)
		case table.FormFlag:
			to = append(to, "true"...)
		case table.FormText:
			text, _ := json.Marshal(u.Text) // a string can always be encoded
			to = append(to, text...)
		case table.FormLevel:
			to = append(append(append(to, '"'), u.Z...), '"')
		case table.FormSet:
			to = append(append(append(to, '"'), u.Set.String()...), '"')
		case table.FormPieces:
			to = appendList(to, u.Pieces)
		case table.FormAnswers:
			to = appendList(to, u.Answers)
		}
	}
	return append(to, '}')
}

func appendList[N ~int32 | ~uint32](to []byte, list []N) []byte {
	to = append(to, '[')
	for i, n := range list {
		if i > 0 {
			to = append(to, ',')
		}
		to = strconv.AppendInt(to, int64(n), 10)
	}
	return append(to, ']')
}
