/** The page: draws what the person one is sees, and acts as that person. */

import { Composer } from "./composer.js";
import { Feed, people } from "./feed.js";
import { Log } from "./log.js";
import { refreshTimes } from "./markdown.js";
import { messageElement } from "./message.js";
import { openModal } from "./modal.js";
import { drawChannels, drawPeople, title } from "./sidebar.js";
import { DIRECT, Visit } from "./visit.js";

const BUTTON = 2;

const part = (id) => document.getElementById(id);
const visit = new Visit();
const log = new Log(part("messages"));
/** Sentences under messages whose last press was not answered, by message id. */
const failures = new Map();

// Drawing.

function go(person, channel) {
  composer.move(visit.move(person, channel, composer.draft));
  log.clear();
  drawer(false);
  draw();
}

function draw() {
  drawPeople(part("people"), visit, go);
  if (!visit.feed.state) return;
  drawMessages();
  drawChannels(part("channels"), visit, go);
  part("connection").textContent = connection(visit.feed);
}

function connection({ online, state }) {
  if (!online) return "The sandbox is not running.";
  return state.connected ? "The bot is here." : "No bot is connected.";
}

function drawMessages() {
  const { feed, channel: id } = visit;
  const channel = feed.state.channels.find((each) => each.id === id);
  const name = channel ? title(channel) : "Sandbox";
  part("channel-name").textContent = name;
  part("input").placeholder = `Message ${name}, or / for commands`;
  document.title = `${feed.person.name} – ${name}`;
  log.show((feed.messages.get(id) ?? []).map(entry));
  visit.markRead(visit.me, id);
}

function entry(message) {
  const failed = failures.get(message.id);
  const make = () => messageElement(message, { ...place(), ...acts(message), failed });
  return { id: message.id, signature: JSON.stringify([message, failed]), make };
}

/** What a message or a command can refer to. */
function place() {
  const { state } = visit.feed;
  const roles = state.guilds.flatMap((guild) => guild.roles);
  const channels = state.channels.filter(({ type }) => type !== DIRECT);
  const named = (list, id) => list.find((each) => each.id === id)?.name;
  return {
    me: visit.me,
    people: state.people,
    roles,
    channels,
    names: {
      user: (id) => state.names[id],
      role: (id) => named(roles, id),
      channel: (id) => named(channels, id),
      open: (id) => go(visit.me, id),
    },
  };
}

// Acting.

function acts(message) {
  const { feed } = visit;
  return {
    dismiss: () => feed.act("dismiss", { message: message.id }),
    act: (component, values) => press(feed, message, component, values),
  };
}

async function press(feed, message, component, values) {
  const about = { message: message.id, custom_id: component.custom_id };
  const tell = (sentence) => fail(message.id, sentence);
  try {
    const click = component.type === BUTTON;
    follow(feed, await (click ? feed.act("click", about) : feed.act("select", { ...about, values })), tell);
  } catch (refused) {
    tell(refused.message);
  }
}

function fail(message, sentence) {
  if (sentence) failures.set(message, sentence);
  else failures.delete(message);
  draw();
}

/** Show what an answer brings that does not come by the feed: a modal, or that there is none. */
function follow(feed, answer, tell) {
  tell(answer.failed);
  if (!answer.modal) return;
  openModal(answer.modal, place(), async (values) => {
    try {
      follow(feed, await feed.act("submit", { interaction: answer.modal.interaction, values }), tell);
    } catch (refused) {
      tell(refused.message);
    }
  });
}

const composer = new Composer(() => {
  const { feed, channel } = visit;
  return {
    ...place(),
    commands: feed.state.commands[channel] ?? [],
    say: (content) => feed.act("say", { channel, content }),
    use: async (call, tell) => follow(feed, await feed.act("slash", { channel, ...call }), tell),
    complete: async (question) => (await feed.act("autocomplete", { channel, ...question })).choices,
  };
});

/** Open or close the channel list where the screen is narrow. */
function drawer(open) {
  part("channels").classList.toggle("open", open);
  part("drawer").setAttribute("aria-expanded", String(open));
}

part("drawer").addEventListener("click", () => drawer(!part("channels").classList.contains("open")));
part("messages").addEventListener("pointerdown", () => drawer(false));
document.addEventListener("keydown", ({ key }) => key === "Escape" && drawer(false));

// Beginning.

function changed(person, channel) {
  if (channel) visit.note(person, channel);
  if (person === visit.me) draw();
  else drawPeople(part("people"), visit, go);
}

for (const person of await people()) {
  visit.feeds.set(person.id, new Feed(person, (channel) => changed(person.id, channel)));
}
if (visit.feeds.size) go([...visit.feeds.keys()][0]);
else part("connection").textContent = "There is nobody to be.";
setInterval(refreshTimes, 1000);
