/** The client of one person: channels, messages, and the line to write in. */

import { Composer } from "./composer.js";
import { el } from "./dom.js";
import { Feed } from "./feed.js";
import { Log } from "./log.js";
import { avatar, messageElement, noticeElement } from "./message.js";
import { openMenu } from "./menu.js";
import { openModal } from "./modal.js";
import { dot, drawChannels, title } from "./sidebar.js";
import { begins, callable, start } from "./slash.js";
import { DIRECT, Visit } from "./visit.js";

const BUTTON = 2;
const [USER_MENU, MESSAGE_MENU] = [2, 3];
const SENDING = "Sending command…";
const LONGEST_PRESS = 1000; // milliseconds after which messages are drawn although something is pressed

const channelName = (channel) => channel && (channel.type === DIRECT ? title(channel) : `#${channel.name}`);
const words = ({ path }) => path.split(" ").length;

export class Client {
  /** True while it is on the page. */
  shown = false;
  /** True while something in the messages is pressed. */
  #isHeld = false;
  /** Sentences shown below messages whose last interaction failed, by message id. */
  #failures = new Map();
  /** Notices by channel id (see `noticeElement`). Each follows the message with the id `after`. */
  #notices = new Map();
  #noticed = 0;

  /**
   * `channel` is the id of the channel to open first. `on` has the callbacks changed(): something is new;
   * announce(element, client): a message arrived in the open channel; gone(): the server no longer knows the person.
   */
  constructor(person, channel, on) {
    this.person = person;
    this.on = on;
    this.#build();
    this.feed = new Feed(person, (id) => this.#receive(id), on.gone);
    this.visit = new Visit(this.feed, channel);
  }

  #build() {
    const { name } = this.person;
    const id = `channels-${this.person.id}`;
    this.name = el("h2", { id: `client-${this.person.id}` });
    this.channels = el("nav", { class: "channels", id, "aria-label": `Channels of ${name}` });
    this.drawer = el(
      "button",
      { type: "button", class: "drawer", "aria-controls": id, "aria-expanded": "false" },
      el("span", { "aria-hidden": "true" }, "☰"),
      el("span", { class: "hidden" }, "Channels"),
    );
    this.calls = el("p", { class: "calls", hidden: true });
    this.messages = el("div", { class: "messages", role: "log", "aria-live": "off", tabindex: 0 });
    this.messages.ariaLabel = `Messages ${name} sees`;
    const end = () => this.log.end();
    this.later = el("button", {
      type: "button",
      class: "button primary later",
      hidden: true,
      on: { click: end },
    });
    this.later.textContent = "↓ New messages";
    this.log = new Log(
      this.messages,
      (element) => this.on.announce(element, this),
      (below) => (this.later.hidden = !below),
    );
    this.composer = new Composer(this.person, () => this.#here());
    const disc = avatar({ username: name });
    this.element = el(
      "section",
      { class: "client", "aria-labelledby": this.name.id },
      this.channels,
      el(
        "div",
        { class: "conversation" },
        el("header", { class: "head" }, this.drawer, disc, this.name),
        this.calls,
        el("div", { class: "window" }, this.messages, this.later),
        this.composer.element,
      ),
    );
    this.drawer.addEventListener("click", () => this.#open(!this.channels.classList.contains("open")));
    this.messages.addEventListener("pointerdown", () => {
      this.#open(false);
      this.#hold();
    });
    this.calls.addEventListener("pointerdown", () => this.#hold());
    this.messages.addEventListener("contextmenu", (event) => this.#menu(event));
    this.element.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Open or close the channel list on a screen without room for it beside the messages. */
  #open(open) {
    const within = this.channels.contains(document.activeElement);
    this.channels.classList.toggle("open", open);
    this.drawer.setAttribute("aria-expanded", String(open));
    if (open) this.channels.querySelector("[aria-current]")?.focus();
    else if (within) this.drawer.focus();
  }

  #key({ key, target }) {
    if (key !== "Escape") return;
    if (this.channels.classList.contains("open")) this.#open(false);
    else if (this.messages.contains(target)) this.composer.focus();
  }

  // Receiving and drawing.

  #receive(channel) {
    if (channel) this.visit.note(channel);
    this.draw();
    this.on.changed();
  }

  /** Open a channel. */
  go(channel) {
    const draft = this.visit.go(channel, this.composer.draft);
    this.composer.write(draft);
    this.log.clear();
    this.#open(false);
    this.draw();
    this.on.changed();
  }

  /** Draw nothing while something is pressed: a press of a button that is drawn anew meanwhile would not count. */
  #hold() {
    this.#isHeld = true;
    const over = new AbortController();
    const release = () => {
      over.abort();
      clearTimeout(longest);
      setTimeout(() => {
        this.#isHeld = false;
        this.draw();
      }); // after the click
    };
    const longest = setTimeout(release, LONGEST_PRESS);
    for (const end of ["pointerup", "pointercancel"]) addEventListener(end, release, { signal: over.signal });
  }

  draw() {
    const { state } = this.feed;
    if (!this.shown || !state || this.#isHeld) return;
    const { channel: id } = this.visit;
    const channel = state.channels.find((each) => each.id === id);
    const place = channel ? title(channel) : "nowhere";
    this.name.replaceChildren(el("span", { class: "who" }, this.person.name), ` ${place}`);
    this.log.show(this.#entries(id));
    this.visit.markRead(id);
    drawChannels(this.channels, state, this.visit, (chosen) => this.go(chosen));
    this.#drawCalls();
  }

  #drawCalls() {
    const waiting = this.visit.waiting();
    this.drawer.querySelector(".dot")?.remove();
    if (waiting.length) this.drawer.append(dot());
    const open = (channel) =>
      el(
        "button",
        { type: "button", class: "button primary", on: { click: () => this.go(channel.id) } },
        title(channel),
      );
    const inside = waiting.length ? ["New for you: ", ...waiting.map(open)] : [];
    if (this.calls.textContent !== inside.map((each) => each.textContent ?? each).join("")) {
      this.calls.replaceChildren(...inside);
    }
    this.calls.hidden = waiting.length === 0;
  }

  #entries(channel) {
    const messages = (this.feed.messages.get(channel) ?? []).map((message) => this.#entry(message));
    const notices = (this.#notices.get(channel) ?? []).map((notice) => ({
      ...notice,
      signature: notice.text,
      make: () => noticeElement(notice),
    }));
    const following = (id) => notices.filter(({ after }) => after === id);
    const all = [...following(undefined), ...messages.flatMap((message) => [message, ...following(message.id)])];
    return all.length ? all : [this.#welcome(channel)];
  }

  #entry(message) {
    const failed = this.#failures.get(message.id);
    const whole = JSON.stringify([message, failed]);
    const { names, channels } = this.feed.state;
    const named = /<[@#]|\/channels\//.test(whole) ? JSON.stringify([names, channels]) : "";
    const nicks = JSON.stringify(this.#nicks());
    const make = () => messageElement(message, { ...this.#place(), ...this.#acts(message), failed });
    return { id: message.id, signature: whole + named + nicks, make };
  }

  /** Return the entry of an empty channel: a button for each command of the bot. */
  #welcome(channel) {
    const commands = callable(this.feed.state.commands[channel] ?? []);
    const first = commands.filter(begins).sort((one, other) => words(one) - words(other));
    const others = commands.filter((command) => !begins(command));
    const make = () => {
      const rest = others.map((command) => this.#offer(command));
      return el(
        "div",
        { class: "welcome", "data-id": "welcome", tabindex: -1 },
        el(
          "p",
          {},
          "Nothing here yet.",
          commands.length > 0 && " Start with a command, or type / to see them all:",
        ),
        first.map((command) => this.#offer(command)),
        first.length && rest.length ? el("details", {}, el("summary", {}, "Other commands"), rest) : rest,
      );
    };
    return { id: "welcome", signature: JSON.stringify(commands), make };
  }

  #offer(command) {
    const { path, description } = command;
    return el(
      "button",
      { type: "button", class: ["offer", begins(command) && "first"], on: { click: () => this.#begin(command) } },
      el("strong", {}, `/${path}`),
      el("span", { class: "small" }, description),
    );
  }

  /** Use a command; one that needs an option is written into the line instead. */
  #begin(command) {
    const needs = command.options.some(({ required }) => required);
    if (needs) this.composer.begin(start(command));
    else this.#use({ command: command.path, options: {} });
  }

  #beginNamed(path) {
    const command = callable(this.feed.state.commands[this.visit.channel] ?? []).find((each) => each.path === path);
    if (command) this.#begin(command);
  }

  /** Return the nicknames in the guild of the open channel, by user id. */
  #nicks() {
    const { channels, guilds } = this.feed.state;
    const here = channels.find(({ id }) => id === this.visit.channel);
    return guilds.find(({ id }) => id === here?.guild)?.nicks ?? {};
  }

  /** Return what a message or a command can refer to. */
  #place() {
    const { state } = this.feed;
    const nicks = this.#nicks();
    const roles = state.guilds.flatMap((guild) => guild.roles);
    const channels = state.channels.filter(({ type }) => type !== DIRECT);
    const named = (list, id) => list.find((each) => each.id === id)?.name;
    return {
      me: this.person.id,
      people: state.people.map(({ id, name }) => ({ id, name: nicks[id] ?? name })),
      roles,
      channels,
      names: {
        user: (id) => nicks[id] ?? state.names[id],
        role: (id) => named(roles, id),
        channel: (id) => channelName(state.channels.find((each) => each.id === id)),
        open: (id) => this.go(id),
        use: (path) => this.#beginNamed(path),
      },
    };
  }

  // Acting.

  #here() {
    const { channel } = this.visit;
    return {
      ...this.#place(),
      commands: this.feed.state.commands[channel] ?? [],
      say: (content) => this.feed.act("say", { channel, content }),
      use: (call) => this.#use(call),
      complete: async (question) => (await this.feed.act("autocomplete", { channel, ...question })).choices,
    };
  }

  #acts(message) {
    return {
      dismiss: () => this.feed.act("dismiss", { message: message.id }),
      act: (component, values) => this.#press(message.id, component, values),
    };
  }

