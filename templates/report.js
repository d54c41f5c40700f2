// One comparison at a time, each made when it is opened; what it folds, when that is.
const comparisons = [...document.querySelectorAll(".comparison")];
const overview = document.getElementById("overview");
const drawings = new Map();
const MANY = 6;  // folds of what tools printed: more stand in one

const unpacked = async (script) => {
  const bytes = Uint8Array.from(atob(script.textContent), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
};
const fragment = (text) => {
  const made = make("template", {innerHTML: text}).content;
  for (const slot of made.querySelectorAll(".plot:empty")) {
    slot.innerHTML = drawings.get(slot.dataset.figure).svg;
  }
  return made;
};

// --- the address: an element, behind a question mark the answer that its comparison is asked for ---

const addressOf = (id, choice) => `#${id}${choice ? `?${encodeURI(choice).replaceAll("#", "%23")}` : ""}`;
const partsOf = (hash) => {
  const [, id, choice] = hash.match(/^#?([^?]*)\??(.*)$/s);
  try {
    return [id, decodeURIComponent(choice)];
  } catch {
    return [id, choice];
  }
};
const shownOf = (id) =>
  comparisons.find((section) => id === section.id || id.startsWith(`${section.id}.`))
  ?? (overview ? null : comparisons[0]);
// Links within a comparison keep to the answer that it shows.
const keepChoice = (root, section) => {
  for (const link of root.querySelectorAll(`a[href^="#${section.id}"]`)) {
    const [id] = partsOf(link.hash);
    if (shownOf(id) === section) link.setAttribute("href", addressOf(id, section.choice));
  }
};

// --- what is folded ---

document.addEventListener("completed", ({target}) => {
  const section = target.closest(".comparison");
  if (section) keepChoice(target, section);
});
const unfold = (details) => {
  details.open = true;
  details.fill?.();
};
// Words, none of which is broken at a hyphen, dash or slash where a line has room for it.
const unbroken = (text) => text.split(/( )/).map((word) =>
  /[\p{L}\d][-–/][\p{L}\d]/u.test(word) && word.length <= 30 ? make("span", {className: "k", textContent: word}) : word);
const folded = ([id, title, html]) => {
  if (!html) return make("p", {className: "caption", textContent: title});
  const details = make("details", {className: "fold", id}, make("summary", {}, make("h3", {}, ...unbroken(title))));
  filledWhenOpened(details, () => {
    const body = make("div", {}, fragment(html));
    details.append(body);
    tools(body);
    body.prepend(anchorLink(id, "Link to this part"));
    keepChoice(body, shownOf(id));
  });
  return details;
};
const together = (folds) => {
  if (folds.length <= MANY) return folds.map(folded);
  const title = make("h3", {textContent: `As printed: ${folds.length} variants`});
  const details = make("details", {className: "fold"}, make("summary", {}, title));
  details.holds = (id) => folds.some(([own]) => own === id);
  filledWhenOpened(details, () => details.append(make("div", {}, ...folds.map(folded))));
  return [details];
};
// The element of an id, which may be in what is put into the document when it is asked for.
const elementOf = (id) => {
  const there = document.getElementById(id);
  if (there) return there;
  for (const details of document.querySelectorAll("details")) if (details.holds?.(id)) details.fill?.();
  for (const table of document.querySelectorAll("table")) {
    if (table.rest?.some((row) => row.id === id)) complete(table);
  }
  return document.getElementById(id);
};
const refold = (list, folds, texts) => {
  const open = new Set([...list.querySelectorAll(".fold[open]")].map((details) => details.id));
  list.replaceChildren(...folds.map(([id, title, n]) => folded([id, title, texts[id][n]])));
  for (const details of list.children) if (open.has(details.id)) unfold(details);
};

// --- another baseline, or without a run: made beforehand, shown in place of the report's answer ---

const commandFor = ({baselines, runs}, holdsBack) => {
  const usual = document.getElementById("command")?.textContent ?? "benchkit report PATHS";
  const command = make("code");
  const against = make("select", {}, ...baselines.map(([name, words]) => make("option", {value: words, textContent: name})));
  const boxes = runs.map(([name, words]) => [make("input", {type: "checkbox", value: words}), name]);
  const write = () => {
    const left = boxes.filter(([box]) => box.checked).map(([box]) => box.value);
    command.textContent = [usual, against.selectedIndex ? against.value : "", ...left].filter(Boolean).join(" ");
  };
  const copy = make("button", {type: "button", textContent: "Copy"});
  copy.addEventListener("click", async () => {
    const copied = await toClipboard(command.textContent);
    notice.textContent = `Command ${copied ? "" : "not "}copied`;
  });
  const form = make("div", {className: "asking"},
    make("p", {}, "Not prepared in this page. This command makes it: ", command, " ", copy),
    ...(holdsBack ? [make("p", {}, "With ", make("code", {textContent: "--each-run"}), " the page offers to leave out any one run.")] : []),
    make("label", {}, "Against ", against),
    make("div", {className: "boxes"}, ...boxes.map(([box, name]) => make("label", {}, box, `without ${name}`))));
  form.addEventListener("change", write);
  write();
  return form;
};
const noteOf = ({note, options}) => [
  `${note} `,
  ...(options.length ? ["With ", ...options.flatMap((words) => [make("code", {className: "k", textContent: words}), " "]),
    "a report is of these alone. "] : []),
];
const chooser = (section, list, {asking, baseline, choices, folds, holdsBack, texts}) => {
  const parts = Object.fromEntries(
    [...section.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, part]));
  const kept = Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [name, [...part.childNodes]]));
  const note = make("div", {className: "chosen"});
  note.setAttribute("role", "status");
  const back = make("button", {type: "button", textContent: "Back"});
  const select = make("select", {}, make("option", {value: "", textContent: `against ${baseline}`}));
  for (const [group, before] of [["Baseline", "against"], ["Leaving out", "without"]]) {
    const options = choices.filter((choice) => choice.group === group)
      .map(({label, link}) => make("option", {value: link, textContent: `${before} ${label}`}));
    if (options.length) select.append(make("optgroup", {label: group}, ...options));
  }
  select.append(make("option", {value: "other", textContent: "anything else…"}));
  section.choose = (link) => {
    if (link === section.choice) return;
    const choice = choices.find((each) => each.link === link);
    const missing = `This page has no answer for “${link}”: this is the report's own. `;
    const shown = link === "other" ? [commandFor(asking, holdsBack)] : choice ? noteOf(choice) : [missing];
    note.replaceChildren(...(link ? [...shown, back] : []));
    select.value = choice || link === "other" ? link : "";
    section.choice = link;
    section.answered = choice ? link : "";
    section.left = new Set(choice?.left);
    // Numbers of findings are another choice's own: what is as printed is of the whole.
    section.classList.toggle("other", Boolean(choice));
    for (const [name, part] of Object.entries(parts)) {
      const text = texts[name]?.[choice?.parts[name]];
      part.replaceChildren(...(text === undefined ? kept[name] : [fragment(text)]));
      if (text !== undefined) tools(part);
    }
    refold(list, (choice ?? {folds}).folds, texts);
    keepChoice(section, section);
    follow(section);
  };
  // The page stays where it is, which a link to an address would not let it.
  const ask = (link) => {
    history.pushState(null, "", location.href.split("#")[0] + addressOf(section.id, link));
    go({stays: true});
  };
  select.addEventListener("change", () => ask(select.value));
  back.addEventListener("click", () => {
    ask("");
    select.focus();
  });
  const asked = section.querySelector(".asked");
  asked.append(make("label", {className: "quiet"}, "Compare ", select));
  asked.after(note);
};

