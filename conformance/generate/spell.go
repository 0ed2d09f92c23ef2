package generate

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A speller writes JSON in one of its many spellings: white space, escapes and
// the order of members vary, the value does not.
type speller struct {
	r     *random
	loose bool // vary at all
}

func (s *speller) space() string {
	if !s.loose || s.r.is(80) {
		return ""
	}
	return pick(s.r, []string{" ", "\n", "\t", "\r\n", "  "})
}

func (s *speller) text(t string) string {
	b := []byte{'"'}
	for i := 0; i < len(t); {
		c, n := utf8.DecodeRuneInString(t[i:])
		i += n
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', byte(c))
		case c < 0x20:
			b = fmt.Appendf(b, `\u%04x`, c)
		case s.loose && s.r.is(4) && c < 0x10000:
			b = fmt.Appendf(b, pick(s.r, []string{`\u%04x`, `\u%04X`}), c)
		case s.loose && s.r.is(10) && c >= 0x10000:
			b = fmt.Appendf(b, `\u%04x\u%04x`, 0xd800+(c-0x10000)>>10, 0xdc00+(c-0x10000)&0x3ff)
		case s.loose && c == '/' && s.r.is(50):
			b = append(b, `\/`...)
		default:
			b = utf8.AppendRune(b, c)
		}
	}
	return string(append(b, '"'))
}

func (s *speller) int(n int64) string { return strconv.FormatInt(n, 10) }
func (s *speller) bool(b bool) string { return strconv.FormatBool(b) }

func (s *speller) array(list []string) string {
	return "[" + s.space() + strings.Join(list, s.space()+","+s.space()) + s.space() + "]"
}

// A member is a name and the JSON of its value.
type member struct{ name, value string }

func (s *speller) object(list []member) string {
	if s.loose && s.r.is(50) {
		shuffle(s.r, list)
	}
	parts := make([]string, len(list))
	for i, m := range list {
		parts[i] = s.text(m.name) + s.space() + ":" + s.space() + m.value
	}
	return "{" + s.space() + strings.Join(parts, s.space()+","+s.space()) + s.space() + "}"
}
