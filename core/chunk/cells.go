package chunk

import "strings"

// cells is a range of cells of a sheet; rows and columns count from 1.
type cells struct{ column, row, lastColumn, lastRow int64 }

// parseCells reads A1:C7 or A1.
func parseCells(s string) (c cells, ok bool) {
	first, last, pair := strings.Cut(s, ":")
	if !pair {
		last = first
	}
	var one, two bool
	c.column, c.row, one = parseCell(first)
	c.lastColumn, c.lastRow, two = parseCell(last)
	return c, one && two && c.column <= c.lastColumn && c.row <= c.lastRow
}

func parseCell(s string) (column, row int64, ok bool) {
	i := 0
	for i < len(s) && i < 4 && s[i] >= 'A' && s[i] <= 'Z' {
		column = 26*column + int64(s[i]-'A'+1)
		i++
	}
	digits := s[i:]
	if i == 0 || len(digits) > 9 || !isDigits(digits) {
		return 0, 0, false
	}
	for _, d := range []byte(digits) {
		row = 10*row + int64(d-'0')
	}
	return column, row, row > 0
}

// String returns c as A1:C7.
func (c cells) String() string {
	b := appendRow(appendColumn(nil, c.column), c.row)
	b = append(b, ':')
	return string(appendRow(appendColumn(b, c.lastColumn), c.lastRow))
}

func appendColumn(dst []byte, n int64) []byte {
	var buf [8]byte
	i := len(buf)
	for ; n > 0; n = (n - 1) / 26 {
		i--
		buf[i] = byte('A' + (n-1)%26)
	}
	return append(dst, buf[i:]...)
}

func appendRow(dst []byte, n int64) []byte {
	var buf [20]byte
	i := len(buf)
	for ; n > 0; n /= 10 {
		i--
		buf[i] = byte('0' + n%10)
	}
	return append(dst, buf[i:]...)
}
