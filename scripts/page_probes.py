"""Questions in JavaScript that scripts/check_reports asks of a page in Chromium."""

DRAWN = """[...document.querySelectorAll('.chart canvas')].filter(c => {
  const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
  for (let k = 3; k < d.length; k += 4) if (d[k]) return true; return false; }).length"""

# Texts of the page and of its pictures with their contrast, the worst first. Behind a text of an SVG is the rectangle that was drawn last before it
# and contains its middle, else what is behind the picture; a text with a rim is seen on the rim.
CONTRASTS = """(() => {
  const isFolded = e => e.closest('details:not([open])') && !e.closest('summary');
  const part = v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const light = c => 0.2126 * part(c[0]) + 0.7152 * part(c[1]) + 0.0722 * part(c[2]);
  const numbers = text => text.match(/[0-9.]+/g).map(Number);
  const behind = e => { for (; e; e = e.parentElement) {
      const c = numbers(getComputedStyle(e).backgroundColor); if (c.length == 3 || c[3] > 0) return c; }
    return matchMedia('(prefers-color-scheme: dark)').matches ? [0, 0, 0] : [255, 255, 255]; };
  const isColour = paint => paint.startsWith('rgb');
  const behindInPicture = e => {
    const style = getComputedStyle(e), box = e.getBoundingClientRect(), x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
    if (isColour(style.stroke)) return numbers(style.stroke);
    let ground = null;
    for (const shape of e.closest('svg').querySelectorAll('rect, text')) {
      if (shape == e) break;
      const at = shape.getBoundingClientRect(), fill = getComputedStyle(shape).fill;
      if (shape.tagName == 'rect' && isColour(fill) && at.left <= x && x <= at.right && at.top <= y && y <= at.bottom) ground = numbers(fill);
    }
    return ground || behind(e.closest('svg'));
  };
  const found = new Map();
  for (const e of document.querySelectorAll('body *')) {
    if (e.closest('canvas, script, style, defs, title') || isFolded(e) || !e.getClientRects().length) continue;
    if (![...e.childNodes].some(n => n.nodeType == 3 && n.textContent.trim())) continue;
    const isDrawn = e.closest('svg') !== null, style = getComputedStyle(e);
    const a = light(numbers(isDrawn ? style.fill : style.color)), b = light(isDrawn ? behindInPicture(e) : behind(e));
    const of = isDrawn ? 'svg.' + e.closest('svg').getAttribute('class') + ' text.' + (e.getAttribute('class') || '') : e.tagName.toLowerCase() + '.' + e.className;
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (!found.has(of) || found.get(of)[0] > ratio) found.set(of, [ratio, e.textContent.trim().slice(0, 40)]);
  }
  return [...found].map(([name, [ratio, text]]) => [ratio, name, text]).sort((a, b) => a[0] - b[0]);
})()"""

# Pairs of texts that lie over each other by more than two pixels either way, of all but texts that are turned.
OVERLAPS = """(() => {
  const isFolded = e => e.closest('details:not([open])') && !e.closest('summary');
  const texts = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode, e = node.parentElement;
    if (!node.textContent.trim() || isFolded(e) || e.closest('script, style, title, .table') || e.closest('[transform*=rotate]')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects())
      if (box.width > 4 && box.height > 4) texts.push([box, node.textContent.trim().slice(0, 40)]);
  }
  texts.sort((a, b) => a[0].top - b[0].top);
  const pairs = [];
  for (let i = 0; i < texts.length; ++i)
    for (let k = i + 1; k < texts.length && texts[k][0].top < texts[i][0].bottom - 2; ++k) {
      const [a, b] = [texts[i][0], texts[k][0]], high = Math.min(a.bottom, b.bottom) - b.top;
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      if (wide > 2 && high > 0.35 * Math.min(a.height, b.height)) pairs.push(texts[i][1] + ' / ' + texts[k][1]);
    }
  return pairs.slice(0, 5); })()"""

# Pictures with texts that are too small to be read.
SMALL = """[...new Set([...document.querySelectorAll('svg text')].filter(t => t.textContent.trim() && t.getClientRects().length &&
  !t.closest('[transform*=rotate]') && t.getBoundingClientRect().height < LEAST_TEXT).map(t => 'svg.' + t.closest('svg').getAttribute('class') + ' ' +
  t.getBoundingClientRect().height.toFixed(1)))].slice(0, 3)"""

# Texts of pictures in letters of fewer pixels than LEAST_LETTERS, as they are on the screen; turned ones, too.
SMALL_LETTERS = """[...new Set([...document.querySelectorAll('svg text')].filter(t => t.textContent.trim() && t.getClientRects().length).map(t => {
  const m = t.getScreenCTM(), size = parseFloat(getComputedStyle(t).fontSize) * Math.hypot(m.a, m.b);
  return size < LEAST_LETTERS ? 'svg.' + t.closest('svg').getAttribute('class') + ' ' + size.toFixed(1) + ' ' + t.textContent.trim().slice(0, 12) : ''; })
  .filter(Boolean))].slice(0, 3)"""

