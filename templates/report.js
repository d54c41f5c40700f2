// What is said of a mark that a reader points at; and the answers to other questions.
(async () => {
  const packed = document.getElementById("content");
  const bytes = Uint8Array.from(atob(packed.textContent), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  packed.remove();
  const {sections} = JSON.parse(await new Response(stream).text());
  const figures = new Map(sections.flatMap((section) => section.figures)
    .map(([number, svg, hover]) => [String(number), {svg, hover}]));

  const PARTS = 10000;  // of a width, as places along it are counted
  const REACH = 30;  // px from a mark
  const tip = make("div", {className: "tip", hidden: true});
  const ring = make("div", {className: "ring", hidden: true});
  document.body.append(ring, tip);
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
      if (numbers) {
        const text = texts[numbers[row]?.[column]];
        return text ? {text} : null;
      }
      const count = counts[row][column];
      return count ? {text: `requests: ${count}\n${down[row]}\nsent at ${across[column]}`} : null;
    }
    return null;
  };
  const point = ({target, clientX, clientY}) => {
    const slot = target.closest?.(".plot");
    const area = slot?.querySelector(".still")?.getBoundingClientRect();
    const hover = figures.get(slot?.dataset.figure)?.hover;
    const x = clientX - area?.left;
    const y = clientY - area?.top;
    const mark = hover && (nearest(hover, area.width, x, y) ?? cellAt(hover, area.width, x, y));
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
  document.addEventListener("pointermove", point);
  document.addEventListener("pointerdown", point);
  document.addEventListener("scroll", () => { tip.hidden = ring.hidden = true; }, true);

  // A choice takes the place of parts of its section; those that were there are kept.
  const chooser = (section, {baseline, choices: all, missing}) => {
    const parts = Object.fromEntries(
      [...section.querySelectorAll("[data-part]")]
        .filter((part) => part.dataset.part !== "printed")
        .map((part) => [part.dataset.part, part]),
    );
    const shown = (nodes, made) => {
      for (const [name, part] of Object.entries(parts)) {
        if (part) part.replaceChildren(...(nodes[name] ?? made[name]));
      }
    };
    const kept = Object.fromEntries(
      Object.entries(parts).map(([name, part]) => [name, [...part.childNodes]]),
    );
    const note = make("p", {className: "chosen"});
    note.setAttribute("role", "status");
    const built = new Map();
    const build = (choice) => {
      const nodes = {};
      for (const [name, text] of Object.entries(choice.parts)) {
        const part = make("div");
        part.innerHTML = text;
        for (const slot of part.querySelectorAll(".plot")) {
          slot.innerHTML = figures.get(slot.dataset.figure).svg;
        }
        tools(part);
        nodes[name] = [...part.childNodes];
      }
      return nodes;
    };
    const list = make("select");
    list.append(make("option", {value: "", textContent: `against ${baseline}`}));
    for (const group of ["Baseline", "Leaving out"]) {
      const of = all.filter((one) => one.group === group);
      const options = of.map((one) =>
        make("option", {value: all.indexOf(one), textContent: (group === "Baseline" ? "against " : "without ") + one.label}));
      if (of.length) list.append(make("optgroup", {label: group}, ...options));
    }
    if (missing) list.append(make("option", {disabled: true, textContent: `Not prepared: ${missing}`}));
    const back = make("button", {type: "button", textContent: "Back"});
    list.addEventListener("change", () => {
      const choice = all[list.value];
      note.replaceChildren(...(choice ? [choice.note, " ", back] : []));
      if (!choice) return shown({}, kept);
      if (!built.has(choice)) built.set(choice, build(choice));
      shown(built.get(choice), kept);
    });
    back.addEventListener("click", () => {
      list.value = "";
      list.dispatchEvent(new Event("change"));
      list.focus();
    });
    const asked = section.querySelector(".asked");
    asked.append(make("label", {className: "quiet"}, "Compare ", list));
    asked.after(note);
  };
  for (const one of sections) {
    const printed = document.querySelector(`#${CSS.escape(one.anchor)} [data-part=printed]`);
    printed.innerHTML = one.printed;
    tools(printed);
    if (one.choices.length) chooser(document.getElementById(one.anchor), one);
  }
})();
