"""Equations as the pages write them in plain text, in TeX. What is no equation stays text; nothing is guessed.

  C_d dT_d/dt = P - G_dp (T_d - T_p)     a space is a product, `f(x)` without one a function, `a/b` binds like a product without spaces,
  UA = UA_0 (m / m_0)^n                  `a b / c d` divides products, `_` is an index, columns stand two spaces apart.
"""
import html
import re

GREEK = {"eps": "varepsilon", "eta": "eta", "rho": "rho", "tau": "tau", "phi": "varphi"}
FUNCTIONS = {"exp", "ln", "min", "max", "cos", "sin"}  # those that TeX has
ROMAN = {"COP", "NTU", "UA", "PI", "clamp", "floor", "ceil", "level", "pump", "loss", "delay", "start", "dp"}
RELATIONS = {"=": "=", "<=": r"\le", ">=": r"\ge", "<": "<", ">": ">"}
PROSE = set("of the at to in by from and below above where is over least with for if smallest any or what that than sum between into up "
            "all see an a's one not never both each until while".split())
TOKEN = re.compile(r"(?P<space>\s+)|(?P<number>\d+(?:\.\d+)?)|(?P<name>[A-Za-z]+\d*(?:_[A-Za-z0-9]+)*(?:,(?=[a-z])[a-z]+)?(?<!,)\*?)"
                   r"|(?P<relation><=|>=|=|<|>)|(?P<sign>[-+*/^(),|])")


class NoEquation(Exception):
    pass


def name_in_tex(name, is_derivative=False):
    star, name = ("^{*}", name[:-1]) if name.endswith("*") else ("", name)
    difference = re.match(r"d([A-Za-z](_.*)?)$", name)
    if difference:
        return (r"\mathrm{d}" if is_derivative else r"\Delta ") + name_in_tex(difference.group(1)) + star
    name = re.sub(r"^([A-Za-z]+)(\d+)$", r"\1_\2", name)
    base, _, index = name.partition("_")
    if len(base) > 2 and base not in ROMAN and base not in GREEK:   # a word, or a setting by its name
        return r"\text{" + name.replace("_", r"\_") + "}" + star
    base = "\\" + GREEK[base] if base in GREEK else base if len(base) == 1 else r"\mathrm{" + base + "}"
    return base + (r"_{\mathrm{" + index.replace("_", r"\_") + "}}" if index else "") + star


def bare(formula):
    """Without the brackets around all of it."""
    depth = 0
    for match in re.finditer(r"\\left.|\\right.", formula):
        depth += 1 if match.group().startswith("\\left") else -1
        if depth == 0:
            is_whole = formula.startswith(r"\left(") and match.end() == len(formula)
            return formula[len(r"\left("):-len(r"\right)")] if is_whole else formula
    return formula


class Parser:
    def __init__(self, text):
        self.tokens, at = [], 0
        while at < len(text):
            match = TOKEN.match(text, at)
            if match is None:
                raise NoEquation(text)
            if match.lastgroup != "space":
                self.tokens.append((match.lastgroup, match.group(), at > 0 and text[at - 1].isspace()))
            at = match.end()
        self.tokens.append(("end", "", False))
        self.at, self.bars = 0, 0

    @property
    def now(self):
        return self.tokens[self.at]

    def take(self, text=None):
        token = self.now
        if text is not None and token[1] != text:
            raise NoEquation(text)
        self.at += 1
        return token

    def equation(self):
        tex, relations = self.sum(), 0
        while self.now[0] == "relation":
            tex += f" {RELATIONS[self.take()[1]]} " + self.sum()
            relations += 1
        if self.now[0] != "end" or relations == 0:
            raise NoEquation()
        return tex

    def sum(self):
        tex = ""
        if self.now[1] in ("-", "+"):
            tex = self.take()[1]
        tex += self.quotient()
        while self.now[1] in ("-", "+"):
            tex += f" {self.take()[1]} " + self.quotient()
        return tex

    def quotient(self):
        """Products over products, where spaces stand around the stroke."""
        tex = self.product()
        while self.now[1] == "/":
            self.take()
            tex = rf"\frac{{{bare(tex)}}}{{{bare(self.product())}}}"
        return tex

    def starts_factor(self):
        kind, text, _ = self.now
        return kind in ("number", "name") or text == "(" or (text == "|" and self.bars == 0)

    def product(self):
        factors, words = [], 0
        while True:
            kind, text, _ = self.now
            is_word = kind == "name" and len(text.partition("_")[0]) > 3 and text not in ROMAN and self.tokens[self.at + 1][1] != "("
            words = words + 1 if is_word else 0
            if words > 1 or (kind == "name" and text in PROSE):
                raise NoEquation()
            factors.append(self.tight_quotient())
            if self.now[1] == "*":
                self.take()
                words = 0
                factors.append(r"\cdot")
            elif not self.starts_factor():
                return r"\,".join(factors).replace(r"\,\cdot\,", r" \cdot ")

    def tight_quotient(self):
        tex = self.power()
        while self.now[1] == "/" and not self.now[2] and not self.tokens[self.at + 1][2]:
            self.take()
            tex = rf"\frac{{{bare(tex)}}}{{{bare(self.power())}}}"
        return tex

    def power(self):
        tex = self.factor()
        if self.now[1] == "^":
            self.take()
            minus = self.take()[1] if self.now[1] == "-" else ""
            tex = f"{tex}^{{{minus}{bare(self.factor())}}}"
        return tex

    def arguments(self):
        self.take("(")
        inside = [self.sum()]
        while self.now[1] == ",":
            self.take()
            inside.append(self.sum())
        self.take(")")
        return ", ".join(inside)

    def factor(self):
        kind, text, _ = self.now
        if kind == "number":
            return self.take()[1]
        if kind == "name":
            self.take()
            if self.now[1] == "(" and not self.now[2]:
                inside = self.arguments()
                if text == "sqrt":
                    return rf"\sqrt{{{inside}}}"
                return ("\\" + text if text in FUNCTIONS else name_in_tex(text)) + rf"\left({inside}\right)"
            if text == "K" and self.tokens[self.at - 2][0] == "number":
                return r"\mathrm{K}"
            is_derivative = text == "dt" or [one[1] for one in self.tokens[self.at:self.at + 2]] == ["/", "dt"]
            return "\\" + text if text in FUNCTIONS else name_in_tex(text, is_derivative)
        if text == "(":
            return rf"\left({self.arguments()}\right)"
        if text == "|" and self.bars == 0:
            self.take()
            self.bars += 1
            inside = self.sum()
            self.take("|")
            self.bars -= 1
            return rf"\left|{inside}\right|"
        raise NoEquation(text)


