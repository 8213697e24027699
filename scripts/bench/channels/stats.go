package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// estimate is a mean of some seeds with the 95 % confidence interval of Student's t.
type estimate struct {
	mean, low, high float64
}

// students has the 97.5 % quantiles of Student's distribution by degrees of freedom, from 1 on.
var students = []float64{
	12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
	2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
	2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
}

// student returns the quantile for n values.
func student(n int) float64 {
	switch {
	case n < 2:
		return math.Inf(1)
	case n-2 < len(students):
		return students[n-2]
	default:
		return 1.96 + 2.5/float64(n-1)
	}
}

// estimated returns the mean of the values that are numbers.
func estimated(all []float64) estimate {
	values := slices.DeleteFunc(slices.Clone(all), math.IsNaN)
	n := float64(len(values))
	sum, squares := 0.0, 0.0
	for _, v := range values {
		sum += v
	}
	mean := sum / n
	for _, v := range values {
		squares += (v - mean) * (v - mean)
	}
	if len(values) < 2 {
		return estimate{mean, math.Inf(-1), math.Inf(1)}
	}
	half := student(len(values)) * math.Sqrt(squares/(n-1)/n)
	return estimate{mean, mean - half, mean + half}
}

// ratioOf returns the geometric mean of a/b. Values of one place belong to one seed: both ways got
// the same messages over the same line.
func ratioOf(a, b []float64) estimate {
	logs := make([]float64, len(a))
	for i := range a {
		logs[i] = math.Log(a[i] / b[i])
	}
	e := estimated(logs)
	return estimate{math.Exp(e.mean), math.Exp(e.low), math.Exp(e.high)}
}

// none stands for what has no value.
const none = "–"

// String returns the mean and half of the interval.
func (e estimate) String() string {
	if math.IsNaN(e.mean) {
		return none
	}
	return fmt.Sprintf("%s ± %s", digits(e.mean), digits((e.high-e.low)/2))
}

// between returns the mean and the interval, for ratios.
func (e estimate) between() string {
	if math.IsNaN(e.mean) {
		return none
	}
	return fmt.Sprintf("%.2f (%.2f–%.2f)", e.mean, e.low, e.high)
}

// digits formats a number with at least two significant digits, and at most one after the point.
func digits(v float64) string {
	if math.Abs(v) < 10 {
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 0, 64)
}
