// Writes how Node spells numbers: node vectors.js nano > nano.txt, and
// node vectors.js number > number.txt. Each line is an input and its spelling.
let state = 1n
const below = n => { // the same numbers in every run
  state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn
  return Number((state >> 11n) % BigInt(n))
}
const lines = new Map()
if (process.argv[2] === 'nano') {
  const put = n => { if (Math.abs(n) < 1e15) lines.set(String(n), String(n / 1e9)) }
  for (let p = 1; p <= 1e15; p *= 10) for (let d = -2; d <= 2; d++) { put(p + d); put(-(p + d)); put(p * 5 + d) }
  for (let n = 0; n <= 1100; n++) put(n)
  for (let i = 0; i < 3000; i++) { const n = below(10 ** (1 + i % 15)); put(i % 3 ? n : -n) }
} else {
  const put = s => lines.set(s, String(Number(s)))
  for (let e = -299; e <= 284; e += 7) for (const d of ['1', '9.99999999999999', '123456789012345']) put(d + 'e' + (e - (d.length > 10 && d[1] !== '.' ? 1 : 0)))
  for (let e = -25; e <= 25; e++) for (const d of ['1', '12', '-1.5', '100', '123456789012345', '0.10']) put(d + 'e' + e)
  for (let i = 0; i < 2000; i++) {
    const d = String(1 + below(10 ** (1 + i % 15) - 1)), k = below(d.length + 1)
    put((i % 3 ? '' : '-') + (d.slice(0, k) || '0') + '.' + (d.slice(k) || '0') + (i % 2 ? 'E' + (below(560) - 280) : ''))
  }
  for (let p = 2 ** 53 - 1; p > 2 ** 53 - 40; p--) put('-' + p)
}
const fix = s => s.replace(/^(-?)0+(?=\d)/, '$1') // no leading zeros
for (const [k, v] of lines) console.log(fix(k) + ' ' + v)
