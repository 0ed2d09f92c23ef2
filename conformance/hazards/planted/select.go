package planted

func selectOrder([]string) string {
	a, b := make(chan byte, 40), make(chan byte, 40)
	for range 40 {
		a <- 0x61
		b <- 0x62
	}
	s := ""
	for range 40 {
		select {
		case c := <-a:
			s += string(rune(c))
		case c := <-b:
			s += string(rune(c))
		}
	}
	return s
}