def tex(text):
    """None where it is no equation."""
    try:
        return Parser(text.strip()).equation()
    except NoEquation:
        return None


def pieces(cell):
    """What commas outside of brackets separate."""
    depth, start = 0, 0
    for at, letter in enumerate(cell):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0 and cell[at + 1:at + 2] == " ":
            yield cell[start:at]
            start = at + 1
    yield cell[start:]


def math(formula):
    return f'<span class="math">{html.escape(formula)}</span>'


def words(text):
    """Names with an index among words are typeset too."""
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text, quote=False))
    return re.sub(r"(?<![\w/])([A-Za-z]|eps|UA|dp)_[a-z0-9]+(?:,[a-z]+)?\b", lambda match: math(name_in_tex(match.group())), text)


def typeset(part):
    """A word before the name that it explains is none of its factors: approach A = ..."""
    explained = re.match(r" *([a-z]{4,}) ([A-Za-z] = .*)", part)
    if explained and tex(explained.group(2)):
        return explained.group(1) + " " + typeset(explained.group(2))
    formula = tex(part)
    return math(r"\displaystyle " + formula) if formula else words(part.strip())


def cell(text):
    comma = "," if text.endswith(",") else ""
    return ", ".join(typeset(part) for part in pieces(text.removesuffix(","))) + comma


def joined(row):
    """Columns inside an equation are none of the table: `P_s    = P_node - P_dc`."""
    cells = []
    for text in row:
        is_inside = cells and (re.match(r"([-+] |[<>=])", text) or re.search(r"[<>=]$", cells[-1]))
        if is_inside and tex(next(pieces(f"{cells[-1]} {text}"))):
            cells[-1] += " " + text
        else:
            cells.append(text)
    return cells


def block(lines):
    """A table, a row for each line; None where nothing in it is an equation."""
    rows = [joined(re.split(r" {2,}", line.strip())) for line in lines if line.strip()]
    if not any(tex(part) for row in rows for text in row for part in pieces(text.removesuffix(","))):
        return None
    width = max(map(len, rows))
    table = ['<table class="equations" markdown="0">']
    for row in rows:
        cells = "".join(f"<td>{cell(text)}</td>" for text in row[:-1])
        table.append(f'<tr>{cells}<td colspan="{width - len(row) + 1}">{cell(row[-1])}</td></tr>')
    return [*table, "</table>"]


def page(text):
    """The page with its indented blocks typeset."""
    out, indented, fenced, in_list = [], [], False, False

    def end():
        while indented and not indented[-1].strip():
            indented.pop()
            tail.append("")
        typeset = block(indented) if indented else None
        out.extend(typeset if typeset else indented)
        out.extend(tail)
        indented.clear(), tail.clear()

    tail = []
    for line in text.split("\n"):
        fenced ^= line.lstrip().startswith("```")
        if re.match(r"\s*([-*]|\d+\.) ", line) and not indented:
            in_list = True
        elif line.strip() and not line.startswith(" "):
            in_list = False
        if not fenced and not in_list and (line.startswith("    ") or (indented and not line.strip())):
            indented.append(line)
        else:
            end()
            out.append(line)
    end()
    return "\n".join(out)