// --- a comparison ---

const openAll = (section) => {
  const button = make("button", {type: "button", className: "all", textContent: "Open all"});
  const closed = () => section.querySelectorAll("details:not([open])");
  button.addEventListener("click", () => {
    const opens = closed().length > 0;
    // What is made when its fold is opened may have folds.
    for (let folds = closed(); opens && folds.length; folds = closed()) folds.forEach(unfold);
    if (!opens) for (const details of section.querySelectorAll("details")) details.open = false;
  });
  section.addEventListener("toggle", () => {
    button.textContent = closed().length ? "Open all" : "Close all";
  }, true);
  return button;
};
const furnished = async (section) => {
  const rest = await unpacked(section.querySelector("script"));
  rest.figures.forEach((key, n) => drawings.set(key, {svg: rest.drawings[n], hover: rest.hovers[n]}));
  const list = make("div", {className: "folds"});
  const printed = make("div", {className: "folds printed"}, ...together(rest.printed));
  refold(list, rest.folds, rest.texts);
  section.append(openAll(section), list, printed, besideOf(section));
  if (rest.asking.runs) chooser(section, list, rest);
};
const build = (section) => {
  const text = section.querySelector("noscript");
  if (!text) return section.ready;
  text.insertAdjacentHTML("beforebegin", text.textContent);
  text.remove();
  section.choice = "";
  section.querySelector(".without").remove();
  tools(section);
  section.ready = furnished(section);
  return section.ready;
};
const nameOf = (section) => overview.querySelector(`a[href="#${CSS.escape(section.id)}"]`).textContent;
const linkTo = (section, before) =>
  make("a", {href: `#${section.id}`, textContent: `${before}${nameOf(section)}`});
