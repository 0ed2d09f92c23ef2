// Writes commonmark.jsonl and tables.jsonl: texts of random pieces of Markdown, and
// the blocks that other parsers find in them. README.md says how to run it.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { Parser } from 'commonmark'

const pieces = [
  '# ', '## ', '###', '####### ', '#', '> ', '>', '- ', '* ', '+ ', '1. ', '2) ', '10. ', '-', '*', '1.',
  '    ', '  ', ' ', '   ', '\t', '```', '~~~', '````', '~~~~', '```go', '===', '---', '--', '=', '***', '___',
  '* * *', '- - -', '<!--', '-->', '<div>', '</div>', '<pre>', '</pre>', '<script>', '</script>', '<?x', '?>',
  '<!X', '<![CDATA[', ']]>', '<a href="x">', '<b>', '<br/>', '[a]: /u', '[a]: <u> "t"', '[a]', '"t"', "'t",
  'text', 'word', 'foo bar', '\\', '\\#', '`code`', '#hash', 'a # b #', '', '', ''
]
const words = ['alpha', 'beta', 'gamma', '日本', 'x']
const rows = [
  '# ', '> ', '- ', '1. ', '    ', '  ', ' ', '\t', '```', '===', '---', '--', '***', '<div>', 'a | b', '| a | b |',
  '|---|---|', '--- | ---', '|:-|-:|', '|', '|-|', '| - |', ':-:', '-|-', 'a|b|c', '-|-|-', '\\|', '`|`', 'text', '|a', 'b|', '', '',
  '| a | b |\n|---|---|\n| c |', 'a | b\n --- | :-:\nc', 'a\n:-:', 'a|b|c\n-|-|-\n1|2\n3', '\\| a | b\n|-|-|\n|', '|a|\n|-|'
]

let state = 0
function random (n) {
  state = (state + 0x6d2b79f5) | 0
  let t = Math.imul(state ^ (state >>> 15), state | 1)
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
  return ((t ^ (t >>> 14)) >>> 0) % n
}
const pick = list => list[random(list.length)]

function text (seed, of, most) {
  state = seed * 7919
  random(2)
  const ends = random(8)
  let s = ''
  for (let lines = 1 + random(12); lines > 0; lines--) {
    for (let n = 1 + random(most); n > 0; n--) {
      s += pick(of)
      if (of === pieces && random(4) === 0) s += pick(words)
    }
    s += ends === 0 ? '\r\n' : ends === 1 && random(2) ? '\r' : '\n'
    if (random(5) === 0) s += '\n'
  }
  return random(4) ? s : s.trimEnd()
}

const names = {
  paragraph: 'paragraph', heading: 'heading', thematic_break: 'rule', code_block: 'code', html_block: 'html',
  block_quote: 'quote', list: 'list', item: 'item', table: 'table'
}

// One line for each block: how many hold it, what it is, its first line, and of
// a heading outside of others its level and text as it is written.
function commonmark (text) {
  const p = new Parser()
  p.processInlines = () => {} // keeps the text as it is written
  p.blocks.document.finalize = () => {} // keeps link reference definitions
  const walker = p.parse(text).walker()
  let out = ''
  for (let e = walker.next(); e; e = walker.next()) {
    const n = e.node
    if (!e.entering || !(n.type in names)) continue
    let depth = 0
    for (let up = n.parent; up.type !== 'document'; up = up.parent) depth++
    let line = n.sourcepos[0][0]
    if (n.type === 'heading' && n.sourcepos[1][0] > line) {
      // A heading begins behind the definitions that its paragraph began with.
      const begins = n.sourcepos[1][0] - n._string_content.trimEnd().split('\n').length
      if (begins > line) out += `${depth} paragraph ${line}\n`
      line = begins
    }
    out += `${depth} ${names[n.type]} ${line}`
    if (n.type === 'heading' && depth === 0) out += ` ${n.level} ${n._string_content.trim().split(/\s+/).join(' ')}`
    out += '\n'
  }
  return out
}

// The same with tables, without the text of headings; null where cmark-gfm does
// not say on which line a block begins.
function gfm (text) {
  const xml = execFileSync('cmark-gfm', ['-e', 'table', '-t', 'xml', '--sourcepos'], { input: text }).toString()
  let out = ''
  let depth = -1
  for (const [, end, tag, rest] of xml.matchAll(/<(\/?)([a-z_]+)([^>]*)>/g)) {
    if (!(tag in names) && tag !== 'document') continue
    if (end) {
      depth--
      continue
    }
    if (tag !== 'document') {
      const line = /sourcepos="(\d+):/.exec(rest)
      if (!line) return null
      out += `${depth} ${names[tag]} ${line[1]}\n`
    }
    if (!rest.endsWith('/')) depth++
  }
  return out
}

function write (file, count, of, most, blocks) {
  const lines = []
  for (let seed = 1; lines.length < count; seed++) {
    const s = text(seed, of, most)
    const b = blocks(s)
    if (b !== null) lines.push(JSON.stringify({ seed, text: s, blocks: b }) + '\n')
  }
  writeFileSync(new URL(file, import.meta.url), lines.join(''))
}

write('commonmark.jsonl', 300, pieces, 5, commonmark)
write('tables.jsonl', 100, rows, 3, gfm)
