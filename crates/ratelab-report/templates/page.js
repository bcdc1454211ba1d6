"use strict";
(function () {
  var tip = document.getElementById("tip");
  var charts = JSON.parse(document.getElementById("readings").textContent);

  function text(value) {
    if (value === null || value === undefined) { return "–"; }
    var digits = Math.abs(value) >= 100 ? 1 : 3;
    return value.toLocaleString("en", { maximumFractionDigits: digits });
  }

  // The bin that holds the position on a time axis, the nearest value on any other.
  function place(reading, at, time) {
    var best = -1;
    for (var i = 0; i < reading.at.length; i += 1) {
      if (time) {
        if (reading.at[i] <= at + 1e-9) { best = i; }
      } else if (best < 0 || Math.abs(reading.at[i] - at) < Math.abs(reading.at[best] - at)) {
        best = i;
      }
    }
    return best;
  }

  function lines(panel, at) {
    var time = panel.unit !== "";
    var head = time ? text(at) + panel.unit : "";
    var out = [];
    panel.readings.forEach(function (reading) {
      var i = place(reading, at, time);
      if (i < 0) { return; }
      if (!time && head === "") { head = panel.names[i] || text(reading.at[i]); }
      if (time && out.length === 0) { head = text(reading.at[i]) + panel.unit; }
      out.push(text(reading.values[i]) + "  " + reading.name);
    });
    return [head].concat(out).join("\n");
  }

  function watch(figure, chart) {
    var svg = figure.querySelector("svg");
    var mark = document.createElementNS("http://www.w3.org/2000/svg", "line");
    mark.setAttribute("stroke", "var(--soft)");
    mark.setAttribute("stroke-width", "2");
    mark.setAttribute("visibility", "hidden");
    svg.appendChild(mark);
    function hide() {
      tip.hidden = true;
      mark.setAttribute("visibility", "hidden");
    }
    svg.addEventListener("pointerleave", hide);
    svg.addEventListener("pointermove", function (event) {
      var box = svg.getBoundingClientRect();
      var x = (event.clientX - box.left) / box.width * svg.viewBox.baseVal.width;
      var y = (event.clientY - box.top) / box.height * svg.viewBox.baseVal.height;
      var panel = chart.panels.find(function (panel) {
        var f = panel.frame;
        return x >= f[0] && x <= f[2] && y >= f[1] - 8 && y <= f[3] + 8;
      });
      if (!panel) { hide(); return; }
      var f = panel.frame;
      var at = panel.ends[0] + (x - f[0]) / (f[2] - f[0]) * (panel.ends[1] - panel.ends[0]);
      [["x1", x], ["x2", x], ["y1", f[1]], ["y2", f[3]]].forEach(function (pair) {
        mark.setAttribute(pair[0], pair[1]);
      });
      mark.setAttribute("visibility", "visible");
      tip.textContent = lines(panel, at);
      tip.hidden = false;
      var left = Math.min(event.pageX + 14, window.scrollX + window.innerWidth - tip.offsetWidth - 8);
      tip.style.left = Math.max(8, left) + "px";
      tip.style.top = event.pageY + 14 + "px";
    });
  }

  charts.forEach(function (chart) {
    var figure = document.querySelector("figure[data-chart='" + chart.name + "']");
    if (figure) { watch(figure, chart); }
  });

  function sortable(table) {
    var heads = Array.from(table.querySelectorAll("th"));
    var body = table.tBodies[0];
    function sort(column) {
      var up = heads[column].getAttribute("aria-sort") !== "ascending";
      heads.forEach(function (head) { head.removeAttribute("aria-sort"); });
      heads[column].setAttribute("aria-sort", up ? "ascending" : "descending");
      Array.from(body.rows).sort(function (a, b) {
        var one = a.cells[column];
        var two = b.cells[column];
        var first = parseFloat(one.dataset.value);
        var second = parseFloat(two.dataset.value);
        var order;
        if (isNaN(first) && isNaN(second)) {
          order = one.textContent.localeCompare(two.textContent);
        } else if (isNaN(first) || isNaN(second)) {
          return isNaN(first) ? 1 : -1;
        } else {
          order = first - second;
        }
        return up ? order : -order;
      }).forEach(function (row) { body.appendChild(row); });
    }
    heads.forEach(function (head, column) {
      head.tabIndex = 0;
      head.addEventListener("click", function () { sort(column); });
      head.addEventListener("keydown", function (event) {
        if (event.key === "Enter" || event.key === " ") { event.preventDefault(); sort(column); }
      });
    });
  }
  var table = document.getElementById("numbers");
  if (table) { sortable(table); }
  document.documentElement.dataset.ready = "true";
}());