const besideOf = (section) => {
  const n = comparisons.indexOf(section);
  const links = [[n - 1, "← "], [n + 1, "→ "]].flatMap(([m, before]) =>
    comparisons[m] && overview ? [linkTo(comparisons[m], before)] : []);
  const made = make("nav", {className: "beside"}, ...links);
  made.ariaLabel = "Other comparisons";
  return made;
};

// --- which is shown ---

const general = [...document.querySelectorAll("main > :not(.comparison)")];
const PRINTED = /^(.+\.printed-\d+)\.(.+?)(?:\.(run-[^.]+))?$/;
// The cell of a run in a row of what was printed, the only one where all runs say the same.
const cellOf = (row, run) => {
  const [head] = row.closest("table").tHead.rows;
  const n = [...head.cells].findIndex((cell) => cell.dataset.run === run);
  return n < 0 ? null : row.cells[n] ?? row.cells[1];
};
// The headings of a table that scrolls by itself stay above its rows.
const scrollByItself = (table) => {
  if (table.tBodies[0].rows.length <= 10) return;
  table.classList.add("long");
  showHint(table);
};
const reveal = (id) => {
  const [, list, figure, run] = id.match(PRINTED) ?? [];
  const folded = elementOf(list ?? id.replace(/run-[^.]+$/, "all-runs"));
  if (folded?.matches("details")) unfold(folded);
  // A percentile that no tool printed stands as computed.
  const row = list ? `${list}.${figure}` : id;
  const target = elementOf(row) ?? elementOf(`${row}-computed`);
  if (!target) return false;
  for (let at = target; at; at = at.parentElement) if (at.matches("details")) unfold(at);
  for (const cell of document.querySelectorAll("td.at")) cell.classList.remove("at");
  const cell = run && target.matches("tr") ? cellOf(target, run) : null;
  const at = cell ?? (target.matches("tbody tr") ? target : null);
  if (at) scrollByItself(at.closest("table"));
  if (target.matches(".comparison") || target === overview) scrollTo(0, 0);
  else if (at) {
    cell?.classList.add("at");
    at.scrollIntoView({block: "center", inline: cell ? "center" : "nearest"});
    at.closest(".scroll").scrollIntoView({block: "center"});  // with the headings of its columns
  }
  else target.scrollIntoView({block: "start"});
  const focus = target.matches(".comparison") ? target.querySelector("h2") : target;
  if (focus?.hasAttribute("tabindex")) focus.focus({preventScroll: true});
  return true;
};
const {title} = document;
// The next and the previous comparison are shown with the answer that was last asked of them.
const lastOf = (section) => addressOf(section.id, section.last);
const remember = (section) => {
  section.last = section.answered ?? "";
  document.title = [nameOf(section), section.last.replace("=", " "), title].filter(Boolean).join(" – ");
  for (const link of section.querySelectorAll(".beside a")) {
    link.setAttribute("href", lastOf(shownOf(partsOf(link.hash)[0])));
  }
};
const go = async ({stays = false} = {}) => {
  const {hash} = location;
  const [id, choice] = partsOf(hash);
  const section = shownOf(id);
  for (const each of comparisons) each.hidden = each !== section;
  for (const each of general) each.hidden = Boolean(overview && section);
  for (const link of document.querySelectorAll(".contents a")) {
    link.ariaCurrent = section && link.hash === `#${section.id}` ? "page" : null;
  }
  document.querySelector(".skip").href = section ? addressOf(section.id, choice) : `#${comparisons[0].id}`;
  let revealed = stays;
  document.title = title;
  if (section) {
    section.last = choice;  // also for whom goes on before it is made
    const ready = build(section);
    // A place within is shown when all is there: before, the page may be too short to scroll to it.
    revealed ||= !choice && id === section.id && reveal(id);
    await ready;
    if (location.hash !== hash) return;
  }
  for (const each of comparisons) each.choose?.(each === section ? choice : "");
  if (section && overview) remember(section);
  if (!revealed) reveal(id);
};

