package embed

import (
	"math"
	"testing"
)

// The curves are near the functions: e⁻ˣ to 2·10⁻⁵, GELU to 3 units of 2⁻¹⁶.
func TestCurves(t *testing.T) {
	worst := 0.0
	for x := 0; x < 40*one; x += 97 {
		worst = max(worst, math.Abs(float64(decay(uint32(x)))/(1<<powerBits)-math.Exp(-float64(x)/one)))
	}
	if worst > 2e-5 {
		t.Errorf("decay is off by %g", worst)
	}
	t.Logf("decay is off by %g", worst)
	worst = 0
	for x := -10 * one; x < 10*one; x += 13 {
		v := float64(x) / one
		worst = max(worst, math.Abs(float64(gelu(int32(x)))-one*v*(1+math.Erf(v/math.Sqrt2))/2))
	}
	if worst > 3 {
		t.Errorf("gelu is off by %g units", worst)
	}
	t.Logf("gelu is off by %g units", worst)
	for i, p := range powers[1:] {
		if p >= powers[i] {
			t.Errorf("powers[%d] does not fall", i+1)
		}
	}
}