  async #press(message, { type, custom_id }, values) {
    const report = (sentence) => this.#fail(message, sentence);
    const about = { message, custom_id };
    await this.#follow(
      () => (type === BUTTON ? this.feed.act("click", about) : this.feed.act("select", { ...about, values })),
      report,
    );
  }

  /** Use a command. A notice among the messages shows that it is being sent, and later why it failed. */
  async #use(call) {
    const { channel } = this.visit;
    const notice = this.#notice(channel, `/${call.command}`);
    await this.#follow(
      () => this.feed.act("slash", { channel, ...call }),
      (text) => notice(text),
    );
  }

  /** Open the menu of the person whose name was pressed, else that of the message. */
  #menu(event) {
    const { channel } = this.visit;
    const { user } = event.target.closest("[data-user]")?.dataset ?? {};
    const message = event.target.closest("article[data-id]")?.dataset.id;
    const known = this.feed.messages.get(channel)?.some(({ id }) => id === message);
    const type = user ? USER_MENU : MESSAGE_MENU;
    const commands = (this.feed.state.commands[channel] ?? []).filter((each) => each.type === type);
    if (!known || !commands.length) return;
    event.preventDefault();
    openMenu(event, commands.map(({ name }) => name), (command) => {
      const notice = this.#notice(channel, command);
      this.#follow(() => this.feed.act("choose", { channel, command, user, message }), notice);
    });
  }

  #notice(channel, command) {
    const list = this.#notices.get(channel) ?? [];
    this.#notices.set(channel, list);
    const after = this.feed.messages.get(channel)?.at(-1)?.id;
    const notice = { id: `notice-${++this.#noticed}`, after, name: this.person.name, command, text: SENDING };
    const drop = () => {
      list.splice(list.indexOf(notice), 1);
      this.draw();
    };
    list.push(notice);
    this.draw();
    return (text) => {
      if (!text) return drop();
      Object.assign(notice, { text, dismiss: drop });
      this.draw();
    };
  }

  #fail(message, sentence) {
    if (sentence) this.#failures.set(message, sentence);
    else this.#failures.delete(message);
    this.draw();
  }

  /** Act, and handle what the feed does not show: open the modal of the answer; `report` why it failed, or null. */
  async #follow(act, report) {
    try {
      const answer = await act();
      report(answer.failed);
      if (answer.modal) this.#fillIn(answer.modal, report);
    } catch (refused) {
      report(refused.message);
    }
  }

  #fillIn(modal, report) {
    openModal(modal, this.person.name, this.#place(), (values) =>
      this.#follow(() => this.feed.act("submit", { interaction: modal.interaction, values }), report),
    );
  }
}
