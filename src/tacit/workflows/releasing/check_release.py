"""Check a release pack with Python alone: python check_release.py release.zip --key house.key.pub. Written from pack.md, whose sections are
named. Integers, fractions, decimals of 80 digits rounded up; exp and ln of decimals are correctly rounded: the next one is a bound."""
from __future__ import annotations
import collections, datetime, decimal, functools, hashlib, io, itertools, json, math, operator, pathlib, re, sqlite3, sys, tomllib, zipfile, zlib
from fractions import Fraction
from decimal import Decimal
from typing import Any
WORLDS, MOST, FEW, BATCH, ROWS, FAR, LONG, TINY, STEPS = 256, 4096, 16, 1000, 2000, 10**17, 10**7, Fraction(1, 10**75), [0]
CEILING = decimal.Context(80, decimal.ROUND_CEILING, -FAR, FAR, traps=[decimal.InvalidOperation])
def need(right: object, why: str) -> Any:
    if not right:
        raise ValueError(why)
NUMBER = r"[+-]?([0-9]+/0*[1-9][0-9]*|[0-9][0-9_]*(\.[0-9_]+)?([eE][+-]?[0-9]{1,3})?)"
def rational(x: Any, least: float = 0) -> Fraction:
    right = type(x) is int or (isinstance(x, str) and len(x) < 4000 and re.fullmatch(NUMBER, x))
    return Fraction(need(right and Fraction(x) >= least, f"{str(x)[:40]!a} is no exact number, or below 0") or x)
alone: Any = lambda pairs: need(len(dict(pairs)) == len(pairs), "a name stands twice in one object") or dict(pairs)
loads = functools.partial(json.loads, object_pairs_hook=alone, parse_constant=rational)
def spend(steps: int) -> Any:  # a minute at most
    STEPS[0] += steps
    return need(STEPS[0] < LONG, "the cost would take too long to price")
up: Any = lambda x, context=CEILING: spend(20) or context.divide(Decimal(x.numerator), Decimal(x.denominator))
def ln(x: Fraction, function: Any = CEILING.ln) -> list[Fraction]:  # bounds of ln x; ln 1 = 0 is exact
    low, high = function(up(-x).copy_negate()), function(up(x))
    return [Fraction(CEILING.next_minus(low) if low else low), Fraction(CEILING.next_plus(high) if high else high)]
exp: Any = lambda x: ln(x, CEILING.exp) if abs(x) < 20_000 else [Fraction(0), need(x < 0, "a number is too large") or Fraction(1, 10**8000)]
LEAVES = {"pure": ["epsilon"], "bounded_range": ["epsilon"], "zero_concentrated": ["rho"],  # Section 3
          "approximate": ["delta", "epsilon"], "gaussian": ["sensitivity", "sigma_squared"], "near_gaussian": ["mu_squared", "rho"]}
NODES = {"sequential": [], "parallel": [], "added": [], "repeat": ["adaptive", "times"], "subsample": ["drawn", "replacement", "rows"]}
def read(tree: Any, kinds: set[bool], added: bool = False) -> Any:  # name, parts, times, fixed
    name = next((key for key in tree if key in LEAVES or key in NODES), "")
    need(name and sorted({*tree} - {name}) == NODES.get(name, []) and (name, added) != ("subsample", True), f"{sorted(tree)} is no cost")
    inner, times, free = tree[name], tree.get("times", 1), tree.get("adaptive", False)
    if name in ("sequential", "parallel"):
        return name, [read(part, kinds, added) for part in inner], 1, True
    if name in ("repeat", "added"):
        need(type(times) is int and times >= 0 and type(free) is bool, "a repeat is malformed")
        return "repeat", read(inner, kinds, added or name == "added"), times, not free
    if name == "subsample":
        part, right = worlds(read(inner, inside := set[bool](), added)), not kinds.add(False) and True not in inside  # type: ignore[func-returns-value]
        return sampled(need(right, "a sample is of records that are replaced") or part, tree["drawn"], tree["rows"], tree["replacement"]), [], 1, True
    need(sorted(inner) == LEAVES[name] and not kinds.add(added), f"{name} is malformed")  # type: ignore[func-returns-value]
    near, b, a = (Fraction(0), Fraction(0), *(rational(inner[key]) for key in LEAVES[name]))[-3:]
    if name == "gaussian":
        need(a > 0 and b >= 1 and b.denominator == 1, "Gaussian noise is malformed")
        name, a, b, near = "zero_concentrated", b**2 / (2 * a), near, b**2 / (a - 4) if a > 4 else near
    if name == "near_gaussian":
        name, b, near = "zero_concentrated", near, need(b >= 2 * a, "Gaussian noise is malformed") or b
    return (name if b or name != "approximate" else "pure", a, need(b < 1, "a delta is not below 1") or b, near), [], 1, True
