/** The page: who one is, where one is, and what one sees there. */

import { Composer } from "./composer.js";
import { el } from "./dom.js";
import { Feed, people } from "./feed.js";
import { refreshTimes } from "./markdown.js";
import { avatar, messageElement } from "./message.js";
import { openModal } from "./modal.js";

const TEXT = 0;
const DIRECT = 1;
const THREADS = [11, 12];

const part = (id) => document.getElementById(id);

/** Everybody's feed by person id, who one is, and each person's channel, read marks and drafts. */
const feeds = new Map();
let me = null;
const channelOf = new Map();
const read = new Map();
const drafts = new Map();
/** Sentences under messages whose last press was not answered, by message id. */
const failures = new Map();
/** The messages on the screen by id: {signature, element}, and whether one reads at their end. */
let shown = new Map();
let atEnd = true;

const feed = () => feeds.get(me);
const current = () => channelOf.get(me);
const key = (person, channel) => `${person}/${channel}`;

// What there is.

function namesIn(state) {
  const roles = new Map(state.guilds.flatMap((guild) => guild.roles).map(({ id, name }) => [id, name]));
  const channels = new Map(state.channels.map(({ id, name }) => [id, name]));
  return { user: (id) => state.names[id], role: (id) => roles.get(id), channel: (id) => channels.get(id) };
}

/** What a message or a command can refer to. */
function place() {
  const { state } = feed();
  return {
    me,
    names: namesIn(state),
    people: state.people,
    roles: state.guilds.flatMap((guild) => guild.roles),
    channels: state.channels.filter(({ type }) => type !== DIRECT),
    open: (channel) => go(me, channel),
  };
}

// Where one goes.

function go(person, channel = channelOf.get(person) ?? firstChannel(person)) {
  if (me) drafts.set(key(me, current()), composer.draft);
  me = person;
  if (channel) channelOf.set(person, channel);
  composer.move(drafts.get(key(person, channel)) ?? "");
  shown = new Map();
  atEnd = true;
  drawer(false);
  draw();
}

function firstChannel(person) {
  const channels = feeds.get(person).state?.channels ?? [];
  return (channels.find(({ type }) => type === TEXT) ?? channels[0])?.id;
}

// What one sees.

function draw() {
  drawPeople();
  if (!feed()?.state) return;
  if (!feed().state.channels.some(({ id }) => id === current())) channelOf.set(me, firstChannel(me));
  drawMessages();
  drawChannels();
  drawConnection();
}

function drawConnection() {
  const { online, state } = feed();
  part("connection").textContent = !online ? "The sandbox is not running." : state.connected ? "The bot is here." : "No bot is connected.";
}

function drawPeople() {
  const buttons = [...feeds.values()].map(({ person }) => {
    const user = { id: person.id, username: person.name };
    const dot = calls(person.id) ? el("span", { class: "unread", role: "img", "aria-label": "has news" }) : null;
    const properties = { type: "button", class: "person", "aria-pressed": String(person.id === me), "data-person": person.id };
    return el("button", { ...properties, on: { click: () => go(person.id) } }, avatar(user), person.name, dot);
  });
  replaceKeepingFocus(part("people"), buttons, "data-person");
}

/** Whether something somewhere else waits for a person: a mention, or a direct message. */
function calls(person) {
  const { state, messages } = feeds.get(person);
  const direct = new Set(state?.channels.filter(({ type }) => type === DIRECT).map(({ id }) => id));
  return [...messages].some(([channel, list]) =>
    unread(person, channel, list).some((message) => direct.has(channel) || message.mentions.some(({ id }) => id === person)),
  );
}

function unread(person, channel, list) {
  const mark = read.get(key(person, channel));
  return mark === undefined ? [] : list.filter(({ id, author }) => BigInt(id) > mark && author.id !== person);
}

function markRead(person, channel) {
  const last = feeds.get(person).messages.get(channel)?.at(-1);
  read.set(key(person, channel), BigInt(last?.id ?? 0));
}

/** What was there when the page came counts as read; all of a channel that appears later is news. */
function markFirst(person, channel) {
  if (feeds.get(person).first.has(channel)) markRead(person, channel);
  else read.set(key(person, channel), 0n);
}

function drawChannels() {
  const { state } = feed();
  const sections = state.guilds.map((guild) => {
    const channels = state.channels.filter((channel) => channel.guild === guild.id && channel.type === TEXT);
    return [el("h2", {}, guild.name), el("ul", {}, channels.map((channel) => channelItem(channel, state)))];
  });
  const direct = state.channels.filter(({ type }) => type === DIRECT);
  const own = direct.length ? [el("h2", {}, "Direct messages"), el("ul", {}, direct.map((channel) => channelItem(channel, state)))] : [];
  replaceKeepingFocus(part("channels"), [...sections.flat(), ...own], "data-channel");
}

function channelItem(channel, state) {
  const threads = state.channels.filter(({ parent, archived, id }) => parent === channel.id && (!archived || id === current()));
  const inner = threads.length ? el("ul", {}, threads.map((thread) => channelItem(thread, state))) : null;
  const news = unread(me, channel.id, feed().messages.get(channel.id) ?? []).length > 0 && channel.id !== current();
  const properties = {
    type: "button",
    class: ["channel", news && "unread"],
    "aria-current": channel.id === current() && "true",
    "data-channel": channel.id,
    on: { click: () => go(me, channel.id) },
  };
  return el("li", {}, el("button", properties, title(channel), news && el("span", { class: "hidden" }, " (new)")), inner);
}

