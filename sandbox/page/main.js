/** The page: the clients of several people side by side, and the buttons that choose which are shown. */

import { Client } from "./client.js";
import { people } from "./feed.js";
import { refreshTimes } from "./markdown.js";
import { drawPeople } from "./sidebar.js";

const MOST = 4; // clients side by side
const WIDTH = 23; // width of each in rem
const CONNECTED = "The bot is here.";
const KEPT = "sandbox"; // key of the session storage for what a reload keeps

const part = (id) => document.getElementById(id);
const clients = new Map();
/** Ids of the chosen people, latest first. As many of them are shown as there is room for. */
let chosen = [];
let active = null;

function shown() {
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const room = Math.min(MOST, Math.max(1, Math.floor(innerWidth / (WIDTH * rem))));
  return chosen.slice(0, room);
}

/** Show a person's client, or hide it unless it is the only one. */
function choose(id) {
  const now = shown();
  if (!now.includes(id)) chosen = [id, ...now];
  else if (now.length > 1) chosen = now.filter((each) => each !== id);
  arrange();
}

/** Put the shown clients onto the page, always in the same order. */
function arrange() {
  const ids = shown();
  for (const [id, client] of clients) {
    const was = client.shown;
    client.shown = ids.includes(id);
    if (was && !client.shown) client.element.remove();
  }
  const visible = [...clients.values()].filter((client) => client.shown);
  visible.forEach(({ element }, index) => {
    const parent = part("clients");
    if (parent.children[index] !== element) parent.insertBefore(element, parent.children[index] ?? null);
  });
  if (!active?.shown) active = visible[0];
  for (const client of visible) client.draw();
  changed();
}

function changed() {
  drawPeople(
    part("people"),
    [...clients.values()].map(({ person }) => person),
    {
      shown: (id) => clients.get(id).shown,
      waiting: (id) => clients.get(id).visit?.waiting().length > 0,
      choose,
    },
  );
  const text = connection();
  part("connection").textContent = text;
  part("connection").classList.toggle("connected", text === CONNECTED);
  document.title = active ? `${active.person.name} – Sandbox` : "Sandbox";
  keep();
}

function connection() {
  const feeds = [...clients.values()].map(({ feed }) => feed);
  if (feeds.length === 0) return "There are no people in the sandbox.";
  if (feeds.some((feed) => feed?.state && !feed.online))
    return "The sandbox has stopped. The page reconnects when it is back.";
  if (!feeds[0]?.state) return "Connecting…";
  return feeds[0].state.connected ? CONNECTED : "No bot is connected.";
}

/** Let screen readers announce a new message, but only of the client that was used last. */
function announce(element, client) {
  if (client !== active) return;
  const texts = [...element.querySelectorAll(".origin, .author, .text")].map((each) => each.textContent);
  part("news").textContent = texts.join(". ") || element.textContent;
}

// A reload keeps people and channels. People are kept by name, because a restarted sandbox has new ids.

function keep() {
  const names = chosen.map((id) => clients.get(id).person.name);
  const channels = Object.fromEntries(
    [...clients.values()].map(({ person, visit }) => [person.name, visit?.channel]),
  );
  sessionStorage.setItem(KEPT, JSON.stringify({ names, channels }));
}

const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? '{"names": [], "channels": {}}');

for (const person of await people()) {
  const on = { changed, announce, gone: () => location.reload() };
  clients.set(person.id, new Client(person, kept.channels[person.name], on));
}
const known = [...clients.values()].filter(({ person }) => kept.names.includes(person.name));
known.sort((one, other) => kept.names.indexOf(one.person.name) - kept.names.indexOf(other.person.name));
chosen = (known.length ? known : [...clients.values()]).map(({ person }) => person.id);
arrange();

addEventListener("resize", arrange);
// In a window as large as a phone, which begins with the people and places of this one.
part("phone").addEventListener("click", () => open(location.href, "", "popup,width=390,height=844"));
document.addEventListener("focusin", ({ target }) => {
  const client = [...clients.values()].find(({ element }) => element.contains(target));
  if (client && client !== active) {
    active = client;
    changed();
  }
});
// A slash typed anywhere begins a command.
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea, select, dialog");
  if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  active?.composer.begin("/");
});
setInterval(refreshTimes, 1000);