// --- contents ---

const MOST_HITS = 8;
// Text to look in or for: small letters, no marks between thousands or behind names.
const plain = (text) => text.toLowerCase().replace(/(?<=\d),(?=\d{3}(?!\d))/g, "").replace(/,(?=\s|$)/g, "");
const RUN = /^(?:run|repeat)s? (\d+)$/;
const FILLER = /^(?:a|an|of|at|in|for|from|the|with|and|p\d+(?:\.\d+)?)$/;
// Whether a word occurs in a text, as a whole number where it is one: 100 is not in 1000; a param
// that is off, "no keepalive", is not what "keepalive" asks for, nor 20x5 what "run 5" does.
const within = (word) => (text) => text.includes(word);
const wholly = (word) => {
  const [, run] = word.match(RUN) ?? [];
  if (run) {
    const ending = new RegExp(`/${run}(?= |$)`);
    return (text) => ending.test(text);
  }
  const escaped = word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const digits = /^\d/.test(word) && word.length <= 30 ? "(?<!\\d|\\d[.,])" : "";
  const before = /^\p{L}/u.test(word) ? "(?<!\\bno )" : digits;
  const after = /\d$/.test(word) && word.length <= 30 ? "(?!\\d|[.,]\\d)" : "";
  const pattern = new RegExp(before + escaped + after);
  return (text) => pattern.test(text);
};
// Words as tests of a text, in which a number is not looked for within another of the words: 5 is
// none of the 20x5 that stands beside it.
const apart = (words) => words.map((word) => {
  const longer = /^\d+$/.test(word) ? words.filter((other) => other !== word && other.includes(word)) : [];
  const isIn = wholly(word);
  return (text) => isIn(longer.reduce((rest, other) => rest.replaceAll(other, " "), text));
});
const numberOf = (run) => run.match(/\/(\d+)(?= |$)/)?.[1];
// The runs that words are found in: in their names, or else in what sets their comparison apart, or
// in what all its runs share. `numbered` are those of one of these numbers.
const runsOf = (entry, words, numbers = []) => {
  const link = entry.querySelector("a");
  const setting = plain(link.textContent);
  const shared = plain(entry.dataset.shared).replaceAll("/", " ");  // "/5" is run 5
  const scenario = plain(`${entry.dataset.scenario}/`);
  const hits = (entry.dataset.runs ?? "").split("\n").flatMap((entry) => {
    const [, place, run, figure] = entry.match(/^(\S*) ?([^\t]*)\t?(.*)$/);
    const text = plain(run);
    const whole = scenario + text;
    const inRun = words.some((isIn) => isIn(text) || (isIn(whole) && !isIn(scenario)));
    const areIn = (...texts) => words.every((isIn) => texts.some(isIn));
    const further = [whole, `run ${text} ${figure}`, setting];
    const rank = [areIn(whole), inRun && areIn(...further), inRun && areIn(...further, shared)].indexOf(true);
    return rank < 0 ? [] : [{run, place, figure, rank, numbered: numbers.includes(numberOf(text))}];
  });
  return hits;
};
const hitList = (section, hits) => {
  const items = hits.slice(0, MOST_HITS).map(({run, place, figure, numbered}) => {
    if (section.left?.has(place)) return make("li", {}, `${run} `, make("b", {textContent: "left out"}));
    const href = addressOf(`${section.id}.${place}`, section.choice);
    return make("li", {}, make("a", {href, textContent: run, className: numbered ? "numbered" : ""}), " ", make("b", {textContent: figure}));
  });
  return make("ul", {className: "hits"}, ...items);
};
const markOf = (chip) => {
  const [symbol] = chip.textContent;
  return make("span", {className: chip.className.replace("chip", "mark"), textContent: symbol, title: chip.textContent});
};