function title({ type, name, archived, locked }) {
  const mark = type === TEXT ? "# " : THREADS.includes(type) ? "↳ " : "";
  return `${mark}${type === DIRECT ? "The bot" : name}${locked ? " (locked)" : archived ? " (archived)" : ""}`;
}

function drawMessages() {
  const list = part("messages");
  const channel = feed().state.channels.find(({ id }) => id === current());
  const messages = feed().messages.get(current()) ?? [];
  part("channel-name").textContent = channel ? title(channel) : "";
  part("input").placeholder = channel ? `Message ${title(channel)}, or / for commands` : "";
  document.title = `${feed().person.name} – ${channel ? title(channel) : "Sandbox"}`;
  list.ariaBusy = String(shown.size === 0); // a screen reader hears what is new, not a whole channel
  const next = new Map(messages.map((message) => [message.id, kept(message)]));
  const elements = [...next.values()].map(({ element }) => element);
  arrange(list, elements.length ? elements : [el("p", { class: "empty" }, "Nothing here yet. Type / for the bot's commands.")]);
  shown = next;
  list.ariaBusy = "false";
  stay();
  markRead(me, current());
}

/** Keep the newest message in view for who reads at the end, also when a picture arrives late. */
function stay() {
  if (atEnd) part("messages").scrollTop = part("messages").scrollHeight;
}

/** The element of a message: the one on the screen, as long as nothing about the message has changed. */
function kept(message) {
  const signature = JSON.stringify([message, failures.get(message.id)]);
  const old = shown.get(message.id);
  if (old?.signature === signature) return old;
  return { signature, element: messageElement(message, placeOf(message)) };
}

/** Make these the list's elements, touching none that stays; the focus goes to a new message's same control. */
function arrange(list, elements) {
  const focused = document.activeElement;
  const [message, use] = [focused?.closest("[data-id]")?.dataset.id, focused?.dataset.use];
  const staying = new Set(elements);
  for (const element of [...list.children]) if (!staying.has(element)) element.remove();
  elements.forEach((element, index) => {
    if (list.children[index] !== element) list.insertBefore(element, list.children[index] ?? null);
  });
  if (use && !focused.isConnected) list.querySelector(`[data-id="${message}"] [data-use="${CSS.escape(use)}"]`)?.focus();
}

/** Replace what is in `parent`; the focus stays on what has the same value of `attribute`. */
function replaceKeepingFocus(parent, children, attribute) {
  const value = parent.contains(document.activeElement) ? document.activeElement.getAttribute(attribute) : null;
  parent.replaceChildren(...children);
  if (value !== null) parent.querySelector(`[${attribute}="${value}"]`)?.focus();
}

// What one does.

function placeOf(message) {
  const own = feed();
  return {
    ...place(),
    failed: failures.get(message.id),
    dismiss: () => own.act("dismiss", { message: message.id }),
    act: (component, values) => press(own, message, component, values),
  };
}

async function press(own, message, component, values) {
  const about = { message: message.id, custom_id: component.custom_id };
  try {
    const answer = component.type === 2 ? await own.act("click", about) : await own.act("select", { ...about, values });
    follow(own, answer, (sentence) => fail(message.id, sentence));
  } catch (refused) {
    fail(message.id, refused.message);
  }
}

function fail(message, sentence) {
  if (sentence) failures.set(message, sentence);
  else failures.delete(message);
  draw();
}

/** Show what an answer brings that does not come by the feed: a modal, or that there is none. */
function follow(own, answer, tell) {
  tell(answer.failed);
  if (!answer.modal) return;
  openModal(answer.modal, place(), async (values) => {
    try {
      follow(own, await own.act("submit", { interaction: answer.modal.interaction, values }), tell);
    } catch (refused) {
      tell(refused.message);
    }
  });
}

const composer = new Composer(() => {
  const [own, channel] = [feed(), current()];
  return {
    ...place(),
    commands: own.state.commands[channel] ?? [],
    say: (content) => own.act("say", { channel, content }),
    use: async (call, tell) => follow(own, await own.act("slash", { channel, ...call }), tell),
    complete: async (question) => (await own.act("autocomplete", { channel, ...question })).choices,
  };
});

// Beginning.

function changed(person, channel) {
  if (channel && !read.has(key(person, channel))) markFirst(person, channel);
  if (person === me) draw();
  else drawPeople();
}

/** Open or close the channel list where the screen is narrow. */
function drawer(open) {
  part("channels").classList.toggle("open", open);
  part("drawer").setAttribute("aria-expanded", String(open));
}

part("drawer").addEventListener("click", () => drawer(!part("channels").classList.contains("open")));
part("messages").addEventListener("pointerdown", () => drawer(false));
document.addEventListener("keydown", ({ key: pressed }) => pressed === "Escape" && drawer(false));
part("messages").addEventListener("load", stay, true);
part("messages").addEventListener("scroll", ({ currentTarget: list }) => {
  atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 80;
});

for (const person of await people()) feeds.set(person.id, new Feed(person, (channel) => changed(person.id, channel)));
if (feeds.size) go([...feeds.keys()][0]);
else part("connection").textContent = "There is nobody to be.";
setInterval(refreshTimes, 1000);
