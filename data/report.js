"use strict";
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const S = 45;
  const make = (name, attributes, parent) => {
    const e = document.createElementNS(SVG, name);
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
    parent.append(e);
    return e;
  };

  class Player {
    constructor(section) {
      this.section = section;
      this.board = section.querySelector(".board");
      this.now = section.querySelector(".now");
      this.cursor = section.querySelector(".cursor");
      this.buttons = [...section.querySelectorAll(".moves button")];
      this.last = this.buttons.length;
      this.flipped = false;
      this.ply = 0;
      const on = (name, f) => section.querySelector(name).addEventListener("click", f);
      on(".first", () => this.go(0));
      on(".back", () => this.go(this.ply - 1));
      on(".forward", () => this.go(this.ply + 1));
      on(".end", () => this.go(this.last));
      on(".flip", () => { this.flipped = !this.flipped; this.draw(); });
      on(".next-mistake", () => this.goToMistake());
      this.buttons.forEach((b, i) => b.addEventListener("click", () => this.go(i + 1)));
      const graph = section.querySelector(".graph svg");
      graph.addEventListener("click", (e) => {
        const box = graph.getBoundingClientRect();
        this.go(Math.round((e.clientX - box.left) / box.width * this.last));
      });
      section.addEventListener("pointerdown", () => { current = this; });
      section.addEventListener("focusin", () => { current = this; });
      this.go(0);
    }

    go(ply) {
      this.ply = Math.max(0, Math.min(this.last, ply));
      this.draw();
      this.tell();
      this.buttons.forEach((b, i) => {
        if (i === this.ply - 1) {
          b.setAttribute("aria-current", "true");
          const list = b.closest(".moves"), row = b.parentElement;
          list.scrollTop = row.offsetTop - list.offsetTop - list.clientHeight / 2;
        } else {
          b.removeAttribute("aria-current");
        }
      });
      if (this.cursor) {
        const x = this.last ? this.ply / this.last * 800 : 0;
        this.cursor.setAttribute("x1", x);
        this.cursor.setAttribute("x2", x);
      }
    }

    goToMistake() {
      for (let i = 1; i <= this.last; i++) {
        const k = (this.ply + i - 1) % this.last;
        if (this.buttons[k].className) return this.go(k + 1);
      }
    }

    tell() {
      const b = this.buttons[this.ply - 1];
      this.now.textContent = b
        ? `${b.dataset.move}, ${b.querySelector(".score").textContent}. ${b.dataset.words}`
        : `Start position, ${this.board.dataset.score}.`;
    }

    draw() {
      const m = this.buttons[this.ply - 1]?.dataset;
      const fen = (m ?? this.board.dataset).fen;
      const svg = document.createElementNS(SVG, "svg");
      svg.setAttribute("viewBox", `0 0 ${8 * S} ${8 * S}`);
      svg.setAttribute("aria-hidden", "true");
      const at = (file, rank) => this.flipped ? [(7 - file) * S, rank * S] : [file * S, (7 - rank) * S];
      const lit = m ? [m.from, m.to] : [];
      for (let rank = 0; rank < 8; rank++) {
        for (let file = 0; file < 8; file++) {
          const [x, y] = at(file, rank);
          make("rect", { x, y, width: S, height: S, class: (file + rank) % 2 ? "sq-l" : "sq-d" }, svg);
          if (lit.includes("abcdefgh"[file] + (rank + 1)))
            make("rect", { x, y, width: S, height: S, class: "last" }, svg);
        }
      }
      for (let i = 0; i < 8; i++) {
        const [x] = at(i, 0), [, y] = at(0, i);
        make("text", { x: x + S - 5, y: 8 * S - 3, class: "coord" }, svg).textContent = "abcdefgh"[i];
        make("text", { x: 2, y: y + 9, class: "coord" }, svg).textContent = i + 1;
      }
      let file = 0, rank = 7;
      for (const c of fen) {
        if (c === "/") { file = 0; rank--; }
        else if (c >= "1" && c <= "8") file += Number(c);
        else {
          const [x, y] = at(file++, rank);
          const man = (c === c.toUpperCase() ? "w" : "b") + c.toUpperCase();
          make("use", { href: "#" + man, x, y, width: S, height: S }, svg);
        }
      }
      this.board.replaceChildren(svg);
    }
  }

  /* Many games get a list to jump from. */
  const games = [...document.querySelectorAll(".game")];
  if (games.length > 1) {
    const list = document.createElement("ol");
    list.className = "games";
    for (const g of games) {
      const link = document.createElement("a");
      link.href = "#" + g.id;
      link.append(...g.querySelector("h2").cloneNode(true).childNodes);
      const row = document.createElement("li");
      row.append(link);
      list.append(row);
    }
    const nav = document.createElement("nav");
    nav.setAttribute("aria-label", "Games");
    nav.append(list);
    games[0].before(nav);
  }

  let current = null;
  const players = games.map((s) => new Player(s));
  current = players[0];
  document.addEventListener("keydown", (e) => {
    if (!current || e.ctrlKey || e.altKey || e.metaKey) return;
    const go = { ArrowLeft: () => current.go(current.ply - 1), ArrowRight: () => current.go(current.ply + 1),
      Home: () => current.go(0), End: () => current.go(current.last),
      f: () => { current.flipped = !current.flipped; current.draw(); }, m: () => current.goToMistake() }[e.key];
    if (go) { go(); e.preventDefault(); }
  });
})();