const contents = () => {
  const entries = [...overview.children];
  const items = entries.map((entry) => {
    const link = entry.querySelector("a");
    const grade = markOf(entry.querySelector(".chip"));
    return make("li", {}, make("a", {href: link.getAttribute("href")}, grade, ` ${link.textContent}`));
  });
  const search = make("input", {type: "search", placeholder: "Find a run"});
  search.ariaLabel = "Filter by scenario, variant, param, tool, grade or run";
  search.title = "Keys: / filter, j next, k previous, o overview";
  const amount = make("p", {className: "quiet"});
  amount.setAttribute("role", "status");
  // What an entry says, with the grade of the answer that its comparison shows.
  const textOf = (entry, n) => {
    const grade = items[n].querySelector(".mark").title;
    const words = entry.textContent.replace(entry.querySelector(".chip").textContent, grade);
    return plain(`${words} ${entry.dataset.words} ${entry.dataset.shared}`);
  };
  const keeping = (words, numbers, listsRuns) => {
    const hits = entries.map((entry) => (listsRuns ? runsOf(entry, words, numbers) : []));
    // Where a run's own name has all words, those with a word from elsewhere only are others.
    const best = hits.flat().reduce((least, {rank}) => Math.min(least, rank), Infinity);
    return entries.filter((entry, n) => {
      const text = textOf(entry, n);
      const runs = hits[n].filter(({rank}) => rank === best).sort((a, b) => b.numbered - a.numbered);
      const inEntry = words.every((isIn) => isIn(text)) && !(best < 2 && numbers.length);
      items[n].querySelector(".hits")?.remove();
      if (runs.length) items[n].append(hitList(comparisons[n], runs));
      entry.hidden = items[n].hidden = !inEntry && !runs.length;
      return !entry.hidden;
    });
  };
  const names = [...new Set(entries.map((entry) => entry.querySelector("b").textContent))];
  const numbered = entries.some((entry) => /\/\d+(?= |$)/m.test(entry.dataset.runs ?? ""));
  // What is left by words; where they leave nothing as whole ones, by words they are a part of.
  const left = (words, listsRuns) => {
    const split = words.flatMap((word) => (RUN.test(word) ? ["run", word.match(RUN)[1]] : [word]));
    const short = words.flatMap((word) => word.match(/^(\p{L}+)(\d+)$/u)?.slice(1) ?? [word]);  // c100
    const ways = numbered ? [apart(words), words.map(within)] : [apart(words), apart(split), split.map(within)];
    ways.push(apart(short));
    const numbers = words.filter((word) => /^\d+$/.test(word));
    return ways.reduce((kept, tests) => (kept.length ? kept : keeping(tests, numbers, listsRuns)), []);
  };
  // Words of a sentence, unless they are names: a variant may be called "with", or "a".
  const runNames = entries.map(({dataset}) => `${dataset.scenario ?? ""}\n${(dataset.runs ?? "").replace(/\t.*$/gm, "")}`);
  const ownWords = new Set(plain(runNames.join("\n")).split(/[\s/,·]+/));
  const isFiller = (word) => FILLER.test(word) && !ownWords.has(word);
  const without = (words, listsRuns) => {
    const others = (word) => left(words.filter((other) => other !== word), listsRuns);
    const spare = words.length > 1 ? words.find((word) => others(word).length) : undefined;
    if (spare) return `; ${others(spare).length} without “${spare}”`;
    return `; there are ${names.slice(0, MOST_HITS).join(", ")}, and the variants in each`;
  };
  const filtered = () => {
    const phrases = plain(search.value).match(/\bno\s+\S+|\b(?:run|repeat)s?\s+\d+(?!\S)|\S+/g) ?? [];
    const words = phrases.map((phrase) => phrase.replace(/\s+/, " "));
    const telling = words.filter((word) => !isFiller(word));  // p99 of run 3 of nginx at 100
    const runs = telling.length ? entries.flatMap((entry) => runsOf(entry, telling.map(within))) : [];
    const isFew = runs.length > 0 && runs.length <= MOST_HITS;
    const listsRuns = isFew || words.some((word) => /[\d/]/.test(word));
    let kept = left(words, listsRuns);
    let there = "";
    if (!kept.length && telling.length && telling.length < words.length) {
      kept = left(telling, listsRuns);
      there = `; without “${words.filter(isFiller).join(" ")}”`;
    }
    if (!kept.length) {
      there = without(telling, listsRuns);
      left(words, listsRuns);  // what was shown for fewer words
    }
    const hint = !listsRuns && runs.length && kept.length ? `; runs: add a number, “${telling.join(" ")} 1”` : "";
    amount.textContent = words.length ? `${kept.length} of ${entries.length}${hint}${there}` : "";
    document.body.classList.toggle("filtered", words.length > 0);
  };
  search.addEventListener("input", filtered);
  search.addEventListener("keydown", ({key}) => {
    const first = items.find((item) => !item.hidden);
    const hit = list.querySelector("a.numbered") ?? first?.querySelector(".hits a");
    if (key === "Enter" && first) (hit ?? first.querySelector("a")).click();
    if (key === "Escape") {
      search.value = "";
      filtered();
      search.blur();
    }
  });
  const list = make("ol", {}, ...items);
  const button = make("button", {type: "button", className: "menu", textContent: "Contents, find a run", ariaExpanded: "false"});
  // Whoever speaks to a computer may set off keys by words (WCAG 2.1.4).
  const keys = make("input", {type: "checkbox", checked: true});
  const keysLabel = make("label", {className: "keys"}, keys, "Keys: j next, k previous, o overview, / find");
  const made = make("nav", {className: "contents"}, button, make("div", {}, search, amount, keysLabel, list));
  made.ariaLabel = "Comparisons";
  const open = (now) => {
    made.classList.toggle("open", now);
    button.ariaExpanded = String(now);
  };
  button.addEventListener("click", () => {
    open(!made.classList.contains("open"));
    if (made.classList.contains("open")) search.focus();
  });
  list.addEventListener("click", (event) => {
    open(false);
    const link = event.target.closest("a");
    if (link?.hash !== location.hash) return;
    event.preventDefault();  // what was scrolled away from: nothing else would tell
    go();
  });
  document.body.classList.add("many");
  document.querySelector("main").before(made);
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input:not([type=checkbox]), select, textarea");
    if (!keys.checked || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    // By the address, which a key changes at once: what is shown follows when its event has come.
    const at = comparisons.indexOf(shownOf(partsOf(location.hash)[0]));
    const to = {j: comparisons[at + 1], k: comparisons[at - 1], o: overview}[event.key];
    if (to) location.hash = lastOf(to);
    if (event.key === "/") {
      event.preventDefault();
      open(true);
      search.focus();
    }
  });
  return (section) => {
    items[comparisons.indexOf(section)].querySelector(".mark").replaceWith(markOf(section.querySelector(".chip")));
    filtered();
  };
};

