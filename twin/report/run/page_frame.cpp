#include "twin/report/run/page_frame.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "core/text/quoted_text.hpp"
#include "twin/drawings/diagrams/box_diagram.hpp"

namespace wattloop::twin {

namespace {

constexpr const char* style =
    "body{font:15px/1.4 sans-serif;max-width:1100px;margin:1.5em auto;padding:0 1em;color:#222}"
    "h1{margin-bottom:0}.file{color:#666;margin-top:0}h2{border-bottom:2px solid #ddd;margin-top:1.6em}"
    "table{border-collapse:collapse}td,th{padding:2px 10px;text-align:left;border-bottom:1px solid "
    "#ddd;vertical-align:top}"
    ".cause td{font-weight:bold}.loss td{color:#b2182b}.routine td{color:#666}"
    "svg{width:100%;display:block}.verdict{font-size:19px;background:#f4f4f4;padding:.6em .8em;border-left:5px solid "
    "#444}.margins{font-size:14px;margin:-.4em 0 1em}.margins th{font-weight:normal;color:#555;white-space:nowrap}"
    ".keys span{display:inline-block;margin-right:1.2em;border-left:1.6em solid;padding-left:.4em;line-height:1.1}"
    ".plans{display:flex;flex-wrap:wrap;gap:1em}.plans div{flex:0 1 calc(50% - .5em)}.plans h3{margin:.3em "
    "0;font-size:15px}.plan{background:#f4f4f4}.alone{max-width:560px}"
    ".scale{max-width:640px;font-size:12px}.sankey{font-size:13px}.chart{width:100%;height:190px}"
    "figure{margin:.8em 0}figcaption{font-weight:bold}.legend{font-weight:normal;font-size:13px}.legend "
    "span{color:#222!important}.legend>span{display:inline-block}.marks{font-size:13px;margin:.2em 0;padding-left:2em}"
    "#heat_map{width:100%;height:320px;image-rendering:pixelated}pre{white-space:pre-wrap}"
    "td.violated{background:#fbe3df}td.number{text-align:right}th.sortable{cursor:pointer;white-space:nowrap}"
    ".wide{overflow-x:auto}.wide "
    "svg{min-width:640px}.wide "
    ".sankey{min-width:900px}.heat{display:flex}.heat>div:last-child{flex:1;min-width:0}.names,.times{position:"
    "relative;"
    "font-size:11px;color:#444}.names{width:9.5em;height:320px}.times{height:1.6em}.names span,.times "
    "span{position:absolute;"
    "white-space:nowrap}.names span{right:.6em;transform:translateY(-50%)}.times span{transform:translateX(-50%)}"
    ".table{max-height:640px;overflow:auto}.table th{position:sticky;top:0;background:#fff}.filters input{width:6em}"
    ".card{border:1px solid #bbb;border-left:5px solid #444;padding:.3em 1em;margin:.6em "
    "0}.card.violated{border-left-color:#b2182b}"
    ".bar{background:#0072b2;height:12px;display:inline-block}#scatter{width:100%;border:1px solid #999}"
    ".dygraph-axis-label{font-size:11px}.on_phone{display:none}.on_phone text{font-size:12px}"
    "nav{font-size:14px}nav a{margin-right:.9em;white-space:nowrap}"
    // A phone: one column, and what is wider than the screen can be moved by itself.
    "@media screen and (max-width:800px){.plans{display:block}table{display:block;overflow-x:auto;max-width:100%}"
    "h1{font-size:23px}.verdict{font-size:17px}h2{font-size:19px}.scale{font-size:20px}}"
    "@media screen and (max-width:500px){.times span:nth-child(even){display:none}td,th{padding:2px "
    "5px}ol.marks{padding-left:1.5em}code,td,.verdict,summary{overflow-wrap:anywhere}"
    ".on_wide,.plan .fine{display:none}.on_phone{display:block}.boxes .symbol text{font-size:11.5px}.plan "
    "text[style]{font-size:var(--phone)}"
    "table.lines,table.lines tbody,table.lines tr,table.lines td{display:block;text-align:left;border:0}table.lines "
    "thead{display:none}table.lines tr{border-bottom:1px solid #999;padding:.3em 0}table.lines "
    "td[data-head]:not(:empty)::before{content:attr(data-head) \": \";color:#555}table.lines "
    "td:first-child{font-weight:bold}}"
    // What is wider than its column says so, by the script at the end of the page.
    ".moves::before{content:\"wider than the screen: move it sideways\";display:block;position:sticky;left:0;width:"
    "max-content;font:13px sans-serif;color:#555;background:#fff}"
    // By the reader's setting. Pictures stay on paper, because their colours are made for it.
    "@media screen and (prefers-color-scheme:dark){body{background:#15181c;color:#e4e6e8}a{color:#8ab8ff}"
    "h2,td,th{border-color:#454b52}.file,.margins th{color:#b4bac1}.cause td{color:#fff}.loss "
    "td{color:#ff9a8a}.routine td{color:#a7adb4}"
    ".verdict{color:#222}svg,figure.live,.heat{background:#fff;color:#222}figure.live,.heat{padding:4px}"
    ".table th{background:#15181c}td.violated{background:#5a1f1a}table.lines td[data-head]::before,.moves::before"
    "{color:#b4bac1!important;background:#15181c!important}}"
    "@page{margin:10mm}@media "
    "print{body{font-size:10px;max-width:none;margin:0;padding:0}nav,.filters,.moves::before{display:none}"
    "td,th{padding:1px 6px}.margins{font-size:10px}h1{font-size:18px}h2{font-size:14px;margin:.6em 0 "
    ".3em}p,table,figure{margin-top:.2em;margin-bottom:.2em}"
    ".plans{display:flex;flex-wrap:wrap}.plans div{flex:0 0 48%}.plans h3{font-size:11px}h2,h3,h2+p{break-after:avoid}"
    "h2:has(+details:not([open])){display:none}.chart:focus{outline:none}.wide svg,.wide .sankey{min-width:0!important}"
    "figure.live{display:inline-block;width:49%;margin:.2em 0;vertical-align:top}"
    "tr,svg,figure,.verdict{break-inside:avoid}thead{display:table-header-group}.table{max-height:none;overflow:"
    "visible}#heat_map,.heat .names{height:160px}"
    "details:not([open]){display:none}.verdict{font-size:13px}svg{max-height:98mm}.plan{max-height:68mm}"
    "svg.xy{max-height:42mm}.sankey{max-height:65mm}.legend{font-size:9px}}";

/// "to_over_time": a name of a place in the page that nothing else has.
std::string place_of(std::string_view title) {
  std::string place = "to_";
  for (const char letter : title) {
    const bool is_plain = (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9');
    const bool is_capital = letter >= 'A' && letter <= 'Z';
    place += is_plain ? letter : is_capital ? static_cast<char>(letter - 'A' + 'a') : '_';
  }
  return place;
}

/// Heads of columns say that they are, and are printed again at the top of each sheet.
std::string with_heads(std::string body) {
  constexpr std::string_view rows = "><tr><th>", row_end = "</tr>", head = "<th>", scoped = "<th scope='col'>";
  for (const std::string_view table : {"<table", "<table class='lines'"}) {
    const std::string begin = std::string(table) + std::string(rows);
    for (std::size_t at = 0; (at = body.find(begin, at)) != std::string::npos;) {
      body.insert(at + table.size() + 1, "<thead>");
      if (at = body.find(row_end, at); at != std::string::npos) body.replace(at, row_end.size(), "</tr></thead>");
    }
  }
  for (std::size_t at = 0; (at = body.find(head, at)) != std::string::npos; at += scoped.size())
    body.replace(at, head.size(), scoped);
  return body;
}

/// Texts of the heads of columns within a part of a page.
std::vector<std::string_view> heads_of(std::string_view table) {
  constexpr std::string_view open = "<th scope='col'>", close = "</th>";
  std::vector<std::string_view> heads;
  for (std::size_t at = 0; (at = table.find(open, at)) != std::string_view::npos;) {
    at += open.size();
    heads.push_back(table.substr(at, table.find(close, at) - at));
  }
  return heads;
}

/// Cells of tables of many columns have their heads: on a phone a row of these becomes lines. So do those of tables of the class `lines`.
std::string with_lines(const std::string& body) {
  constexpr std::string_view table = "<table", plain = "<table><thead>", asked = "<table class='lines'><thead>",
                             lines = "<table class='lines'>", end = "</table>", row = "<tr", cell = "<td";
  constexpr std::size_t many_columns = 4;
  std::string text;
  std::size_t done = 0;
  for (std::size_t at = 0; (at = body.find(table, at)) != std::string::npos;) {
    const std::size_t table_end = std::min(body.find(end, at), body.size());
    const bool is_asked = body.compare(at, asked.size(), asked) == 0;
    const std::string_view head = std::string_view(body).substr(at, body.find("</thead>", at) - at);
    const std::vector<std::string_view> heads = heads_of(head);
    if (!is_asked && (body.compare(at, plain.size(), plain) != 0 || heads.size() < many_columns)) {
      at = table_end;
      continue;
    }
    text += body.substr(done, at - done) + std::string(lines);
    std::size_t column = 0;
    for (std::size_t k = body.find('>', at) + 1; k < table_end;) {
      const std::size_t next = std::min({body.find(row, k), body.find(cell, k), table_end});
      text += body.substr(k, next - k);
      if (next == table_end) break;
      const bool is_cell = body.compare(next, cell.size(), cell) == 0;
      text += is_cell ? cell : row;
      if (is_cell && column < heads.size() && !heads[column].empty())
        text += fmt::format(" data-head='{}'", heads[column]);
      column = is_cell ? column + 1 : 0;
      k = next + (is_cell ? cell : row).size();
    }
    done = at = table_end;
  }
  return text + body.substr(done);
}

/// Pictures with many texts keep a width at which these can be read: a phone moves over them.
std::string with_room(std::string body) {
  constexpr std::string_view open = "<div class='wide'>", close = "</svg>";
  for (const std::string_view tag : {"<svg class='lanes'", "<svg class='sankey'", "<svg class='xy'"}) {
    for (std::size_t at = 0; (at = body.find(tag, at)) != std::string::npos;) {
      const std::size_t end = body.find(close, at);
      if (end == std::string::npos) break;
      body.insert(end + close.size(), "</div>");
      body.insert(at, open);
      at = end + open.size();
    }
  }
  return body;
}

/// Pictures that do not say themselves what they are have the name of their section.
std::string with_roles(std::string body, const std::string& title) {
  for (const std::string_view tag : {"<svg ", "<canvas "}) {
    for (std::size_t at = 0; (at = body.find(tag, at)) != std::string::npos; at += tag.size()) {
      const std::size_t end = body.find('>', at);
      if (end == std::string::npos || body.substr(at, end - at).find(" role='") != std::string::npos) continue;
      constexpr std::string_view of_class = "class='";
      const std::size_t first = at + tag.size();
      const bool has_class = body.compare(first, of_class.size(), of_class) == 0;
      const std::size_t place = has_class ? body.find('\'', first + of_class.size()) + 1 : first - 1;
      body.insert(place, fmt::format(" role='img' aria-label='{}'", page_text(title)));
    }
  }
  return body;
}

}  // namespace

std::string page_begin(std::string_view head, const std::string& title, const std::string& below) {
  return fmt::format(
      "{}\n<html lang='en'><head><meta charset='utf-8'><meta name='viewport' "
      "content='width=device-width, initial-scale=1'><title>{}</title><style>{}{}</style></head><body>\n"
      "<h1>{}</h1>\n<p class='file'>{}</p>\n",
      head, page_text(title), style, box_diagram_style(), page_text(title), page_text(below));
}

std::string section(const std::string& title, const std::string& body, const std::string& id) {
  return fmt::format(
      "<h2 id='{}'>{}</h2>\n{}\n", id.empty() ? place_of(title) : id, title,
      body.empty() ? "<p>Not recorded in this file.</p>" : with_room(with_roles(with_lines(with_heads(body)), title)));
}

std::string page_end() {
  return R"(<script>
(function () {  // what is wider than its column says that it moves, and begins at what failed
  function show() {
    document.querySelectorAll('.wide, table').forEach(function (box) {
      var moves = box.clientWidth > 0 && box.scrollWidth > box.clientWidth + 1;
      box.classList.toggle('moves', moves);
      if (!moves || box.dataset.begun) return;
      box.dataset.begun = 1;
      var first = box.querySelector('.box.failed') || box.querySelector('.box.beyond') || box.querySelector('.box');
      if (!first) return;
      var at = first.getBoundingClientRect(), of = box.getBoundingClientRect();
      box.scrollLeft += (at.left + at.right) / 2 - (of.left + of.right) / 2;
    });
  }
  show();
  window.addEventListener('resize', show);
  document.querySelectorAll('details').forEach(function (one) { one.addEventListener('toggle', show); });
})();
</script>
</body></html>
)";
}

std::string contents_of(std::string_view sections) {
  constexpr std::string_view begin = "<h2 id='", between = "'>", end = "</h2>";
  std::string links;
  for (std::size_t at = 0; (at = sections.find(begin, at)) != std::string_view::npos; ++at) {
    const std::size_t id = at + begin.size(), id_end = sections.find(between, id), title = id_end + between.size();
    links += fmt::format("<a href='#{}'>{}</a>\n", sections.substr(id, id_end - id),
                         sections.substr(title, sections.find(end, title) - title));
  }
  return links.empty() ? links : "<nav aria-label='Contents'>" + links + "</nav>\n";
}

}  // namespace wattloop::twin
