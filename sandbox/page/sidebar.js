/** The buttons of people and the list of channels. `choose(id)` is called when one of them is clicked. */

import { el } from "./dom.js";
import { avatar } from "./message.js";
import { DIRECT, TEXT, THREADS } from "./visit.js";

/** Draw the buttons of `people`: {id, name, manages}. `shown(id)` and `waiting(id)` return whether somebody's client is shown and
 * whether something is new for them. */
export function drawPeople(parent, people, { shown, waiting, choose }) {
  const buttons = people.map((person) => {
    const properties = {
      type: "button",
      class: "person",
      "aria-pressed": String(shown(person.id)),
      "data-person": person.id,
      on: { click: () => choose(person.id) },
    };
    const news = waiting(person.id) && dot();
    const role = person.manages && el("span", { class: "role" }, "manager");
    return el("button", properties, avatar({ username: person.name }), el("span", {}, person.name, role), news);
  });
  replace(parent, buttons, "data-person");
}

/** Create the mark that something is new for a person. */
export function dot() {
  return el("span", { class: "dot", role: "img", "aria-label": "has news" });
}

/** Draw the channels of `state`, the server's latest state. `visit` knows the open channel and the unread messages. */
export function drawChannels(parent, state, visit, choose) {
  const list = (channels) =>
    el(
      "ul",
      {},
      channels.map((channel) => item(channel, state, visit, choose)),
    );
  const guilds = state.guilds.map((guild) => [
    el("h3", {}, guild.name),
    list(state.channels.filter((channel) => channel.guild === guild.id && channel.type === TEXT)),
  ]);
  const direct = state.channels.filter(({ type }) => type === DIRECT);
  const own = direct.length ? [el("h3", {}, "Direct messages"), list(direct)] : [];
  replace(parent, [...guilds.flat(), ...own], "data-channel");
}

function item(channel, state, visit, choose) {
  const here = channel.id === visit.channel;
  const news = !here && visit.unread(channel.id).length > 0;
  const properties = {
    type: "button",
    class: ["channel", news && "unread"],
    "aria-current": here && "true",
    "data-channel": channel.id,
    on: { click: () => choose(channel.id) },
  };
  const threads = state.channels
    .filter(({ parent, archived, id }) => parent === channel.id && (!archived || id === visit.channel))
    .map((thread) => item(thread, state, visit, choose));
  return el(
    "li",
    {},
    el("button", properties, title(channel), news && el("span", { class: "hidden" }, " (new)")),
    threads.length > 0 && el("ul", {}, threads),
  );
}

/** Return the name of a channel on the page. */
export function title({ type, name, archived, locked }) {
  if (type === DIRECT) return "The bot";
  const mark = THREADS.includes(type) ? "↳" : "#";
  return `${mark} ${name}${locked ? " (locked)" : archived ? " (archived)" : ""}`;
}

/** Replace the children of `parent` if they differ. The focus stays on the child with the same value of `attribute`. */
function replace(parent, children, attribute) {
  const same = (child, index) => child.isEqualNode(parent.children[index]);
  // Replacing a button during a click would lose the click.
  if (children.length === parent.children.length && children.every(same)) return;
  const focused = parent.contains(document.activeElement) ? document.activeElement : null;
  const value = focused?.getAttribute(attribute);
  parent.replaceChildren(...children);
  if (value) parent.querySelector(`[${attribute}="${value}"]`)?.focus();
}
