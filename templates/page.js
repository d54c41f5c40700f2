"use strict";
// What the page offers with script: copies of tables, order, links to places, light and dark.
const make = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};
const notice = make("p", {className: "hidden", role: "status"});
document.body.append(notice);

// --- what is put into the document when it is asked for ---

const MOST_ROWS = 100;  // of a table at first, where it has more than twice as many

const filledWhenOpened = (details, fill) => {
  details.fill = () => {
    delete details.fill;
    fill();
  };
  details.addEventListener("toggle", () => details.open && details.fill?.());
};
const withoutData = (details) => {
  const content = [...details.childNodes].filter((part) => !part.matches?.("summary"));
  for (const part of content) part.remove();
  filledWhenOpened(details, () => {
    details.append(...content);
    tools(details);
  });
};
const everyRow = (table) => [...table.rows, ...(table.rest ?? [])];
const shorten = (table) => {
  const [body, ...others] = table.tBodies;
  if (others.length || body.rows.length <= 2 * MOST_ROWS) return;
  table.rest = [...body.rows].slice(MOST_ROWS);
  for (const row of table.rest) row.remove();
};
const complete = (table) => {
  if (!table.rest) return;
  table.tBodies[0].append(...table.rest);
  delete table.rest;
  showHint(table);
  table.dispatchEvent(new Event("completed", {bubbles: true}));
};

// The words of a cell without links to findings; what stands small beside them is apart.
const wordsOf = (cell) => {
  const copy = cell.cloneNode(true);
  const small = [...copy.querySelectorAll("small,.tag")];
  copy.querySelectorAll("a:not(.value),svg,small,.tag").forEach((part) => part.remove());
  const plain = (text) => text.replaceAll("\u2060", "").replace(/\s+/g, " ").trim();
  return {text: plain(copy.textContent), beside: small.map((part) => plain(part.textContent))};
};
const rowsOf = (table) => everyRow(table).map((row) => [...row.cells].flatMap((cell) => {
  const read = {...wordsOf(cell), value: cell.dataset.v};
  return Array(cell.matches("th") ? 1 : cell.colSpan).fill(read);
}));
const isNumber = (text) => /^[−-]?[\d,]*\.?\d+$/.test(text);
const plainNumber = (text) => text.replaceAll(",", "").replace("−", "-");