# Texts of pictures that begin or end outside of their picture: the first and the last labels of scales above all.
CUT_LABELS = """[...document.querySelectorAll('svg text')].filter(t => { if (!t.textContent.trim() || !t.getClientRects().length) return false;
  const a = t.getBoundingClientRect(), b = t.closest('svg').getBoundingClientRect();
  return a.left < b.left - 1 || a.right > b.right + 1 || a.top < b.top - 3 || a.bottom > b.bottom + 3; })
  .map(t => 'svg.' + t.closest('svg').getAttribute('class') + ' ' + t.textContent.trim().slice(0, 20)).slice(0, 3)"""

# Pictures and tables that are wider than their column and do not say that they move.
UNFIT = """[...document.querySelectorAll('svg, table, canvas')].filter(e => !e.closest('.chart, .table, details:not([open])') &&
  !e.parentElement.closest('svg') && e.getClientRects().length && !e.closest('.moves') &&
  (e.getBoundingClientRect().right > document.body.getBoundingClientRect().right || e.scrollWidth > e.clientWidth + 1 && e.tagName == 'TABLE'))
  .map(e => e.tagName + '.' + (e.getAttribute('class') || e.textContent.trim().slice(0, 20))).slice(0, 3)"""

# Cells of tables that are narrower than their longest word.
NARROW_CELLS = """[...document.querySelectorAll('td, th')].filter(e => e.getClientRects().length && !e.closest('.table') && e.clientWidth > 0 &&
  e.scrollWidth > e.clientWidth + 1).map(e => e.textContent.trim().slice(0, 30)).slice(0, 3)"""

# Columns of cells in which words are broken into single letters.
LETTER_COLUMNS = """[...document.querySelectorAll('td')].filter(e => e.getClientRects().length && !e.closest('.table') &&
  e.textContent.trim().length > 3 && e.clientWidth < 40 && e.clientHeight > 60).map(e => e.textContent.trim().slice(0, 30)).slice(0, 3)"""

# What is longer than its box and can neither be seen nor moved.
HIDDEN = """[...document.querySelectorAll('body *')].filter(e => { const s = getComputedStyle(e);
  return !e.closest('svg, canvas, script, .chart') && e.clientWidth > 0 && ['hidden', 'clip'].includes(s.overflowX) && e.scrollWidth > e.clientWidth + 1; })
  .map(e => e.tagName + '.' + e.className).slice(0, 3)"""

# Heads of tables that a sheet does not repeat: rows of heads outside of `thead`, or one that is not printed as such.
UNREPEATED = """[...document.querySelectorAll('table')].filter(t => { const head = t.querySelector('th[scope=col]');
  return head && head.getClientRects().length && (!head.closest('thead') || getComputedStyle(head.closest('thead')).display != 'table-header-group'); })
  .map(t => t.textContent.trim().slice(0, 40)).slice(0, 3)"""

WIDER = """[...document.querySelectorAll('body *')].filter(e => !e.closest('svg, .wide, table, .table, pre, .heat, figure') &&
  e.getBoundingClientRect().right > innerWidth + 1).map(e => e.tagName + '.' + e.className).slice(0, 3)"""

# Arrows reach a value at which the legend has the words of the first event that is marked.
WORDS_OF_MARK = """(() => {
  const chart = document.getElementById('chart_1'), legend = document.getElementById('legend_1');
  const press = key => chart.dispatchEvent(new KeyboardEvent('keydown', { key: key }));
  press('Home');
  for (let k = 0; marks.length && k < 3000; k++) {
    if (legend.textContent.includes(marks[0].words)) return true;
    press('ArrowRight');
  }
  return marks.length == 0; })()"""

# Numbers of marks are those of the list above the charts.
LISTED_MARKS = """(() => { const list = [...document.querySelectorAll('ol.marks li')].map(e => e.textContent);
  return list.length == marks.length && marks.every((mark, k) => list[k].endsWith(': ' + mark.words)); })()"""

# Entries of legends of which the colour and the first word are on two lines.
PARTED = """[...document.querySelectorAll('.legend > span')].filter(e => {
  const line = e.querySelector('.dygraph-legend-line');
  if (!line) return false;
  const range = document.createRange();
  range.selectNodeContents(e);
  range.setStartAfter(line);
  const first = [...range.getClientRects()].find(box => box.width > 1);
  return first && Math.abs(first.bottom - line.getBoundingClientRect().bottom) > first.height; }).map(e => e.textContent).slice(0, 5)"""

NAMELESS = """[...document.querySelectorAll('body svg, body canvas, body th')].filter(e => !e.closest('.chart') && !e.parentElement.closest('svg') &&
  (e.tagName == 'TH' ? !e.scope : e.getAttribute('role') != 'img' || !(e.getAttribute('aria-label') || e.querySelector('title'))))
  .map(e => e.tagName + '.' + (e.getAttribute('class') || e.id)).slice(0, 5)"""

HOVERED = """(k => { const legend = document.getElementById('legend_' + (k + 1)).textContent, unit = charts[k].unit;
  return legend.includes(timeUnit) && (!unit || legend.includes(unit)) && /[0-9]/.test(legend); })"""
