"use strict";

// The steps of a match as data, compressed. Without this script the page is the list of everything that happened.
const find = (id) => document.getElementById(id);
const KEYS = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" };

async function unpack() {
  const bytes = Uint8Array.from(atob(find("data").textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

function make(kind, className, ...children) {
  const made = document.createElement(kind);
  made.className = className;
  made.append(...children.filter((child) => child !== ""));
  return made;
}

function start(data) {
  const sources = data.drawings.map((svg) => `data:image/svg+xml,${encodeURIComponent(svg)}`);
  const lines = [...find("log").children];
  const last = data.steps.length - 1;
  let at = 0;

  function image(drawing, alt, className = "") {
    const made = make("img", className);
    made.src = sources[drawing];
    made.alt = alt;
    return made;
  }

  function card(number) {
    const [drawing, alt, under, badge, faded] = data.cards[number];
    const made = make("div", faded ? "card faded" : "card");
    if (under >= 0) made.append(image(under, drawing < 0 ? "face down" : "face down beneath", drawing < 0 ? "" : "under"));
    if (drawing >= 0) made.append(image(drawing, alt));
    if (badge) made.append(make("span", "badge", badge));
    return made;
  }

  const cards = (numbers) => make("div", "cards", ...numbers.map(card));
  const figure = (numbers, caption, className = "") =>
    make("figure", className, cards(numbers), make("figcaption", "", caption));

  function seat({ name, about, state, rows, hand, detail }) {
    const made = make("section", `seat ${state}`, make("h3", "", name), make("p", "faint", about), ...rows.map(cards));
    if (hand) made.append(figure(hand, detail ? `Hand · ${detail}` : "Hand", "hand"));
    return made;
  }

  function draw({ title, note, seats, piles, text }) {
    find("title").textContent = title;
    find("note").textContent = note;
    find("text").textContent = text;
    find("seats").replaceChildren(...seats.map(seat));
    find("piles").replaceChildren(...piles.map(([numbers, caption]) => figure(numbers, caption)));
  }

  function show(wanted) {
    lines[at].removeAttribute("aria-current");
    at = Math.max(0, Math.min(last, wanted));
    draw(data.steps[at]);
    lines[at].setAttribute("aria-current", "step");
    find("said").replaceChildren(...[...lines[at].children].map((line) => line.cloneNode(true)));
    find("count").textContent = `Step ${at + 1} of ${last + 1}`;
    for (const name of ["first", "back"]) find(name).setAttribute("aria-disabled", at === 0);
    for (const name of ["next", "last"]) find(name).setAttribute("aria-disabled", at === last);
    find("jump").value = data.jumps.findLast(([step]) => step <= at)[0];
  }

  const ways = { first: () => 0, back: () => at - 1, next: () => at + 1, last: () => last };
  for (const [name, way] of Object.entries(ways)) find(name).addEventListener("click", () => show(way()));
  find("jump").append(...data.jumps.map(([step, label]) => new Option(label, step)));
  find("jump").addEventListener("change", (event) => show(Number(event.target.value)));
  lines.forEach((line, step) => line.addEventListener("click", () => show(step)));
  document.addEventListener("keydown", (event) => {
    const name = KEYS[event.key];
    if (!name || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.target === find("jump")) return;
    event.preventDefault();
    show(ways[name]());
  });
  find("player").hidden = false;
  show(0);
}

unpack().then(start, () => {
  find("old").hidden = false;
});