def sampled(parts: Any, n: Any, m: Any, again: Any) -> tuple[Any, ...]:  # Section 4.4
    need(type(n) is type(m) is int and type(again) is bool and n >= 0 < m and (again or n <= m), "a sample is malformed")
    need(not any(leaf[0][0] == "z" for world in parts for leaf, _, _ in world), "a sample has no theorem")
    e, d = (max(sum((k * leaf[i] for leaf, k, _ in long(world)), Fraction(0)) for world in parts) for i in (1, 2))
    draws, share = (n, Fraction(1, m)) if again else (1, Fraction(n, m))
    total = draws * ln(1 + share * (exp(e)[1] - 1))[1] if e and n else Fraction(0)
    d = seven(d * (exp(total)[1] - 1) / (exp(e)[0] - 1)) if again and d and total else d * Fraction(n, m)
    return "approximate" if d else "pure", seven(total), d, 0 * d
seven: Any = lambda x: Fraction(up(x, decimal.Context(7, decimal.ROUND_CEILING, -FAR, FAR)))  # rounded up to as many digits
def worlds(tree: Any) -> list[Any]:  # Section 4.1: each a tuple of (leaf, times, batch)
    name, inner, times, fixed = tree
    found: Any = [()]
    if name == "parallel":
        found = [world for part in inner for world in worlds(part)] or [()]
    elif name == "sequential":
        options = [worlds(part) for part in inner]
        need(math.prod(map(len, options)) <= WORLDS, "there are too many worlds")
        found = map(joined, itertools.product(*options))
    elif name == "repeat":
        parts = worlds(inner)
        need(math.comb(times + len(parts) - 1, len(parts) - 1) <= WORLDS, "there are too many worlds")
        ways = itertools.combinations_with_replacement(parts, times) if parts[1:] else []
        counts: Any = list(map(collections.Counter, ways)) or [{parts[0]: times}]
        found = (joined(tuple((leaf, n * k, b and (k == 1 or (fixed and len(world) == 1)))
                 for leaf, n, b in world) for world, k in way.items() if k) for way in counts)
    elif name[1] or name[2]:
        found = [((name, 1, name[0] == "bounded_range"),)]
    need(len(distinct := list(dict.fromkeys(found))) <= WORLDS, "there are too many worlds")
    return spend(10 * sum(map(len, distinct))) or distinct
def joined(parts: Any) -> Any:
    found: dict[Any, tuple[int, bool]] = {}
    for leaf, times, batch in itertools.chain.from_iterable(parts):
        found[leaf] = (found[leaf][0] + times, False) if leaf in found else (times, batch)
    return spend(10 * len(found)) or tuple((leaf, *found[leaf]) for leaf in sorted(found))
def proved(tree: Any, claim: dict[str, Any]) -> tuple[Fraction, bool]:  # epsilon shown, by 4.2 and 4.3; is it added?
    STEPS[0], epsilon, delta, *orders = 0, *map(rational, (claim["epsilon"], claim["delta"], *claim["orders"]))
    need(delta < 1 and all(a > 1 for a in orders), "delta is not below 1, or an order not above 1")
    need((right := read(tree, kinds := set[bool]())) and len(kinds) < 2, "neighbours are of two kinds: their costs cannot be added")
    shown = max(kept(long(world), epsilon, delta, orders) for world in worlds(right))
    return need(shown <= epsilon, f"epsilon = {up(epsilon):.17g} is claimed, and {up(shown):.17g} is shown") or (shown, True in kinds)
