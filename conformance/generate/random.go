package generate

// A random is xoshiro256** started from splitmix64, written out here so that no
// version of a library can change what a seed means.
type random struct{ s [4]uint64 }

func newRandom(seed, stream uint64) *random {
	x := seed ^ stream*0x9e3779b97f4a7c15
	var r random
	for i := range r.s {
		x += 0x9e3779b97f4a7c15
		z := x
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		r.s[i] = z ^ z>>31
	}
	return &r
}

func (r *random) next() uint64 {
	rotl := func(x uint64, k int) uint64 { return x<<k | x>>(64-k) }
	s := &r.s
	out := rotl(s[1]*5, 7) * 9
	t := s[1] << 17
	s[2] ^= s[0]
	s[3] ^= s[1]
	s[1] ^= s[2]
	s[0] ^= s[3]
	s[2] ^= t
	s[3] = rotl(s[3], 45)
	return out
}

// n returns a number in [0, n).
func (r *random) n(n int) int { return int(r.next() % uint64(n)) }

// between returns a number in [lo, hi].
func (r *random) between(lo, hi int) int { return lo + r.n(hi-lo+1) }

// is reports true in percent of a hundred cases.
func (r *random) is(percent int) bool { return r.n(100) < percent }

func pick[T any](r *random, list []T) T { return list[r.n(len(list))] }

func shuffle[T any](r *random, list []T) {
	for i := len(list) - 1; i > 0; i-- {
		j := r.n(i + 1)
		list[i], list[j] = list[j], list[i]
	}
}
