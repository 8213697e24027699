package game

import (
	"errors"
	"fmt"
)

const maxSVGDrawn = 100_000 // elements, each counted as often as references draw it

var errTooMuch = fmt.Errorf("draws more than %d elements", maxSVGDrawn)

// checkDrawn returns an error for references in a circle, and if all elements with their references
// draw more than maxSVGDrawn elements.
func (c *svgCheck) checkDrawn() error {
	const busy = -1
	// The number of elements that the drawing of an element draws, or busy while it is being
	// counted.
	drawn := make(map[int]int)
	var count func(i int) (int, error)
	count = func(i int) (int, error) {
		if n, ok := drawn[i]; ok {
			if n == busy {
				return 0, errors.New("references lead in a circle")
			}
			return n, nil
		}
		drawn[i] = busy
		total := 0
		for _, e := range c.elements[i:c.elements[i].end] {
			if total++; total > maxSVGDrawn {
				return 0, errTooMuch
			}
			for _, ref := range e.refs {
				target, ok := c.byID[ref]
				if !ok {
					continue // it draws nothing
				}
				n, err := count(target)
				if err != nil {
					return 0, err
				}
				if total += n; total > maxSVGDrawn {
					return 0, errTooMuch
				}
			}
		}
		drawn[i] = total
		return total, nil
	}
	_, err := count(0)
	return err
}