// --- what is said of a mark that a reader points at ---

const PARTS = 10000;  // of a width, as places along it are counted
const REACH = 30;  // px from a mark
const tip = make("div", {className: "tip", hidden: true});
const ring = make("div", {className: "ring", hidden: true});
const nearest = ({marks, texts}, width, x, y) => {
  let best = null;
  let reach = REACH;
  for (let n = 0; n < marks.length; n += 3) {
    const across = marks[n] / PARTS * width;
    const distance = Math.hypot(across - x, marks[n + 1] - y);
    if (marks[n + 2] >= 0 && distance < reach) {
      best = {across, down: marks[n + 1], text: texts[marks[n + 2]]};
      reach = distance;
    }
  }
  return best;
};
const cellAt = ({grids, texts}, width, x, y) => {
  for (const {xs, ys, counts, across, down, texts: numbers} of grids) {
    const column = xs.findIndex((edge, n) => edge / PARTS * width <= x && x < xs[n + 1] / PARTS * width);
    const row = ys.findIndex((edge, n) => ys[n + 1] <= y && y < edge);
    if (column < 0 || row < 0) continue;
    const text = texts[numbers?.[row]?.[column]];
    if (text) return {text};
    const count = counts?.[row][column];
    if (count) return {text: `requests: ${count}\n${down[row]}\nsent at ${across[column]}`};
  }
  return null;
};
// The whole of a text in which dots stand for what there is no room for; empty for any other.
const wholeOf = (text) => {
  const shown = [...text?.querySelectorAll(".n,.nv") ?? []].filter((part) => part.getClientRects().length);
  if (shown[0]?.textContent !== "…") return "";
  const copy = text.cloneNode(true);
  copy.querySelectorAll(".n,.nv").forEach((part) => part.remove());
  return copy.textContent;
};
const point = ({target, clientX, clientY}) => {
  const slot = target.closest?.(".plot");
  const area = slot?.querySelector(".still")?.getBoundingClientRect();
  const hover = drawings.get(slot?.dataset.figure)?.hover;
  const [x, y] = [clientX - area?.left, clientY - area?.top];
  const whole = wholeOf(target.closest?.(".still text"));
  const mark = whole ? {text: whole} : hover && (nearest(hover, area.width, x, y) ?? cellAt(hover, area.width, x, y));
  tip.hidden = !mark;
  ring.hidden = !(mark?.across >= 0);
  if (!mark) return;
  tip.textContent = mark.text;
  const left = area.left + (mark.across ?? x);
  const top = area.top + (mark.down ?? y);
  const beside = left + tip.offsetWidth + 24 < innerWidth ? left + 14 : left - tip.offsetWidth - 14;
  tip.style.left = `${Math.max(4, beside)}px`;
  tip.style.top = `${Math.max(4, Math.min(top - 14, innerHeight - tip.offsetHeight - 4))}px`;
  Object.assign(ring.style, {left: `${left}px`, top: `${top}px`});
};

