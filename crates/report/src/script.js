
"use strict";
// Pictures: the pixel under the pointer, in all views at once, and the command that tells how it came about.
for (const group of document.querySelectorAll(".pictures[data-command]")) {
  const frames = [...group.querySelectorAll(".frame")];
  const where = document.createElement("p");
  where.className = "where dim";
  where.textContent = "Point at a picture to see the pixel in all of them; a click keeps it.";
  group.before(where);
  let kept = false;
  const show = (frame, event) => {
    const box = frame.getBoundingClientRect();
    const image = frame.querySelector("img");
    const across = (event.clientX - box.left) / box.width, down = (event.clientY - box.top) / box.height;
    const x = Math.max(0, Math.min(image.naturalWidth - 1, Math.floor(across * image.naturalWidth)));
    const y = Math.max(0, Math.min(image.naturalHeight - 1, Math.floor(down * image.naturalHeight)));
    for (const other of frames) {
      for (const old of other.querySelectorAll("i")) old.remove();
      const row = document.createElement("i"), column = document.createElement("i");
      row.className = "across"; row.style.top = 100 * (y + 0.5) / image.naturalHeight + "%";
      column.className = "down"; column.style.left = 100 * (x + 0.5) / image.naturalWidth + "%";
      other.append(row, column);
    }
    const code = document.createElement("code");
    code.textContent = group.dataset.command.replace("X,Y", x + "," + y);
    where.replaceChildren("pixel (" + x + ", " + y + ") ", code);
  };
  for (const frame of frames) {
    frame.addEventListener("pointermove", event => { if (!kept) show(frame, event); });
    frame.addEventListener("click", event => { kept = !kept; show(frame, event); });
  }
}
// Traces: a click on a component marks the rows that it was computed from.
for (const table of document.querySelectorAll("table.trace")) {
  const cells = new Map([...table.querySelectorAll("[data-node]")].map(cell => [cell.dataset.node, cell]));
  for (const cell of cells.values()) {
    const button = document.createElement("button");
    button.className = "value";
    button.title = "mark what it was computed from";
    button.append(...cell.childNodes);
    cell.append(button);
    button.addEventListener("click", () => {
      for (const row of table.querySelectorAll("tr.hit")) row.classList.remove("hit");
      const open = [cell.dataset.node], seen = new Set(open);
      while (open.length > 0) {
        const next = cells.get(open.pop());
        if (!next) continue;
        next.closest("tr").classList.add("hit");
        for (const from of (next.dataset.from || "").split(" ")) {
          if (from !== "" ? !seen.has(from) : false) { seen.add(from); open.push(from); }
        }
      }
    });
  }
}
// Long tables: only what differs.
for (const table of document.querySelectorAll("table.records")) {
  const label = document.createElement("label"), box = document.createElement("input");
  box.type = "checkbox";
  label.append(box, " only what failed");
  table.closest(".wide").before(label);
  box.addEventListener("change", () => {
    for (const row of table.querySelectorAll("tr[data-passed]")) row.hidden = box.checked;
  });
}
