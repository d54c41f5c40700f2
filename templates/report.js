"use strict";
(async () => {
  const slots = [...document.querySelectorAll(".plot")];
  const drawn = new Set();
  const unpacked = async (id) => {
    const packed = document.getElementById(id);
    const bytes = Uint8Array.from(atob(packed.textContent), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    packed.remove();
    return new Response(stream).text();
  };
  const {config, figures, template} = JSON.parse(await unpacked("figures"));
  const script = document.createElement("script");
  script.textContent = await unpacked("library");
  document.head.append(script);

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
  slots.forEach((slot) => near.observe(slot));

  // What is far away is drawn when the browser has nothing else to do.
  const idle = window.requestIdleCallback ?? ((task) => setTimeout(task, 50));
  const rest = async () => {
    const slot = slots.find((one) => !drawn.has(one));
    if (!slot) return;
    near.unobserve(slot);
    await draw(slot);
    idle(rest);
  };
  idle(rest);

  const again = () => drawn.forEach(draw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
  matchMedia("(max-width: 599px)").addEventListener("change", again);
  addEventListener("beforeprint", () => {
    for (const slot of slots) {
      slot.style.width = "660px";
      draw(slot);
    }
  });
  addEventListener("afterprint", () => {
    for (const slot of slots) {
      slot.style.width = "";
      draw(slot);
    }
  });
})();