document.body.append(ring, tip);
document.addEventListener("pointermove", point);
document.addEventListener("pointerdown", point);
document.addEventListener("scroll", () => { tip.hidden = ring.hidden = true; }, true);

const files = document.getElementById("files");
files.addEventListener("toggle", async () => {
  const packed = files.querySelector("script");
  if (!packed) return;
  packed.remove();
  files.append(fragment(await unpacked(packed)));
  tools(files);
});
// Has the list follow the answer that a comparison shows.
const follow = overview ? contents() : () => {};
addEventListener("hashchange", go);
document.querySelector(".skip").addEventListener("click", (event) => {
  const section = shownOf(partsOf(location.hash)[0]);
  if (!section) return;
  event.preventDefault();  // its answer has an address of its own, which leads to no element
  const heading = section.querySelector("h2");
  heading.scrollIntoView({block: "start"});
  heading.focus({preventScroll: true});
});
addEventListener("beforeprint", () => {
  comparisons.forEach(build);
  for (const each of [...comparisons, ...general]) each.hidden = false;
  completeAll();
  for (const details of document.querySelectorAll("[data-part=limits] details:not([open])")) {
    details.open = true;
    addEventListener("afterprint", () => { details.open = false; }, {once: true});
  }
});
addEventListener("afterprint", go);
go();