const asMarkdown = (table) => {
  const escaped = (text) => text.replace(/[\\`*_[\]<>|~&]/g, "\\$&");
  const lines = rowsOf(table).map((row) => row.map(({text, beside}) =>
    escaped(text + (beside.length ? ` (${beside.join("; ")})` : ""))));
  const wide = Math.max(...lines.map((row) => row.length));
  const right = (column) => lines.some((row, n) => n && isNumber(row[column]?.split(" ")[0] ?? ""));
  const rule = Array.from({length: wide}, (_, n) => (n && right(n) ? "--:" : "---"));
  return [lines[0], rule, ...lines.slice(1)].map((row) => `| ${row.join(" | ")} |\n`).join("");
};
const asCsv = (table) => {
  const rows = rowsOf(table);
  const doubled = (column) => rows.some((row, n) => n && row[column]?.beside.length);
  const field = (text) => {
    const safe = isNumber(text) ? plainNumber(text) : text.replace(/^[=+@＝＋－＠−-]/, "'$&");
    return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const lines = rows.map((row) => row.flatMap(({text, beside, value}, column) =>
    [value ?? text, ...(doubled(column) ? [beside.join("; ")] : [])]));
  return lines.map((row) => `${row.map(field).join(",")}\r\n`).join("");
};
// Whether it came there: a page from a file may have to go the old way.
const toClipboard = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const focused = document.activeElement;
    const area = make("textarea", {value: text, className: "hidden"});
    document.body.append(area);
    area.select();
    const copied = document.execCommand("copy");
    area.remove();
    focused?.focus();
    return copied;
  }
};
const copyButtons = (table, label) => {
  const buttons = Object.entries({Markdown: asMarkdown, CSV: asCsv}).map(([name, write]) => {
    const button = make("button", {type: "button", textContent: name});
    button.ariaLabel = `Copy as ${name}: ${label}`;
    button.addEventListener("click", async () => {
      const copied = await toClipboard(write(table));
      notice.textContent = `${label}: ${copied ? "" : "not "}copied as ${name}`;
      button.textContent = copied ? "Copied" : "Not copied";
      setTimeout(() => { button.textContent = name; }, 1500);
    });
    return button;
  });
  return make("div", {className: "copy"}, "Copy ", ...buttons);
};

const UNITS = {ns: 1e-9, µs: 1e-6, ms: 1e-3, min: 60, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, k: 1e3};
const valueOf = (cell) => {
  if (!cell || cell.querySelector("i")) return null;
  if (cell.dataset.v) return Number(cell.dataset.v);
  const {text} = wordsOf(cell);
  const [, number, unit] = /^([−-]?[\d,]*\.?\d+)\s*([a-zµA-Z]*)/.exec(text) ?? [];
  return number ? Number(plainNumber(number)) * (UNITS[unit] ?? 1) : text || null;
};
const compared = (a, b) =>
  typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en");
const sortButtons = (table) => {
  const [body] = table.tBodies;
  for (const heading of table.tHead.rows[0].cells) {
    const beside = heading.querySelectorAll("a, small");
    const button = make("button", {type: "button", className: "sort"}, wordsOf(heading).text);
    heading.replaceChildren(button, ...beside);
    button.addEventListener("click", () => {
      const down = heading.ariaSort === "ascending";
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      heading.ariaSort = down ? "descending" : "ascending";
      complete(table);
      const rows = [...body.rows].map((row) => [valueOf(row.cells[heading.cellIndex]), row]);
      rows.sort(([a], [b]) =>
        a === null || b === null ? (a === null) - (b === null) : compared(a, b) * (down ? -1 : 1));
      body.append(...rows.map(([, row]) => row));
    });
  }
};

const anchorLink = (id, label) => {
  const link = make("a", {className: "here", href: `#${id}`, textContent: "#"});
  link.ariaLabel = label;
  return link;
};
// On a small screen the columns, or rows, that matter stand before the others.
const narrow = matchMedia("(max-width: 599px)");
const leadFirst = (table) => {
  const leads = [...table.tHead.rows[0].cells].filter((cell) => cell.matches(".lead")).map((cell) => cell.cellIndex);
  for (const row of leads.length ? everyRow(table) : []) {
    const cells = leads.map((n) => row.cells[n]);
    row.cells[0].after(...cells);
  }
  table.tBodies[0].prepend(...table.querySelectorAll("tr.lead"));
};
// What of a table is not seen: columns, rows to scroll to, and those that are put there for a button.
const showHint = (table) => {
  const area = table.closest(".scroll");
  const wider = area.scrollWidth > area.clientWidth + 8;
  const taller = area.scrollHeight > area.clientHeight + 8;
  area.classList.toggle("more", wider);
  area.classList.toggle("taller", taller);
  const every = everyRow(table).length - table.tHead.rows.length;
  const rows = table.rest ? `first ${every - table.rest.length} of ${every} rows` : `${every} rows`;
  const hints = [
    ...(wider ? ["More columns \u2192"] : []),
    ...(taller ? [`${rows}, scroll \u2193`] : table.rest ? [rows] : []),
  ];
  table.hint?.remove();
  if (!hints.length) return;
  table.hint = make("p", {className: "hint"}, hints.join(" \u00b7 "));
  if (table.rest) {
    const button = make("button", {type: "button", textContent: `All ${every} rows`});
    button.addEventListener("click", () => {
      complete(table);
      area.focus();
    });
    table.hint.append(" ", button);
  }
  if (narrow.matches) area.before(table.hint);
  else area.after(table.hint);
};
const tools = (root) => {
  for (const details of root.querySelectorAll("details.data:not([open])")) withoutData(details);
  for (const table of root.querySelectorAll(".scroll table")) shorten(table);
  for (const area of root.querySelectorAll(".scroll")) {
    const table = area.querySelector("table");
    if (narrow.matches) leadFirst(table);
    if (table.tBodies.length === 1 && table.tBodies[0].rows.length > 8 && !table.matches(".pair,:has([colspan])")) {
      sortButtons(table);
    }
    if (!table.matches(".verdicts")) area.after(copyButtons(table, area.ariaLabel));
    showHint(table);
  }
  for (const heading of root.querySelectorAll("h2,h3,.findings b")) {
    const target = heading.id.endsWith(".answer") ? heading.closest("section") : heading.closest("[id]");
    const isOwn = target === heading || target?.matches("figure,li") || heading.matches("h2");
    if (!isOwn || !target?.id) continue;
    const what = target.matches("figure") ? "figure" : target.matches("li") ? "finding" : "section";
    (heading.querySelector(".measure") ?? heading).append("\u2060", anchorLink(target.id, `Link to this ${what}`));
  }
};
tools(document);

// A link to what is folded opens it.
const openTarget = () => {
  for (const details of document.querySelectorAll("details:target")) details.open = true;
};
addEventListener("hashchange", openTarget);
addEventListener("load", openTarget);

// What is folded is not on paper.
const completeAll = () => {
  for (const table of document.querySelectorAll("table")) if (!table.closest("details")) complete(table);
};
addEventListener("beforeprint", completeAll);

const dark = document.getElementById("dark");
const MEDIA = {system: dark.media, light: "not all", dark: "screen"};
let theme = "system";
const recolour = (name) => {
  dark.media = MEDIA[name];
  document.documentElement.style.colorScheme = name === "system" ? "" : name;
};
const themeButton = make("button", {type: "button", textContent: "Theme: system"});
themeButton.addEventListener("click", () => {
  const names = Object.keys(MEDIA);
  theme = names[(names.indexOf(theme) + 1) % names.length];
  themeButton.textContent = `Theme: ${theme}`;
  recolour(theme);
});
document.querySelector("nav").append(themeButton);
addEventListener("beforeprint", () => recolour("light"));
addEventListener("afterprint", () => recolour(theme));
