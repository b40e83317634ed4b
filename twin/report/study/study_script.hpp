// What a browser does with a study: sorts and filters its table, draws two columns against each other with their front.
#pragma once

#include <string_view>

namespace wattloop::twin {

/// Reads `study` ({columns: [{name, unit, kind, change}], rows: [[run, cell, ...]]}); writes into the elements table, filters, shown,
/// scatter, x, y, colour, front and reported. Sets `data-study` of the body when all is drawn.
inline constexpr std::string_view study_script = R"JS(
(function () {
  var columns = study.columns, rows = study.rows, most = 500;
  var byId = function (id) { return document.getElementById(id); };
  var sorted = 0, isDown = false, filters = columns.map(function () { return ''; });
  var title = function (c) { return columns[c].name + (columns[c].unit ? ', ' + columns[c].unit : ''); };
  var isNumber = function (c) { return columns[c].kind === 'number'; };
  function passes(cell, c) {
    var wanted = filters[c].trim(), limit = wanted.match(/^(<=|>=|<|>|=)\s*(-?[0-9.eE+-]+)$/);
    if (!wanted) return true;
    if (!limit || !isNumber(c)) return String(cell === null ? '' : cell).toLowerCase().indexOf(wanted.toLowerCase()) >= 0;
    var bound = Number(limit[2]);
    if (cell === null) return false;
    return limit[1] === '<=' ? cell <= bound : limit[1] === '>=' ? cell >= bound : limit[1] === '<' ? cell < bound
      : limit[1] === '>' ? cell > bound : cell === bound;
  }
  function chosen() {
    return rows.filter(function (row) { return row.every(function (cell, c) { return passes(cell, c); }); });
  }
  function fill() {
    var all = chosen().sort(function (a, b) {
      var x = a[sorted], y = b[sorted];
      if (x === y) return a[0] - b[0];
      if (x === null || x === '') return 1;
      if (y === null || y === '') return -1;
      return (x < y ? -1 : 1) * (isDown ? -1 : 1);
    });
    var body = byId('table').tBodies[0];
    body.textContent = '';
    all.slice(0, most).forEach(function (row) {
      var line = body.insertRow();
      row.forEach(function (cell, c) {
        var place = line.insertCell();
        place.textContent = cell === null ? '' : isNumber(c) ? Number(cell.toPrecision(6)) : cell;
        if (isNumber(c)) place.className = 'number';
        if (cell === 'violated') place.className = 'violated';
      });
    });
    byId('shown').textContent = all.length + ' of ' + rows.length + ' runs' + (all.length > most ? ', the first ' + most + ' shown' : '');
    draw(all);
  }
  function head() {
    var line = byId('table').tHead.rows[0], fields = byId('table').tHead.rows[1];
    columns.forEach(function (column, c) {
      var name = document.createElement('th'), field = document.createElement('input'), place = document.createElement('th');
      name.textContent = title(c);
      name.className = 'sortable';
      name.addEventListener('click', function () { isDown = sorted === c && !isDown; sorted = c; fill(); });
      line.appendChild(name);
      field.placeholder = isNumber(c) ? '<= 80' : 'text';
      field.addEventListener('input', function () { filters[c] = field.value; fill(); });
      place.appendChild(field);
      fields.appendChild(place);
    });
  }
  function options(id, wanted, first) {
    columns.forEach(function (column, c) {
      if (!wanted(c)) return;
      var option = document.createElement('option');
      option.value = c;
      option.textContent = title(c);
      byId(id).appendChild(option);
    });
    if (first >= 0) byId(id).value = first;
    byId(id).addEventListener('change', fill);
  }
  function ticks(low, high) {
    var step = Math.pow(10, Math.floor(Math.log10((high - low) / 4))), list = [];
    [2, 5, 10].some(function (f) { if ((high - low) / step <= 6) return true; step = f === 5 ? step * 2.5 : step * 2; return false; });
    for (var v = Math.ceil(low / step) * step; v <= high + 1e-9 * step; v += step) list.push(Number(v.toPrecision(12)));
    return list;
  }
  function front(points, isMostX, isMostY) {
    var order = points.slice().sort(function (a, b) { return (isMostX ? b.x - a.x : a.x - b.x) || (isMostY ? b.y - a.y : a.y - b.y); });
    var best = null;
    return order.filter(function (p) {
      if (best !== null && !(isMostY ? p.y > best : p.y < best)) return false;
      best = p.y;
      return true;
    });
  }
  var placed = [];
  function draw(all) {
    var canvas = byId('scatter'), c = canvas.getContext('2d'), x = Number(byId('x').value), y = Number(byId('y').value);
    var colour = Number(byId('colour').value), wanted = byId('front').value;
    c.clearRect(0, 0, canvas.width, canvas.height);
    c.font = '13px sans-serif';
    var points = all.filter(function (r) { return r[x] !== null && r[y] !== null; }).map(function (r) { return { x: r[x], y: r[y], row: r }; });
    placed = [];
    if (!points.length) { c.fillText('no run has both', 80, 40); return; }
    var span = function (key) {
      var low = Math.min.apply(null, points.map(function (p) { return p[key]; })), high = Math.max.apply(null, points.map(function (p) { return p[key]; }));
      var pad = high > low ? 0.05 * (high - low) : Math.max(1e-9, 0.05 * Math.abs(low));
      return [low - pad, high + pad];
    };
    var sx = span('x'), sy = span('y'), left = 80, right = canvas.width - 20, top = 15, bottom = canvas.height - 45;
    var px = function (v) { return left + (v - sx[0]) / (sx[1] - sx[0]) * (right - left); };
    var py = function (v) { return bottom - (v - sy[0]) / (sy[1] - sy[0]) * (bottom - top); };
    c.strokeStyle = '#ddd'; c.fillStyle = '#222';
    ticks(sx[0], sx[1]).forEach(function (v) { c.strokeRect(px(v), top, 0, bottom - top); c.textAlign = 'center'; c.fillText(v, px(v), bottom + 17); });
    ticks(sy[0], sy[1]).forEach(function (v) { c.strokeRect(left, py(v), right - left, 0); c.textAlign = 'right'; c.fillText(v, left - 6, py(v) + 4); });
    c.textAlign = 'center'; c.fillText(title(x), (left + right) / 2, bottom + 37);
    c.save(); c.translate(16, (top + bottom) / 2); c.rotate(-Math.PI / 2); c.fillText(title(y), 0, 0); c.restore();
    var kinds = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000', '#999999'], names = [];
    points.forEach(function (p) {
      var key = String(p.row[colour]);
      if (names.indexOf(key) < 0) names.push(key);
      c.fillStyle = key === 'violated' ? '#b2182b' : key === 'held' ? '#0072b2' : kinds[Math.min(names.indexOf(key), 7)];
      c.globalAlpha = 0.75; c.beginPath(); c.arc(px(p.x), py(p.y), 4, 0, 7); c.fill(); c.globalAlpha = 1;
      placed.push({ x: px(p.x), y: py(p.y), row: p.row });
    });
    if (wanted !== 'none') {
      var line = front(points, wanted[0] === 'm', wanted[1] === 'm');
      c.strokeStyle = '#000'; c.beginPath();
      line.forEach(function (p, k) { if (k) c.lineTo(px(p.x), py(line[k - 1].y)), c.lineTo(px(p.x), py(p.y)); else c.moveTo(px(p.x), py(p.y)); });
      c.stroke();
    }
    byId('selection').textContent = 'Colours: ' + columns[colour].name + (names.length > 8 ? ' (eight of ' + names.length + ' values)' : ' ' + names.join(', '));
  }
  head();
  var numbers = columns.map(function (column, c) { return c; }).filter(function (c) { return c > 0 && isNumber(c); });
  var changes = numbers.filter(function (c) { return columns[c].change; }), figures = numbers.filter(function (c) { return !columns[c].change; });
  var verdict = columns.findIndex(function (column) { return column.kind === 'verdict'; });
  options('x', isNumber, changes.length ? changes[0] : figures.length > 1 ? figures[1] : numbers[0]);
  options('y', isNumber, figures.length ? figures[0] : numbers[0]);
  options('colour', function (c) { return !isNumber(c) || columns[c].change; }, verdict);
  byId('front').addEventListener('change', fill);
  byId('scatter').addEventListener('mousemove', function (event) {
    var box = byId('scatter').getBoundingClientRect(), scale = byId('scatter').width / box.width, best = null, least = 100;
    placed.forEach(function (p) {
      var way = Math.pow(p.x - (event.clientX - box.left) * scale, 2) + Math.pow(p.y - (event.clientY - box.top) * scale, 2);
      if (way < least) { least = way; best = p; }
    });
    if (best) byId('selection').textContent = 'run ' + best.row.map(function (cell, c) { return cell === null || cell === '' ? '' : c ? columns[c].name + ' ' + (isNumber(c) ? Number(cell.toPrecision(5)) : cell) : cell; }).filter(String).join(', ');
  });
  fill();
  document.body.dataset.study = rows.length;
})();
)JS";

}  // namespace wattloop::twin
