"use strict";
(() => {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");

  // Charts take their colours from the style sheet, so that they follow the scheme, and paper is white.
  const filled = (value) => {
    if (Array.isArray(value)) return value.map(filled);
    if (value === null || typeof value !== "object") return value;
    if (typeof value.css === "string") return getComputedStyle(root).getPropertyValue(value.css).trim();
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filled(each)]));
  };
  const charts = JSON.parse(document.getElementById("charts").textContent);
  const hidden = new Set();
  const draw = () => {
    for (const plot of document.querySelectorAll("[data-chart]")) {
      const { data, layout } = filled(charts[plot.dataset.chart].figure);
      for (const trace of data) trace.visible = !hidden.has(trace.meta);
      if (root.classList.contains("paper")) layout.width = 680; // the width of a sheet, or all of it is made smaller
      Plotly.react(plot, data, layout, { responsive: true, displayModeBar: false });
    }
  };
  if (typeof Plotly !== "undefined") {
    draw();
    dark.addEventListener("change", draw);
  }
  for (const button of document.querySelectorAll(".legend button")) {
    button.addEventListener("click", () => {
      const { trace } = button.dataset;
      if (!hidden.delete(trace)) hidden.add(trace);
      button.setAttribute("aria-pressed", String(!hidden.has(trace)));
      draw();
    });
  }

  const opened = [];
  addEventListener("beforeprint", () => {
    root.classList.add("paper");
    for (const each of document.querySelectorAll("details:not([open])")) {
      each.open = true;
      opened.push(each);
    }
    if (typeof Plotly !== "undefined") draw();
  });
  addEventListener("afterprint", () => {
    root.classList.remove("paper");
    for (const each of opened.splice(0)) each.open = false;
    if (typeof Plotly !== "undefined") draw();
  });

  for (const list of document.querySelectorAll(".disagreements")) {
    const filter = list.querySelector(".filter");
    const status = filter.querySelector("[role=status]");
    const items = [...list.querySelectorAll("details.item")];
    filter.hidden = false;
    filter.addEventListener("change", (event) => {
      const wanted = event.target.value;
      for (const each of items) each.hidden = wanted !== "" && each.dataset.error !== wanted;
      status.textContent = `${items.filter((each) => !each.hidden).length} items shown`;
    });
    const button = filter.querySelector(".open-all");
    button.addEventListener("click", () => {
      const open = items.some((each) => !each.hidden && !each.open);
      for (const each of items) if (!each.hidden) each.open = open;
      button.textContent = open ? "Close all" : "Open all";
    });
  }
})();
