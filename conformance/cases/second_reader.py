"""A second reader of the specification: computes the replies of the cases anew.

It was written from wasm/ABI.md and the algorithms alone, in another language than the engine, with Python's integers,
hashes and Unicode tables instead of the engine's. It checks every case of retrieve, by the profile cosine, and of decompose beside it: weights,
slots, scores, keys, order, picks, explanations, verdicts, audit, digests and roots. It exits with 1 when a case disagrees.
It takes the split into needs from the reply, and where a snippet begins.
"""
import collections
import functools
import glob
import hashlib
import json
import math
import os
import re
import sys
import unicodedata

WORD = 0xFFFFFFFF
STOP = set("a an and are as at be by can do for from how i in is it me my of on or please that the this to was we what with you".split())


# Numbers: cyrb128 and mulberry32, keys, draws, slots.

def units(s):
    b = s.encode("utf-16-le")
    return [b[i] | b[i + 1] << 8 for i in range(0, len(b), 2)]


def cyrb128(s):
    a, b, c, d = 1779033703, 3144134277, 1013904242, 2773480762
    for k in units(s):
        a = b ^ ((a ^ k) * 597399067 & WORD)
        b = c ^ ((b ^ k) * 2869860233 & WORD)
        c = d ^ ((c ^ k) * 951274213 & WORD)
        d = a ^ ((d ^ k) * 2716044179 & WORD)
    a = (c ^ a >> 18) * 597399067 & WORD
    b = (d ^ b >> 22) * 2869860233 & WORD
    c = (a ^ c >> 17) * 951274213 & WORD
    d = (b ^ d >> 19) * 2716044179 & WORD
    return a ^ b ^ c ^ d


def mulberry32(state):
    while True:
        state = state + 0x6D2B79F5 & WORD
        t = (state ^ state >> 15) * (state | 1) & WORD
        t ^= t + ((t ^ t >> 7) * (t | 61) & WORD) & WORD
        yield (t ^ t >> 14) & WORD


def tagged(tag, seed, query):
    return f"{tag}\x1f{len(units(seed))}:{seed}\x1f{len(units(query))}:{query}"


def key(request, stable):
    return next(mulberry32(cyrb128(tagged("rank", request["seed"], request["query"]) + "\x1f" + stable)))


