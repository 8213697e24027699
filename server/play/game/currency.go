package game

// currency is money or chips: heaps with a value, which are split and merged (T34).
var currency = ability{
	field: "currency", called: "currency", written: true,
	has:  func(k *Kind) bool { return k.Currency > 0 },
	read: func(o object, k *Kind) { k.Currency = readCurrency(o) },
	offers: func(*Kind, []Kind) []Offer {
		return []Offer{{Op: "split", Key: "v", Label: "Take some off",
			Asks: []Ask{number("How much?", 1, MaxValue-1, 1)}}}
	},
}

// catalogCurrency is the form of currency in a catalogue (docs/protocol/http.md).
type catalogCurrency struct {
	Initial int32 `json:"initial"`
}

// currencyOf returns the form of a kind's currency in a catalogue, nil if it is not currency.
func currencyOf(k *Kind) *catalogCurrency {
	if k.Currency == 0 {
		return nil
	}
	return &catalogCurrency{Initial: k.Currency}
}

func readCurrency(kind object) int32 {
	if !kind.has("currency") {
		return 0
	}
	o := kind.r.object(kind.get("currency"), kind.where+": currency", "initial")
	return o.integer("initial", 1, MaxValue)
}
