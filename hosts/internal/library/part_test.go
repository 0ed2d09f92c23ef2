package library

import (
	"fmt"
	"testing"

	"github.com/rookhaven-project/rookhaven/hosts/store/index"
)

const mega = 1 << 20

func TestMerges(t *testing.T) {
	segment := func(bytes, documents int64, removed int) part {
		p := part{Segment: index.Segment{Bytes: bytes, Documents: documents}}
		for n := range removed {
			p.removed = append(p.removed, uint32(n))
		}
		return p
	}
	repeat := func(n int, p ...part) (list []part) {
		for range n {
			list = append(list, p...)
		}
		return list
	}
	for _, tt := range []struct {
		name  string
		parts []part
		want  string
	}{
		{"nothing", nil, "[]"},
		{"eight small ones stay", repeat(8, segment(1000, 10, 0)), "[]"},
		{"nine become one", repeat(9, segment(1000, 10, 0)), "[[0 1 2 3 4 5 6 7 8]]"},
		{"large ones stay", repeat(20, segment(10*mega, 10, 0)), "[]"},
		{"and stand apart", append(repeat(2, segment(18*mega, 10, 0)), repeat(9, segment(1000, 10, 0))...), "[[2 3 4 5 6 7 8 9 10]]"},
		{"what is merged is no larger than a batch", repeat(9, segment(7*mega, 10, 0)), "[[0 1] [2 3] [4 5] [6 7]]"},
		{"a quarter may be removed", []part{segment(18*mega, 12, 3)}, "[]"},
		{"more is made anew", []part{segment(18*mega, 12, 0), segment(18*mega, 12, 4)}, "[[1]]"},
		{"alone, where few are small", []part{segment(1000, 12, 4), segment(1000, 12, 0)}, "[[0]]"},
		{"with the small ones, where there are many", append(repeat(8, segment(1000, 12, 0)), segment(1000, 12, 4)), "[[0 1 2 3 4 5 6 7 8]]"},
		{"two stale ones join", repeat(2, segment(10*mega, 12, 6)), "[[0 1]]"},
		{"a merge opens only so much", repeat(10, segment(40*mega, 100, 99)), "[[0 1 2] [3 4 5] [6 7 8] [9]]"},
	} {
		if got := fmt.Sprint(merges(tt.parts)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestTombstones(t *testing.T) {
	for in, ok := range map[string]bool{
		"[0]": true, "[1,5,9]": true, "[9]": true, "[10]": false, "[]": false, "[1,1]": false, "[2,1]": false, "[-1]": false,
		"[1, 5]": false, "[1] ": false, "[1": false, "": false, "{}": false, "[01]": false, "[1.0]": false, `["1"]`: false, "[1]2": false,
	} {
		removed, got := parseTombstones([]byte(in), 10)
		if got != ok {
			t.Errorf("parseTombstones(%q) = %v, %v", in, removed, got)
		}
		if ok && string(appendTombstones(nil, removed)) != in {
			t.Errorf("%q became %s", in, appendTombstones(nil, removed))
		}
	}
}