def split(request, weights):
    total = request["recallBudget"]
    if sum(weights) == 0:
        weights = [1] * len(weights)
    whole = sum(weights)
    slots = [total * w // whole for w in weights]
    stream = mulberry32(cyrb128(tagged("alloc", request["seed"], request["query"])))
    draws = [next(stream) for _ in weights]
    order = sorted(range(len(weights)), key=lambda i: (-(total * weights[i] % whole), draws[i], i))
    for i in order[: total - sum(slots)]:
        slots[i] += 1
    if request["representation"] == "each" and total >= len(weights):
        for i in range(len(slots)):
            if slots[i] == 0:
                slots[max(range(len(slots)), key=lambda k: (slots[k], k))] -= 1
                slots[i] = 1
    return slots


# Words: runs of letters, marks and digits; CJK as bigrams; NFC, folded.

def is_cjk(c):
    return any(w in unicodedata.name(c, "") for w in ("CJK UNIFIED", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO"))


def of_run(run):
    run = unicodedata.normalize("NFC", unicodedata.normalize("NFC", run).casefold())
    letters = []
    for c in run:
        if letters and unicodedata.category(c)[0] == "M":
            letters[-1] += c
        else:
            letters.append(c)
    i = 0
    while i < len(letters):
        j, cjk = i, is_cjk(letters[i][0])
        while j < len(letters) and is_cjk(letters[j][0]) == cjk:
            j += 1
        if not cjk:
            yield "".join(letters[i:j])
        elif j == i + 1:
            yield letters[i]
        else:
            yield from (letters[k] + letters[k + 1] for k in range(i, j - 1))
        i = j


@functools.lru_cache
def terms(text):
    counts, run = {}, ""
    if text.isascii():
        return {t: n for t, n in collections.Counter(re.findall("[a-z0-9]+", text.lower())).items() if t not in STOP}
    for c in text + " ":
        category = unicodedata.category(c)
        if category[0] == "L" or category == "Nd" or category[0] == "M" and run:
            run += c
            continue
        for t in of_run(run):
            if t not in STOP:
                counts[t] = counts.get(t, 0) + 1
        run = ""
    return counts


def squares(counts):
    return sum(n * n for n in counts.values())


def cosine(q, d):
    dot = sum(n * d.get(t, 0) for t, n in q.items())
    return dot and (math.isqrt(4 * 10**18 * dot * dot // (squares(q) * squares(d))) + 1) >> 1


# Digests.

def canonical(v):
    return json.dumps(v, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()


def stable(d):
    return d.get("key") or d.get("path") or d["id"]


def digest_of(d):
    content = {k: d[k] for k in ("collection", "path", "text", "title") if k == "text" or d.get(k)}
    return hashlib.sha256(b"rh/content/v1\0" + canonical({**content, "key": stable(d)})).digest()


def root(docs):
    def node(leaves, depth):
        if not leaves:
            return bytes(32)
        if len(leaves) == 1:
            _, id, digest = leaves[0]
            return hashlib.sha256(b"rh/doc/v1\0" + len(id).to_bytes(8, "big") + id + digest).digest()
        right = [l[0][depth // 8] >> (7 - depth % 8) & 1 for l in leaves]
        halves = ([l for l, r in zip(leaves, right) if r == side] for side in (0, 1))
        return hashlib.sha256(b"rh/node/v1\0" + b"".join(node(h, depth + 1) for h in halves)).digest()

    return named(node([(hashlib.sha256(d["id"].encode()).digest(), d["id"].encode(), digest_of(d)) for d in docs], 0))


def named(digest):
    return "sha256:" + digest.hex()


# A reply.

def expected(asked, documents, reply):
    """Returns the reply, but for the texts of hits."""
    request, subs = reply["request"], reply["audit"]["subqueries"]
    docs = {d["id"]: d for d in documents}
    needs = asked.get("needs") or [s["text"] for s in subs]
    counts = [terms(n) for n in needs]
    slots = split(request, [len(c) for c in counts])
    keys = {i: key(request, stable(docs[i])) for i in docs}

    def order(scores):
        return lambda i: (-scores[i], keys[i], stable(docs[i]).encode(), i.encode())

    picks, best, matched, rankings, audit = {}, {}, set(), [], []
    for n, need in enumerate(needs):
        scores = {}
        if slots[n]:
            given = asked["scores"][n] if "scores" in asked else None
            scores = {i: given.get(i, 0) if given is not None else cosine(counts[n], terms(docs[i]["text"])) for i in docs}
        ranked = sorted((i for i in scores if scores[i]), key=order(scores))
        matched.update(ranked)
        rankings.append((ranked, scores))
        audit.append({"index": n, "text": need, "weight": len(counts[n]), "budget": slots[n], "matched": len(ranked), "contributed": ranked[: slots[n]]})
        for place, i in enumerate(ranked[: slots[n]]):
            picks.setdefault(i, []).append((n, place + 1, scores[i]))
            best[i] = max(best.get(i, 0), scores[i])
    filled = set()
    if request["fill"]:
        extra = {}
        for n, (ranked, scores) in enumerate(rankings):
            for place, i in enumerate(ranked):
                if i not in picks and (i not in extra or scores[i] > extra[i][2]):
                    extra[i] = (n, place + 1, scores[i])
        for i in sorted(extra, key=order({i: x[2] for i, x in extra.items()}))[: request["recallBudget"] - len(picks)]:
            picks[i], best[i] = [extra[i]], extra[i][2]
            filled.add(i)

    def explained(n, i, score):
        if "scores" in asked:
            return {"given": score}
        q, d = counts[n], terms(docs[i]["text"])
        both = [{"term": t, "query": q[t], "document": d[t], "product": q[t] * d[t]} for t in sorted(q, key=str.encode) if t in d]
        return {"dot": sum(t["product"] for t in both), "queryNorm": squares(q), "documentNorm": squares(d), "terms": both}

    def rule(i, j):
        if j is None:
            return "last"
        return "score" if best[i] != best[j] else "key" if keys[i] != keys[j] else "stableKey" if stable(docs[i]) != stable(docs[j]) else "id"

    ids = sorted(picks, key=order(best))
    hits = []
    for rank, i in enumerate(ids):
        hit = {"rank": rank + 1, "id": i, "chunk": 0, "doc": named(digest_of(docs[i])), "score": best[i]}
        hit["needs"] = [{"index": n, "rank": r, "score": s, **({"explain": explained(n, i, s)} if request["explain"] else {})} for n, r, s in picks[i]]
        hit.update({k: docs[i][k] for k in ("title", "path", "collection") if docs[i].get(k)})
        if i in filled:
            hit["fill"] = True
        if request["explain"]:
            hit["explain"] = {"key": keys[i], "rule": rule(i, ids[rank + 1] if rank + 1 < len(ids) else None)}
        hits.append(hit)
    ranked_needs = sum(1 for s in slots if s)
    out = {
        "schema": 1, "corpus": root(documents), "hits": hits, "degraded": [], "verdict": "answered" if hits else "no_answer",
        "audit": {"seed": request["seed"], "query": asked["query"], "recallBudget": request["recallBudget"], "subqueries": audit},
        "omitted": {"documents": len(matched - set(ids)), "slots": request["recallBudget"] - len(ids)},
        "work": {"chunks": len(docs), "needs": ranked_needs, "units": len(docs) * ranked_needs},
        "request": {"recallBudget": 10, "seed": "rookhaven-default", "profile": "cosine", "representation": "each", "fill": False,
                    "explain": False, "text": "none", "workLimit": 2**53 - 1, **asked},
    }
    if not hits:
        out["reason"] = "empty_corpus" if not docs else "no_match" if any(counts) else "only_stop_words"
    return out


def nano(reply):
    """Turns the scores of a reply into nano-units, and takes the texts of its hits out."""
    texts = []
    for hit in reply["hits"]:
        texts.append((hit["id"], hit.pop("text", None), hit.pop("range", None)))
        for x in [hit, *hit["needs"]]:
            x["score"] = round(float(x["score"]) * 1e9)
    return texts


def text_faults(request, docs, texts):
    for id, text, span in texts:
        whole = next(d["text"] for d in docs if d["id"] == id)
        if request["text"] == "none":
            if text is not None or span is not None:
                yield "a text that was not asked for"
            continue
        u = units(whole)
        if span["of"] != len(u) or units(text) != u[span["from"] : span["to"]]:
            yield "the range is not that of the text"
        if request["text"] == "full" and text != whole:
            yield "the text is not whole"
        if request["text"] == "snippet" and (len(units(text)) > 480 or len(u) <= 480 and text != whole):
            yield "the snippet has the wrong size"


def faults(sections):
    export = sections.get("export", "retrieve").strip()
    raw = compact(expand(sections["reply.json"]))
    reply = json.loads(raw)
    if export == "decompose":
        weights = [len(terms(s["text"])) for s in reply["subqueries"]]
        if [s["weight"] for s in reply["subqueries"]] != weights:
            yield "weights"
        if [s["budget"] for s in reply["subqueries"]] != split(reply["request"], weights):
            yield "budgets"
        return
    asked, docs = json.loads(expand(sections["request.json"])), json.loads(expand(sections["corpus.json"]))
    stored = re.search(r'"digest":"(sha256:[0-9a-f]{64})",', raw)
    if named(hashlib.sha256(raw.replace(stored[0], "", 1).encode()).digest()) != stored[1]:
        yield "digest"
    for name in ("digest", "engine", "model", "vectors"):
        reply.pop(name, None)
    texts = nano(reply)
    yield from text_faults(reply["request"], docs, texts)
    want = expected(asked, docs, reply)
    for name in sorted(want.keys() | reply.keys()):
        if want.get(name) != reply.get(name):
            yield f"{name}: {reply.get(name)}, not {want.get(name)}"


# Files.

def expand(text):
    return re.sub("⟦([^⟦⟧×]*)×([0-9]+)⟧", lambda m: m[1] * int(m[2]), text)


def compact(text):
    return re.sub(r'("(?:[^"\\]|\\.)*")|[ \t\r\n]+', lambda m: m[1] or "", text)


def main():
    checked = wrong = 0
    for path in sorted(glob.glob(os.path.join(os.path.dirname(os.path.abspath(__file__)), "*", "*.txtar"))):
        with open(path, encoding="utf-8", newline="") as f:
            parts = re.split(r"(?m)^-- (\S+) --\n", f.read())
        sections = dict(zip(parts[1::2], parts[2::2]))
        export = sections.get("export", "retrieve").strip()
        if "reply.json" not in sections or export not in ("retrieve", "decompose") or export == "retrieve" and "corpus.json" not in sections:
            continue
        if re.search(r'"profile": *"(standard|journal)"', sections.get("request.json", "")):
            continue
        checked += 1
        for fault in faults(sections):
            wrong += 1
            print(f"{path}: {fault}")
    print(f"{checked} cases read, {wrong} disagreements")
    return 1 if wrong or not checked else 0


sys.exit(main())
