#include "twin/report/run/page_frame.hpp"

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
    ".cause td{font-weight:bold}.loss td{color:#b2182b}.routine td{color:#777}"
    "svg{width:100%;display:block}.verdict{font-size:19px;background:#f4f4f4;padding:.6em .8em;border-left:5px solid "
    "#444}"
    ".plans{display:flex;gap:1em}.plans div{flex:1}.plans h3{margin:.3em "
    "0;font-size:15px}.plan{background:#f4f4f4}.alone{max-width:560px}"
    ".scale{max-width:640px;font-size:12px}.sankey{font-size:13px}.chart{width:100%;height:190px}"
    "figure{margin:.8em 0}figcaption{font-weight:bold}.legend{font-weight:normal;font-size:13px}"
    "#heat_map{width:100%;height:320px;image-rendering:pixelated}pre{white-space:pre-wrap}"
    "td.violated{background:#fbe3df}td.number{text-align:right}th.sortable{cursor:pointer;white-space:nowrap}"
    ".wide{overflow-x:auto}.heat{display:flex}.heat>div:last-child{flex:1;min-width:0}.names,.times{position:relative;"
    "font-size:11px;color:#444}.names{width:9.5em;height:320px}.times{height:1.6em}.names span,.times "
    "span{position:absolute;"
    "white-space:nowrap}.names span{right:.6em;transform:translateY(-50%)}.times span{transform:translateX(-50%)}"
    ".table{max-height:640px;overflow:auto}.table th{position:sticky;top:0;background:#fff}.filters input{width:6em}"
    ".card{border:1px solid #bbb;border-left:5px solid #444;padding:.3em 1em;margin:.6em "
    "0}.card.violated{border-left-color:#b2182b}"
    ".bar{background:#0072b2;height:12px;display:inline-block}#scatter{width:100%;border:1px solid #999}"
    ".dygraph-axis-label{font-size:11px}@media(max-width:800px){.plans{display:block}}";

}  // namespace

std::string page_begin(std::string_view head, const std::string& title, const std::string& below) {
  return fmt::format(
      "{}\n<html lang='en'><head><meta charset='utf-8'><title>{}</title><style>{}{}</style></head><body>\n"
      "<h1>{}</h1>\n<p class='file'>{}</p>\n",
      head, page_text(title), style, box_diagram_style(), page_text(title), page_text(below));
}

std::string section(const std::string& title, const std::string& body, const std::string& id) {
  return fmt::format("<h2{}>{}</h2>\n{}\n", id.empty() ? id : fmt::format(" id='{}'", id), title,
                     body.empty() ? "<p>Not recorded in this file.</p>" : body);
}

}  // namespace wattloop::twin
