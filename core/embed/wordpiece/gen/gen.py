"""Writes the tables of core/embed/wordpiece. README.md in this folder says when and how.

It asks the reference what it makes of every character, one at a time, and keeps the
answers: nothing here knows Unicode. A trie has two stages, an index of blocks and blocks
of 64 characters, as in core/internal/ucd.
"""

import functools
import hashlib
import pathlib

import tokenizers
from tokenizers import normalizers, pre_tokenizers

VERSION = "0.23.3"
HERE = pathlib.Path(__file__).parent

# The order of kindOf's constants in kind.go.
LETTER, DROPPED, BARRIER, SPACE, ALONE, SYLLABLE, MARK, MAPPED = 0, 1, 2, 3, 4, 5, 6, 64

# The trie holds the planes 0 to 2 as far as they hold something, then the start of plane 14.
LOW, HIGH, HIGH_END, PRIVATE = 0x2FA40, 0xE0000, 0xE0200, 0xF0000
BLOCK = 64

ALONE_FLAG = 0x80  # in the header of a mapping


def demand(ok, sentence):
    if not ok:
        raise SystemExit(sentence)


def bert(**steps):
    off = dict(clean_text=False, handle_chinese_chars=False, strip_accents=False, lowercase=False)
    return normalizers.BertNormalizer(**{**off, **steps}).normalize_str


clean, chinese = bert(clean_text=True), bert(handle_chinese_chars=True)
strip, lower = bert(strip_accents=True), bert(lowercase=True)
nfd, normalize = normalizers.NFD().normalize_str, normalizers.BertNormalizer().normalize_str
cut = pre_tokenizers.BertPreTokenizer().pre_tokenize_str


def words(text):
    """What the reference cuts a normalized text into."""
    return [word for word, _ in cut(text)]


def hops(a, b):
    """Whether the canonical order puts b before a."""
    return nfd("x" + a + b) != "x" + a + b


def is_starter(c):
    """Whether nothing moves over c: the marks are those of the highest and the lowest class."""
    return not hops("\u0345", c) and not hops(c, "\u0334")


# ---- what becomes of each character ----

CHARACTERS = [chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000]
KEPT = [c for c in CHARACTERS if clean(c) == c]

moving = [c for c in KEPT if nfd(c) == c == strip(c) and not is_starter(c)]
moving.sort(key=functools.cmp_to_key(lambda a, b: hops(a, b) - hops(b, a)))
rank = {}
for before, c in zip([None, *moving], moving):
    rank[c] = rank[before] + hops(c, before) if before else 1
demand(max(rank.values()) + MARK < MAPPED, "too many classes of marks")

places = {}  # of mappings in the pool
pool = bytearray()


def mapped(to, flag=0):
    item = bytes([len(to.encode()) | flag]) + to.encode()
    demand(len(item) < ALONE_FLAG, f"a long mapping to {to!r}")
    if item not in places:
        places[item] = MAPPED + len(pool)
        pool.extend(item)
    return places[item]


def kind(c):
    if clean(c) in ("", " "):
        return SPACE if clean(c) else DROPPED
    demand(clean(c) == c, f"{c!r} is cleaned to something else")
    if c in rank:
        demand(words(c) == [c] and words("a" + c) == ["a" + c] and lower(c) == c and chinese(c) == c, f"{c!r} is no plain mark")
        return MARK + rank[c]
    full, to = nfd(c), lower(strip(c))
    if to == "":
        return BARRIER if any(map(is_starter, full)) else DROPPED
    if "\uac00" <= c <= "\ud7a3":
        return SYLLABLE
    # What is dropped from a mapping holds no mark up but those before the first letter.
    dropped = [x for x in full if strip(x) == "" and is_starter(x)]
    demand(not dropped or not any(x in rank for x in to), f"{c!r}: a dropped character among marks")
    if chinese(c) != c or words("a" + to) != ["a" + to]:
        demand(len(to) == 1, f"{c!r} stands alone and is no single character")
        return ALONE if to == c else mapped(to, ALONE_FLAG)
    if to == c:
        return LETTER
    demand(all(x in rank or kind(x) == LETTER for x in to), f"{c!r} is mapped to more than letters and marks")
    return mapped(to)


kinds = {ord(c): kind(c) for c in CHARACTERS}

# ---- the trie ----

outside = {c: k for c, k in kinds.items() if not (c < LOW or HIGH <= c < HIGH_END)}
for c, k in outside.items():
    want = DROPPED if c >= PRIVATE and c & 0xFFFF < 0xFFFE else LETTER
    demand(k == want, f"U+{c:04X} lies outside the trie")

slots = [kinds.get(c, 0) for c in (*range(LOW), *range(HIGH, HIGH_END))]
blocks, index, values = {}, [], []
for i in range(0, len(slots), BLOCK):
    block = tuple(slots[i : i + BLOCK])
    # The first two blocks stay apart so that ASCII needs no index.
    if i < 2 * BLOCK or block not in blocks:
        blocks[block] = len(values) // BLOCK
        values += block
    index.append(blocks[block])
demand(max(values) < 1 << 16 and max(index) < 1 << 8, "a value is too wide")


def constant(name, data):
    lines, line = [], ""
    for b in data:
        item = "\\" + chr(b) if b in b'"\\' else chr(b) if 0x20 <= b < 0x7F else f"\\x{b:02x}"
        if len(line) + len(item) > 110:
            lines.append(line)
            line = ""
        line += item
    return f"const {name} = " + " +\n\t".join(f'"{x}"' for x in [*lines, line]) + "\n"


demand(tokenizers.__version__ == VERSION, f"tokenizers is {tokenizers.__version__}, want {VERSION}")
(HERE.parent / "tables.go").write_text(
    f"// Code generated by gen/gen.py from tokenizers {VERSION}. DO NOT EDIT.\n\npackage wordpiece\n\n"
    + constant("kindIndex", index)
    + "\n"
    + constant("kindBlocks", b"".join(v.to_bytes(2, "little") for v in values))
    + f"\n// A header byte ({ALONE_FLAG:#x}: a word of its own, else the length), then the characters in UTF-8.\n"
    + constant("mappings", pool)
)

# ---- what the test of every character wants ----

digest = hashlib.sha256()
for c in CHARACTERS:
    digest.update("".join(word + "\n" for word in words(normalize("a" + c + "b"))).encode() + b"\n")
print("characters", digest.hexdigest())

# Two marks, one of each class, around everything that may stand among them.
MARKS = [min(c for c in moving if rank[c] == r) for r in sorted(set(rank.values()))]
AMONG = [c for c in CHARACTERS if c in rank or kinds[ord(c)] in (DROPPED, BARRIER) or kinds[ord(c)] >= MAPPED]
digest = hashlib.sha256()
for a in MARKS:
    for b in MARKS:
        for c in AMONG:
            if not "\ue000" <= c <= "\uf8ff" and ord(c) < PRIVATE:
                digest.update("".join(word + "\n" for word in words(normalize("x" + a + c + b))).encode() + b"\n")
print("marks", digest.hexdigest())