long: Any = lambda world: spend(sum(x.denominator.bit_length() for leaf, _, _ in world for x in leaf[1:]) ** 2 // 300_000) or world
def kept(world: Any, epsilon: Fraction, delta: Fraction, orders: list[Fraction]) -> Fraction:
    leaks = [(leaf[2], n) for leaf, n, _ in world if leaf[2]]
    safe = math.prod((1 - d) ** n for d, n in leaks) if sum(n for _, n in leaks) <= 64 else exp(sum(n * ln(1 - d)[0] for d, n in leaks))[0]
    need(safe and 1 - safe <= delta, "parts leak more often than delta")
    left, world = (delta - 1 + safe) / Fraction(safe), tuple(each for each in world if each[0][1])
    noisy = [(leaf[3], n) for leaf, n, _ in world if leaf[0] == "zero_concentrated"]
    shown = [] if noisy else [sum((n * leaf[1] for leaf, n, _ in world), Fraction(0))]
    rho = sum((n * (x if name[0] == "z" else x**2 / (8 if name[0] == "b" else 2)) for (name, x, *_), n, _ in world), Fraction(0))
    shown += [concentrated(rho, a, left) for a in orders if left]
    near = ((apart := Fraction(2 * sum(n for _, n in noisy), 10**19)) <= 2 and all(square for square, _ in noisy)) * sum(n * square for square, n in noisy)
    for batch in (None, *(each for each in world if not noisy and each[2] and each[1] <= BATCH)) if left and min([*shown, epsilon + 1]) > epsilon else ():
        coins = [(each[0][1], each[1]) for each in world if each is not batch and not each[0][3]]
        if (near or not noisy) and math.prod(n + 1 for _, n in coins) <= (FEW if batch else MOST):
            curve = functools.partial(bell, near) if near else functools.partial(tail, batch[1] if batch else 0, batch[0][1] if batch else Fraction(1))
            shown += [epsilon] if sum(mass * curve(epsilon - apart - loss) for loss, mass in outcomes(coins)) * (1 + apart) <= left else []
    return min(need(shown, "no theorem shows anything of some world") or shown)
concentrated: Any = lambda rho, a, delta: seven(max(a * rho + (a * ln(1 - 1 / a)[1] - ln(a - 1)[0] - ln(delta)[0]) / (a - 1), 0 * a))
def outcomes(coins: list[tuple[Fraction, int]]) -> list[tuple[Fraction, Fraction]]:
    found = [(Fraction(0), Fraction(1))]
    for e, n in coins:
        yes, no = ln(1 / (1 + (odds := exp(-e))[0]))[1], ln(odds[1] / (1 + odds[1]))[1]
        each = [((n - 2 * i) * e, exp(ln(Fraction(math.comb(n, i)))[1] + (n - i) * yes + i * no)[1]) for i in range(n + 1)]
        found = [(a + b, Fraction(up(p * q))) for a, p in found for b, q in each]
    return found
def bell(square: Fraction, x: Fraction) -> Fraction:  # bound H(x) of N(0, 1) and N(mu, 1)
    mu = Fraction(math.isqrt(math.ceil(square * 4**300)) + 1, 2**300)
    return normal(mu / 2 - x / mu) + TINY - Fraction(exp(x)[0]) * max(normal(-mu / 2 - x / mu) - TINY, Fraction(0))
def normal(x: Fraction) -> Fraction:  # the chance that N(0, 1) is at most x, off by less than TINY
    square, total = CEILING.multiply(term := spend(170) or up(max(Fraction(-37, 2), min(x, Fraction(37, 2)))), term), term
    for k in range(3, 1201, 2):
        total = CEILING.add(total, term := CEILING.divide(CEILING.multiply(term, square), Decimal(k)))
    return Fraction(1, 2) + Fraction(total) * Fraction(exp(-Fraction(square) / 2)[1]) / Fraction(CEILING.sqrt(Decimal("6.28318530717958647692528676655900576839433879875021164194988918461563281257241799726")))
def tail(k: int, w: Fraction, x: Fraction) -> Fraction:  # bound H(x); k = 0 is no batch
    if x < 0:
        return 1 - Fraction(exp(x)[0]) * (1 - min(tail(k, w, -x), Fraction(1)))
    most, add, multiply = Decimal(w > 1000), CEILING.add, CEILING.multiply
    for low in range(0 if most else math.ceil(k - x / w)):
        t = (x + (low + 1) * w) / (k + 1)
        whole, gap, fall = ([1 - bound for bound in exp(y)] for y in (-w, t - w, -t))
        odds = up((1 - gap[1]) * fall[0] / gap[1])  # of a low outcome
        term = CEILING.next_plus(CEILING.exp(up(k * ln(min(gap[0] / whole[1], Fraction(1)))[1])))
        total, less, growth = Decimal(0), up(-exp(x - k * t)[0]), up(-exp(w)[0]).copy_negate()
        for i in range(spend(low) or low + 1):
            total = add(total, multiply(term, max(add(Decimal(1), less), Decimal(0))))
            term = multiply(term, CEILING.divide(multiply(odds, Decimal(k - i)), Decimal(i + 1)))
            less = multiply(less, growth)
        most = max(most, total)
    return Fraction(most)
PRIME, ORDER = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493  # Section 1: the signature [RFC 8032]
CURVE, ROOT = -121665 * pow(121666, -1, PRIME) % PRIME, pow(2, (PRIME - 1) // 4, PRIME)
def plus(p: Any, q: Any) -> Any:
    (a, b), (c, d), e = p, q, CURVE * p[0] * p[1] * q[0] * q[1]
    return ((a * d + b * c) * pow(1 + e, -1, PRIME) % PRIME, (b * d + a * c) * pow(1 - e, -1, PRIME) % PRIME)
multiple: Any = lambda k, p: plus(multiple(k // 2, plus(p, p)), p if k % 2 else (0, 1)) if k else (0, 1)
def point(raw: bytes) -> Any:
    sign, y = divmod(int.from_bytes(raw, "little"), 1 << 255)
    x = pow(square := (y * y - 1) * pow(CURVE * y * y + 1, -1, PRIME) % PRIME, (PRIME + 3) // 8, PRIME)
    x = x if (x * x - square) % PRIME == 0 else x * ROOT % PRIME
    need(len(raw) == 32 and y < PRIME and (x * x - square) % PRIME == 0, "the signature is wrong")
    return (x if x % 2 == sign else PRIME - x, y)
def check_signature(key: bytes, message: bytes, signature: bytes) -> Any:
    hashed, base = hashlib.sha512(signature[:32] + key + message).digest(), point((4 * pow(5, -1, PRIME) % PRIME).to_bytes(32, "little"))
    k, s = (int.from_bytes(each, "little") for each in (hashed, signature[32:]))
    need(len(signature) == 64 and s < ORDER and multiple(s, base) == plus(point(signature[:32]), multiple(k % ORDER, point(key))), "the signature is wrong")
PARTS = {"card.html", "card.md", "check_release.py", "ledger.jsonl", "manifest.json", "manifest.sig", "model.json", "model.sql", "pack.md", "policy.toml", "record.json", "record.schema.json"}
def opened(raw: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        held, names = archive.infolist(), {*archive.namelist()}
        need(not (strange := (names | {"ledger.jsonl"}) ^ PARTS), f"parts are missing, or strange: {ascii(sorted(strange))[:200]}")
        need(sum(each.file_size + len(raw) * each.compress_type for each in held) <= len(raw), "its parts are not stored as they are")
        parts = {name: archive.read(name) for name in sorted(names)}
    with zipfile.ZipFile(again := io.BytesIO(), "w") as archive:
        for name in parts:
            info = zipfile.ZipInfo(name)
            info.create_system, info.external_attr = 3, 0o644 << 16
            archive.writestr(info, parts[name])
    return need(again.getvalue() == raw, "the archive is not the one that follows from its members") or parts
CAP, ASKED = {"epsilon", "delta"}, {"allowed": {"classes", "learners", "units", "neighbours"}, "measured": {"required", "groups"}}
CLAUSES = dict.fromkeys(("release", "dataset", "year", "person"), CAP) | ASKED | {"approval": {"by", "needed"}}
def charged(record: Any, text: str) -> tuple[Any, list[Any]]:  # Section 5: its event, and all
    before, told, claim, events = "0" * 64, record["ledger"], record["privacy"], [loads(line) for line in text.splitlines()]
    for number, event in enumerate(events, start=1):
        before = hashlib.sha256(f"{before}\n{json.dumps(event['event'], sort_keys=True, separators=(',', ':'), ensure_ascii=False)}".encode()).hexdigest()
        need((event["number"], event["hash"]) == (number, before), f"event {number} was changed")
    need(before == told["head"] and told["number"] > 0 and events[told["number"] - 1]["hash"] == told["hash"], "another ledger")
    mine, claimed = events[told["number"] - 1]["event"], (claim["library"]["epsilon"], claim["delta"])
    enough = all(rational(mine[k]) >= rational(v) for k, v in zip(("epsilon", "delta"), claimed, strict=True))
    right = enough and mine.get("unit", {}).get("person", []) == claim["unit"]["person"]  # none: it is about rows
    return need(right and mine["kind"] == "reserve" and mine["cost"] == record["cost"], "another charge") or (mine, events)
def approvers(by: Any, record: Any, mine: Any, events: list[Any]) -> list[str]:  # of the request of a charge
    number, keys, named = mine.get("request", 0), set[str](), ("dataset", "analyst", "kind")
    used = [each["event"]["kind"] for each in events if each["event"].get("request") == number].count("reserve")
    asked = need(number > 0 and used == 1, "[approval]: it was charged for no request of its own") or events[number - 1]["event"]
    question = asked.get("asked", {})
    right = [asked[k] for k in named] == [mine["dataset"], mine["analyst"], "request"] and question["verb"] == "learn"
    right = right and all(rational(mine[k]) <= rational(asked[k]) for k in CAP) and question["labels"] == record["columns"]
    right = right and question["class"].split("(")[0] in ("auto", record["class"].split("(")[0])
    need(right and question["features"] in (None, record["features"]), "[approval]: another question was approved")
    for each in (each["event"] for each in events[number:record["ledger"]["number"] - 1] if each["event"].get("request") == number):
        good = each["kind"] == "approve" and each["key"] not in keys and re.fullmatch("[0-9]{4}(-[0-9]{2}){2}", each["until"])
        if good and each["until"] >= mine["time"][:10]:
            words = f"tacit-approval-1\n{events[number - 1]['hash']}\n{each['until']}\n".encode()
            keys.add(check_signature(bytes.fromhex(each["key"]), words, bytes.fromhex(each["signature"])) or each["key"])
    return sorted(name for name, key in by.items() if re.fullmatch("[0-9a-f]{64}", key) and key in keys)
def check_policy(policy: Any, record: Any, mine: Any, lines: list[Any]) -> None:  # Section 6
    events = [each["event"] for each in lines if each["event"]["kind"] == "reserve"]
    known = policy.pop("format", "") == "tacit-policy-1" and all({*v} <= CLAUSES.get(k, set()) for k, v in policy.items())
    need(known, "the policy is of another format, or a clause is not known")
    kinds = {("added" in each["cost"], each.get("unit", {}).get("person", []) == []) for each in events}
    need(len(kinds) < 2 or "person" not in policy, "[person]: units or neighbours of two kinds")
    alike = [each for each in events if each["dataset"] == mine["dataset"]]
    sums = {"release": [record["privacy"]], "person": events, "dataset": alike,
            "year": [each for each in alike if each["time"][:4] == mine["time"][:4]]}
    for name, key in itertools.product(sums, CAP):
        spent = sum((rational(each[key]) for each in sums[name]), Fraction(0))
        most = rational(policy.get(name, {}).get(key, str(spent)))
        need(mine or name == "release" or name not in policy, f"[{name}] needs a ledger: learn and pack with --ledger")
        need(spent <= most, f"[{name}] {key} = {float(most)}, and {float(spent)} is spent")
    allowed, approval, asked = (policy.get(k, {}) for k in ("allowed", "approval", "measured"))
    facts = {"classes": record["class"].split("(")[0], "learners": record["learner"], "neighbours": record["privacy"]["neighbours"],
             "units": "person" if record["privacy"]["unit"]["person"] else "row"}
    for name, fact in facts.items():
        need(fact in {*allowed.get(name, [fact])}, f"[allowed] {name}: {fact} is not among them")
    by, needed = approval.get("by", {}), max(1, approval.get("needed", 1)) if approval else 0
    did = approvers(by, record, mine, lines) if approval else []
    need(len({by[name] for name in did}) >= needed and did == record["approved"], "[approval]: too few of these persons approved it")
    need({*record["labels"]} <= {*(record["measured"] or record["groups"] or {})} or not asked.get("required"), "[measured] required: something was not")
    need(all(len(each) > 1 for each in (record["groups"] or {"": ""}).values()) or not asked.get("groups"), "[measured] groups: there are none")
COMPARE = {">=": operator.ge, "<": operator.lt, "=": operator.eq, "!=": operator.ne}
RULES: dict[str, Any] = {  # by the members of a hypothesis: whether it says yes
    "never": lambda h, x: False, "yes": lambda h, x: list(x) in h["yes"],
    "members": lambda h, x: 2 * sum(answer(each, x) for each in h["members"]) > len(h["members"]),
    "hypothesis place": lambda h, x: answer(h["hypothesis"], x),
    "otherwise rules": lambda h, x: next((r["then"] for r in h["rules"] if answer(r["if"], x)), h["otherwise"]),
    "literals": lambda h, x: all(COMPARE[rest[0]](x[c], rest[1]) if rest[1:] else x[c] == rest[0] for c, *rest in h["literals"]),
    "literals negated": lambda h, x: answer({"literals": h["literals"]}, x) != h["negated"],
    "at up": lambda h, x: (x[0] >= h["at"]) == h["up"], "at": lambda h, x: x[0] == h["at"],
    "high low": lambda h, x: all(a <= v <= b for a, v, b in zip(*(e if isinstance(e, list) else [e] for e in (h["low"], x, h["high"])), strict=True)),
    "threshold weights": lambda h, x: sum(map(points, h["weights"], x)) >= h["threshold"]}
answer: Any = lambda h, x: bool(RULES[" ".join(sorted({*h} - {"edges"}))](h, x))
def points(weight: Any, code: int) -> int:
    if isinstance(weight, dict) and "cuts" in weight:
        weight, code = weight["points"], sum(cut <= code for cut in weight["cuts"])
    slope = weight["slope"] + weight["square"] * code if isinstance(weight, dict) else weight
    return int(weight[code] if isinstance(weight, list) else slope * code)
def cells(column: Any, cell: Any = None) -> tuple[int, Any]:  # how many codes, and their cells
    low, high, cell = column.get("low", 0), column.get("high", 1), lambda i: low + i
    if column["type"] == "real":
        low, high, step = (rational(each, -math.inf) for each in (low, high, column["step"]))
        high, cell = low + (high - low) / step, lambda i: float(low + i * step)
    elif column["type"] == "date":
        high, cell = (high - low).days, lambda i: str(low + datetime.timedelta(i))
    elif column["type"] == "category":
        high, cell = len(column["values"]) - 1, column["values"].__getitem__
    size = int(high - (low if column["type"] in ("integer", "real") else 0)) + 1
    return size + (column.get("outside") == "null"), lambda i: None if i == size else cell(i)
def check_sql(model: Any, query: str) -> str:  # Section 7
    read_as = [cells(tomllib.loads(model["schema"], parse_float=str)["columns"][name]) for name in model["features"]]
    near = {int(n) + d for n in re.findall("-?[0-9]+", json.dumps(model["hypotheses"])) for d in (-1, 0, 1)}
    sides = [sorted(i for i in {0, 1, size // 2, size - 2, size - 1, *near} if 0 <= i < size) for size, _ in read_as]
    rows = [[side[zlib.crc32(f"{i},{j}".encode()) % len(side)] for j, side in enumerate(sides)] for i in range(ROWS)]
    base, names = sqlite3.connect(":memory:"), ", ".join('"' + name.replace('"', '""') + '"' for name in model["features"])
    base.execute(f"CREATE TABLE data ({names})")
    table = ([cell(code) for (_, cell), code in zip(read_as, row, strict=True)] for row in rows)
    base.executemany(f"INSERT INTO data VALUES ({', '.join('?' * len(read_as))})", table)
    base.set_progress_handler(functools.partial(next, itertools.repeat(0, 1000), 1), 10**6)  # millions of steps
    base.set_authorizer(lambda deed, *_: sqlite3.SQLITE_OK if deed in (20, 21, 31) else sqlite3.SQLITE_DENY)
    base.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 10**6)
    found, left = base.execute(query), []
    places, told, _ = [name[0] for name in found.description], list(itertools.islice(found, ROWS + 1)), base.close()  # type: ignore[func-returns-value]
    for label, h in zip(model["labels"], model["hypotheses"], strict=True):
        left += [] if " ".join(sorted({*h} - {"edges"})) in RULES else [label]
        need(label in left or [line[places.index(label)] for line in told] == [answer(h, row) for row in rows], f"the SQL of {label!a} is not its rule")
    return f"the rules are their SQL on {len(rows)} rows; not evaluated: {', '.join(left) or 'none'}"
def check_measured(model: Any, added: bool) -> None:  # Section 4.5
    found = [[0] * 3 if added and "told" not in each else map(rational, each["told"]["rates"]) for each in (model.get("measured") or {}).values()]
    groups = [[(2 - added) * rational(rate) for rate in each["rates"]] for each in model.get("groups_told") or []]
    costs = [a + b + 2 * c + sum(more) for (a, b, c), more in itertools.zip_longest(found, groups, fillvalue=[0] * 3)]
    parts = (tree := model["cost"].get("added", model["cost"])).get("sequential", [tree])[-1].get("parallel", [])
    apart = parts[1:] and not parts[2:] and ("selected(" not in model["learner"] or "parallel" in str(parts[0])) and not model.get("measured_later")
    own, right = dict(each[:2] for each in (worlds(read(parts[1], set()))[0] if apart else ())), (groups or not model.get("groups")) and len(costs) in (0, len(model["labels"]))
    need(right and all(own.get(("pure", e, 0, 0), 0) >= costs.count(e) for e in costs), "what was measured is not in the cost")
def check(raw: bytes, key: bytes) -> list[str]:  # return what was shown of a pack, or refuse it
    manifest, signature = (parts := opened(raw)).pop("manifest.json"), parts.pop("manifest.sig")
    digests = {name: hashlib.sha256(held).hexdigest() for name, held in parts.items()}
    need(loads(manifest) == {"format": "tacit-pack-1", "files": digests, "key": key.hex()}, "the manifest is of other parts or keys")
    check_signature(key, manifest, bytes.fromhex(signature.decode()))
    need(signature == bytes.fromhex(signature.decode()).hex().encode() + b"\n", "the signature is wrong")
    model, record = (loads(parts[name]) for name in ("model.json", "record.json"))
    right: Any = {"format": "tacit-record-1", "schema_digest": hashlib.sha256(model["schema"].encode()).hexdigest(), "model_digest": digests["model.json"]}
    for name, value in (right | {name: model.get(name) for name in ["class", "learner", "features", "labels", "n", "cost", "accuracy", "measured", "groups", "secure"]}).items():
        need(record[name] == value and record["secure"] is True, f"the record and the model differ: {name}, or coins were not secret")
    shown, added = proved(record["cost"], (claim := record["privacy"])["proof"] | claim)
    who = (model.get("unit", {}).get("person", []), "added" if added else "replaced")
    need((claim["unit"]["person"], claim["neighbours"]) == who, "another unit is claimed, or other neighbours are claimed")
    check_measured(model, added)
    charge = charged(record, parts["ledger.jsonl"].decode()) if record["ledger"] else ({}, [])
    asked = record | {"columns": [each["name"] for each in model.get("outcomes", [])] or model["labels"]}
    check_policy(tomllib.loads(parts["policy.toml"].decode(), parse_float=str), asked, *charge)
    return [f"signed by {key.hex()}", f"epsilon = {claim['epsilon']}, delta = {claim['delta']} is shown ({float(shown):.7g})",
            f"the policy is kept; approved by: {ascii(', '.join(record['approved']) or 'nobody')[1:-1]}", check_sql(model, parts["model.sql"].decode())]
if __name__ == "__main__":
    status = 2  # of a wrong call
    try:
        need(sys.argv[2:3] == ["--key"] and len(sys.argv) == 4, "use: check_release.py PACK --key FILE")
        pack, house, status = pathlib.Path(sys.argv[1]).read_bytes(), bytes.fromhex(pathlib.Path(sys.argv[3]).read_text().split()[-1]), 1
        sys.stdout.write("\n".join(check(pack, house)) + "\nBELIEVED\n")
    except Exception as error:  # whatever is wrong with a pack, it is not believed
        why = {KeyError: f"{error} is missing", RecursionError: "it is nested too deeply"}.get(type(error), str(error))
        sys.exit(sys.stderr.write(f"{'REFUSED: ' * (status == 1)}{why or type(error).__name__}\n") and status)
