"""Places in C sources that a mutation check breaks, one at a time (scripts/mutants.py).

Three kinds. `sign`: a plus or minus changes its sign. `constant`: a floating-point number is doubled, and 0 becomes 1.
`comparison`: a comparison gives the opposite answer. Each place is wrapped so that the source means what it did unless
its mutant is chosen at run time:

    a - b     a - RW_MUTANT_SIGN(7) * b
    2.0f      RW_MUTANT_NUMBER(7, 2.0f)
    a < b     RW_MUTANT_ON(7) ^ a < b

Only bodies of functions are looked at. Left out: subscripts and loop headers (a wrong one crashes, which says little
about the tests), a sign beside a whole number for the same reason, numbers below 1e-5 or above 1e6 (tolerances and "very
far"), and code for GPUs alone.
"""
import hashlib
import re

TOKEN = re.compile(r"""
    (?P<skip>/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
  | (?P<line>^[ \t]*\#(?:[^\n\\]|\\.)*)
  | (?P<number>0[xX][0-9a-fA-F]+[uUlL]*|(?:\d+\.\d*|\.\d+|\d+)(?:[eE][+-]?\d+)?[fFuUlL]*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<mark>->|\+\+|--|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)
""", re.X | re.S | re.M)

COMPARISONS = {"<", ">", "<=", ">=", "==", "!="}
OPERAND_ENDS = {"(", "[", "{", ";", ",", "?", ":", "&&", "||", "=", "return", "+=", "-=", "*=", "/=", "|=", "&=", "^="}
REFUSED_BEFORE = {"&", "|", "^", "==", "!=", "<", ">", "<=", ">="}


class Token:
    def __init__(self, match):
        self.kind = match.lastgroup
        self.text = match.group()
        self.start = match.start()
        self.end = match.end()


class Site:
    """A place: what is inserted where is in edits(id)."""

    def __init__(self, path, kind, text, token, first):
        self.path, self.kind = path, kind
        self.line = text.count("\n", 0, token.start) + 1
        begin = text.rfind("\n", 0, token.start) + 1
        self.column = token.start - begin
        self.source = text[begin:text.find("\n", token.start)].strip()
        self.mark = token.text
        self.start, self.end, self.first = token.start, token.end, first
        self.key = ""

    def edits(self, number):
        if self.kind == "sign":
            return [(self.end, " RW_MUTANT_SIGN(%d) *" % number)]
        if self.kind == "constant":
            return [(self.start, "RW_MUTANT_NUMBER(%d, " % number), (self.end, ")")]
        return [(self.first, "RW_MUTANT_ON(%d) ^ " % number)]


def tokens_of(text):
    """Tokens outside comments and of the branches that a C compiler sees."""
    for_gpu = []
    for match in TOKEN.finditer(text):
        token = Token(match)
        if token.kind == "line":
            words = token.text.replace("#", " ").split()
            if words and words[0].startswith("if"):
                for_gpu.append(words[0] == "ifdef" and words[1].startswith("__CUDA"))
            elif words and words[0] in ("else", "elif") and for_gpu:
                for_gpu[-1] = False
            elif words and words[0] == "endif" and for_gpu:
                for_gpu.pop()
        elif token.kind != "skip" and not token.text.isspace() and not any(for_gpu):
            yield token


def mark_places(tokens):
    """For each token: whether it is in the body of a function, outside subscripts and loop headers."""
    places, stack = [], []
    for index, token in enumerate(tokens):
        before = tokens[index - 1].text if index else ""
        if token.text == "{":
            stack.append("body" if stack or before == ")" else "other")
        elif token.text == "[":
            stack.append("subscript")
        elif token.text == "(":
            stack.append("loop" if before == "for" else "(")
        elif token.text in ("}", ")", "]") and stack:
            stack.pop()
        places.append("body" in stack and stack[0] == "body" and not {"subscript", "loop"} & set(stack))
    return places


def find_left_operand(tokens, index):
    """Index of the first token of the expression left of a comparison, or None where it is not plain."""
    depth = 0
    for at in range(index - 1, -1, -1):
        text = tokens[at].text
        if text in (")", "]"):
            depth += 1
        elif depth and text in ("(", "["):
            depth -= 1
        elif depth == 0 and text in OPERAND_ENDS:
            return at + 1
        elif depth == 0 and text in REFUSED_BEFORE:
            return None
    return None


def is_whole(token):
    return token.kind == "number" and not re.search(r"[.eE]", token.text)


def is_changeable(token):
    if token.kind != "number" or is_whole(token) or token.text[:2] in ("0x", "0X"):
        return False
    value = float(token.text.rstrip("fFlL"))
    return value == 0.0 or 1e-5 <= value <= 1e6


def find_sites(path, text):
    """All places of one source, each with a key that stays the same while its line does."""
    tokens = list(tokens_of(text))
    places = mark_places(tokens)
    sites, seen = [], {}
    for index in range(1, len(tokens) - 1):
        token, before, after = tokens[index], tokens[index - 1], tokens[index + 1]
        site = None
        if not places[index]:
            continue
        if token.text in ("+", "-") and not is_whole(before) and not is_whole(after) and after.text not in ("+", "-"):
            site = Site(path, "sign", text, token, token.start)
        elif is_changeable(token):
            site = Site(path, "constant", text, token, token.start)
        elif token.text in COMPARISONS:
            first = find_left_operand(tokens, index)
            if first is not None and first < index:
                site = Site(path, "comparison", text, token, tokens[first].start)
        if site:
            name = (path, site.kind, site.source, site.mark)
            seen[name] = seen.get(name, 0) + 1
            site.key = hashlib.sha256(repr(name + (seen[name],)).encode()).hexdigest()[:12]
            sites.append(site)
    return sites


def choose_sites(sites, count, seed):
    """count of them, a third of each kind where there are as many. An edit elsewhere does not change the choice."""
    order = sorted(sites, key=lambda site: hashlib.sha256((seed + site.key).encode()).hexdigest())
    chosen = []
    for kind in ("sign", "constant", "comparison"):
        chosen += [site for site in order if site.kind == kind][:count // 3]
    chosen += [site for site in order if site not in chosen][:max(0, count - len(chosen))]
    return sorted(chosen, key=lambda site: (site.path, site.start))


def wrap_sites(text, numbered):
    """The source with [(number, site)] wrapped, and the header that the wrapping needs."""
    edits = [edit for number, site in numbered for edit in site.edits(number)]
    # From the end; where two meet, what wraps a number goes in first and so stands behind the other.
    for at, more in sorted(edits, key=lambda edit: (-edit[0], not edit[1].startswith("RW_MUTANT_NUMBER"))):
        text = text[:at] + more + text[at:]
    return '#include "base/mutant.h"\n' + text
