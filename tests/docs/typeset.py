#!/usr/bin/python3
"""Equations of the pages in TeX, against what a typesetter wrote by hand, and what must stay text."""
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
from typeset_equations import block, cell, page, tex

EQUATIONS = {
    "dx/dt = (u - x) / tau_v": r"\frac{\mathrm{d}x}{\mathrm{d}t} = \frac{u - x}{\tau_{\mathrm{v}}}",
    "UA = UA_0 (m / m_0)^n": r"\mathrm{UA} = \mathrm{UA}_{\mathrm{0}}\,\left(\frac{m}{m_{\mathrm{0}}}\right)^{n}",
    "1/G = R_s + 1/(2 m c)": r"\frac{1}{G} = R_{\mathrm{s}} + \frac{1}{2\,m\,c}",
    "a = b c / d e": r"a = \frac{b\,c}{d\,e}",
    "a = b c/d e": r"a = b\,\frac{c}{d}\,e",
    "e = 1 - exp(-x)": r"e = 1 - \exp\left(-x\right)",
    "G = |T_d - T_f| / dT_0": r"G = \frac{\left|T_{\mathrm{d}} - T_{\mathrm{f}}\right|}{\Delta T_{\mathrm{0}}}",
    "P = P_0 n^3 + m dp": r"P = P_{\mathrm{0}}\,n^{3} + m\,\Delta p",
    "x <= 2 K": r"x \le 2\,\mathrm{K}",
    "T = (a + b) (c + d)": r"T = \left(a + b\right)\,\left(c + d\right)",
}
TEXTS = ["Q = least of: m c, Q_rated", "wattloop run scenarios/h100_10k.yaml --set a=b", "demand of a bus = its share", "linear in P", "g, s, w = 0..2",
         "utility_a -> transformer_a", "a = (b", "hall: { a: 7 % }"]


def main():
    wrong = [f"{text}\n  is   {tex(text)}\n  not  {wanted}" for text, wanted in EQUATIONS.items() if tex(text) != wanted]
    wrong += [f"{text} is no equation" for text in TEXTS if tex(text) is not None]
    if block(["hall:", "  racks: { a: 7 % }"]) is not None:
        wrong.append("a scenario is typeset")
    if not cell("approach A = T_b, of words").startswith("approach <span"):
        wrong.append("a word before a name became its factor")
    if page("```\n    a = b\n```\n\n* item\n\n    a = b") != "```\n    a = b\n```\n\n* item\n\n    a = b":
        wrong.append("blocks of code or what belongs to a list changed")
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
