/** The strip of people and the list of channels. `go(person, channel)` is called with what one presses. */

import { el } from "./dom.js";
import { avatar } from "./message.js";
import { DIRECT, TEXT, THREADS } from "./visit.js";

export function drawPeople(parent, visit, go) {
  const buttons = [...visit.feeds.values()].map(({ person }) => {
    const properties = {
      type: "button",
      class: "person",
      "aria-pressed": String(person.id === visit.me),
      "data-person": person.id,
      on: { click: () => go(person.id) },
    };
    const news =
      visit.calls(person.id) && el("span", { class: "unread", role: "img", "aria-label": "has news" });
    return el("button", properties, avatar({ id: person.id, username: person.name }), person.name, news);
  });
  replace(parent, buttons, "data-person");
}

export function drawChannels(parent, visit, go) {
  const { state } = visit.feed;
  const list = (channels) =>
    el(
      "ul",
      {},
      channels.map((channel) => item(channel, visit, go)),
    );
  const guilds = state.guilds.map((guild) => [
    el("h2", {}, guild.name),
    list(state.channels.filter((channel) => channel.guild === guild.id && channel.type === TEXT)),
  ]);
  const direct = state.channels.filter(({ type }) => type === DIRECT);
  const own = direct.length ? [el("h2", {}, "Direct messages"), list(direct)] : [];
  replace(parent, [...guilds.flat(), ...own], "data-channel");
}

function item(channel, visit, go) {
  const here = channel.id === visit.channel;
  const news = !here && visit.unread(visit.me, channel.id).length > 0;
  const properties = {
    type: "button",
    class: ["channel", news && "unread"],
    "aria-current": here && "true",
    "data-channel": channel.id,
    on: { click: () => go(visit.me, channel.id) },
  };
  const threads = visit.feed.state.channels
    .filter(({ parent, archived, id }) => parent === channel.id && (!archived || id === visit.channel))
    .map((thread) => item(thread, visit, go));
  const inner = threads.length > 0 && el("ul", {}, threads);
  return el(
    "li",
    {},
    el("button", properties, title(channel), news && el("span", { class: "hidden" }, " (new)")),
    inner,
  );
}

/** What a channel is called on the page. */
export function title({ type, name, archived, locked }) {
  if (type === DIRECT) return "The bot";
  const mark = THREADS.includes(type) ? "↳" : "#";
  return `${mark} ${name}${locked ? " (locked)" : archived ? " (archived)" : ""}`;
}

/** Replace what is in `parent`; the focus stays on what has the same value of `attribute`. */
function replace(parent, children, attribute) {
  const focused = parent.contains(document.activeElement) ? document.activeElement : null;
  const value = focused?.getAttribute(attribute);
  parent.replaceChildren(...children);
  if (value) parent.querySelector(`[${attribute}="${value}"]`)?.focus();
}
