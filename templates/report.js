// Figures, drawn when they come near; and the answers to other questions.
(async () => {
  const slots = () => [...document.querySelectorAll(".plot")];
  const drawn = new Set();
  let printing = false;
  const {content, run, unpacked} = window.benchkit;
  const {config, sections, template} = content;
  const figures = Object.fromEntries(sections.flatMap((one) => one.figures));
  if (document.getElementById("library")) run(await unpacked("library"));

  // A colour is written as @role; only keys that end so hold one.
  const dressed = (value, style, key = "") => {
    if (Array.isArray(value)) return value.map((item) => dressed(item, style, key));
    if (value && typeof value === "object") {
      return Object.fromEntries(
        Object.entries(value).map(([name, item]) => [name, dressed(item, style, name)]),
      );
    }
    const isRole = typeof value === "string" && value[0] === "@" && /color(scale)?$/.test(key);
    return isRole ? style.getPropertyValue("--" + value.slice(1)).trim() : value;
  };

  // In a narrow slot: fewer ticks, shorter names, no dragging.
  const fitted = (figure, width) => {
    if (width >= 480) return figure;
    const {layout} = figure;
    layout.dragmode = false;
    layout.font = {size: 12};
    for (const [name, axis] of Object.entries(layout)) {
      if (name.startsWith("xaxis")) {
        if (axis.range[0] === 0 && axis.ticktext[0] === "0") axis.range[1] *= 1.15;
        const all = axis.ticktext;
        const kept = all.map((text, i) => i).filter((i) =>
          all.includes("p90") ? !["p75", "p95"].includes(all[i]) : all.length < 7 || i % 2 === 0);
        axis.ticktext = kept.map((i) => all[i]);
        axis.tickvals = kept.map((i) => axis.tickvals[i]);
      }
      if (name.startsWith("yaxis")) axis.ticktext = axis.ticktext.map((text) => short(text, 16));
    }
    layout.margin.l = Math.min(layout.margin.l, 112);
    for (const note of layout.annotations) {
      note.font.size = 12;
      if (note.xref === "paper" || note.xanchor !== "left") continue;
      const [low, high] = layout[note.xref.replace("x", "xaxis")].range;
      const room = (width - layout.margin.l) * (high - note.x) / (high - low);
      note.text = short(note.text, Math.max(6, Math.floor((room - note.xshift) / 7)));
    }
    return figure;
  };

  // Entities and tags count as they stand; a cut never leaves half of one.
  const short = (text, limit) => {
    const bold = text.startsWith("<b>");
    const plain = bold ? text.slice(3, -4) : text;
    if (plain.length <= limit || plain.includes("&")) return text;
    const cut = plain.slice(0, limit - 1) + "…";
    return bold ? `<b>${cut}</b>` : cut;
  };

  const draw = async (slot) => {
    const style = getComputedStyle(document.documentElement);
    const figure = dressed(figures[slot.dataset.figure], style);
    figure.layout.template = dressed(template, style);
    const told = (i) => (Array.isArray(i) ? i.map(told) : figure.texts[i]);
    for (const trace of figure.data) if (trace.hovertext) trace.hovertext = told(trace.hovertext);
    fitted(figure, slot.clientWidth);
    if (printing) Object.assign(figure.layout, {width: 660, autosize: false});
    slot.querySelector(".still")?.remove();
    await Plotly.react(slot, figure.data, figure.layout, config);
    drawn.add(slot);
    slot.dataset.drawn = "yes";
  };

  const near = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      near.unobserve(entry.target);
      draw(entry.target);
    }
  }, {rootMargin: "800px"});
  slots().forEach((slot) => near.observe(slot));

  // What is far away is drawn when the browser has nothing else to do.
  const idle = window.requestIdleCallback ?? ((task) => setTimeout(task, 50));
  const rest = async () => {
    const slot = slots().find((one) => !drawn.has(one));
    if (!slot) return;
    near.unobserve(slot);
    await draw(slot);
    idle(rest);
  };
  idle(rest);

  const again = () => slots().filter((slot) => drawn.has(slot)).forEach(draw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
  matchMedia("(max-width: 599px)").addEventListener("change", again);
  addEventListener("recolour", again);
  const print = (now) => {
    printing = now;
    for (const slot of slots()) {
      slot.style.width = now ? "660px" : "";
      draw(slot);
    }
  };
  addEventListener("beforeprint", () => print(true));
  addEventListener("afterprint", () => print(false));

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
      for (const slot of section.querySelectorAll(".plot")) drawn.has(slot) ? draw(slot) : near.observe(slot);
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
