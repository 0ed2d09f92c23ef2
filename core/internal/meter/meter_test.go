package meter

import (
	"sync/atomic"
	"testing"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

func TestMeterLooksAtBoundedDistance(t *testing.T) {
	var stop atomic.Uint32
	m := New(&stop, nil)
	for range 10 {
		if err := m.Add(interval); err != nil {
			t.Fatal(err)
		}
	}
	stop.Store(1)
	steps := 0
	for ; m.Add(100) == nil; steps += 100 {
		if steps > interval {
			t.Fatalf("%d steps after the stop word was set", steps)
		}
	}
	if err := m.Add(2 * interval).(*abi.Error); err.Code != abi.Cancelled {
		t.Error(err)
	}
	if New(nil, nil).Add(1<<30) != nil {
		t.Error("a meter without a stop word stopped")
	}
}

func TestMeterGivesWay(t *testing.T) {
	yields := 0
	m := New(nil, func() { yields++ })
	for range 100 {
		if err := m.Add(interval / 2); err != nil {
			t.Fatal(err)
		}
	}
	if yields < 49 || yields > 51 {
		t.Errorf("%d yields in 50 intervals", yields)
	}
}

func TestAccount(t *testing.T) {
	a := NewAccount(100)
	for _, step := range []struct {
		take, used int64
		ok         bool
	}{{60, 60, true}, {41, 60, false}, {40, 100, true}, {1, 100, false}, {1 << 62, 100, false}, {0, 100, true}} {
		if err := a.Take(step.take); (err == nil) != step.ok || a.Used() != step.used {
			t.Errorf("Take(%d): %v, %d used, want %d", step.take, err, a.Used(), step.used)
		}
	}
	a.Give(100)
	if err := NewAccount(0).Take(1 << 60); err != nil || a.Used() != 0 {
		t.Error("no limit, or giving back, does not work")
	}
}
