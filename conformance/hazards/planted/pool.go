package planted

import "sync"

var buffers sync.Pool

// What a call left in pooled memory reaches the next one.
func pooled(question []string) string {
	b, ok := buffers.Get().(*[]byte)
	if !ok {
		b = new([]byte)
	}
	*b = append(*b, byte(0x61+len(question)))
	s := string(*b)
	buffers.Put(b)
	return s
}
