/** The element of one message, as one person sees it. */

import { components } from "./components.js";
import { el, safeUrl } from "./dom.js";
import { markdown } from "./markdown.js";
import { picture } from "./picture.js";

export const EPHEMERAL = 1 << 6;
const LOADING = 1 << 7;
const V2 = 1 << 15;

/**
 * Create the element of a message. `place` is as for its components, and has also `me` (the id of the person),
 * `failed` (why the last interaction with this message failed) and `dismiss()`.
 */
export function messageElement(message, place) {
  if (message.type in SYSTEM)
    return el(
      "article",
      { class: "message system", "data-id": message.id, tabindex: -1 },
      SYSTEM[message.type](message, place),
    );
  const classes = [
    "message",
    message.flags & EPHEMERAL && "ephemeral",
    mentionsMe(message, place) && "for-me",
  ];
  return el(
    "article",
    { class: classes, "data-id": message.id, tabindex: -1 },
    usedCommand(message, place),
    avatar(message.author),
    heading(message, place),
    body(message, place),
  );
}

const displayName = (user) => user.global_name ?? user.username;
const nameHere = (user, place) => place.names.user(user.id) ?? displayName(user);

function mentionsMe(message, place) {
  return (message.mentions ?? []).some((user) => user.id === place.me);
}

/** The content of system messages, by type. */
const SYSTEM = {
  1: (message, place) => {
    const added = message.mentions.map((user) => nameHere(user, place)).join(", ");
    return el("p", {}, `${nameHere(message.author, place)} added ${added}.`);
  },
  6: (message, place) => el("p", {}, `${nameHere(message.author, place)} pinned a message.`),
  21: () => el("p", {}, "This thread was started on a message in the channel."),
};

const channelButton = (channel, name, place) =>
  el("button", { type: "button", class: "as-link", on: { click: () => place.names.open(channel) } }, name);

function usedCommand(message, place) {
  const origin = message.interaction;
  const name = origin && el("span", { "data-user": origin.user.id }, nameHere(origin.user, place));
  const { target_user: person, target_message_id: other } = message.interaction_metadata ?? {};
  return origin && used(name, person || other ? origin.name : `/${origin.name}`);
}

const used = (name, command) =>
  el("p", { class: "origin" }, name, " used ", el("span", { class: "mention" }, command));

/**
 * Create the element of a notice about a command: that it is being sent (without `dismiss`), or why it failed. Only this
 * client has it: `id` is its id, `name` the person's name, `command` the command's, `text` the sentence.
 */
export function noticeElement({ id, name, command, text, dismiss }) {
  return el(
    "article",
    { class: "message ephemeral notice", "data-id": id, tabindex: -1 },
    used(name, command),
    el(
      "div",
      { class: "body" },
      el("p", dismiss ? { class: "failed", role: "alert" } : { class: "thinking" }, text),
      dismiss && onlyYou(dismiss),
    ),
  );
}

/** Create a disc with the first letter of a name. Its colour depends on the name, because ids change. */
export function avatar(user) {
  const letters = [...displayName(user)];
  const hue = letters.reduce((sum, letter) => (sum * 11 + letter.codePointAt(0)) % 997, 0) * 47;
  return el(
    "span",
    { class: "avatar", "aria-hidden": "true", style: { "--hue": hue % 360 } },
    letters[0] ?? "?",
  );
}

function heading(message, place) {
  const date = new Date(message.timestamp);
  const time = new Intl.DateTimeFormat([], { timeStyle: "short" }).format(date);
  return el(
    "header",
    {},
    el("span", { class: "author", "data-user": message.author.id }, nameHere(message.author, place)),
    message.author.bot && el("span", { class: "app" }, "APP"),
    el("time", { datetime: date.toISOString(), title: date.toLocaleString() }, time),
  );
}

function body(message, place) {
  const shown = new Set();
  const url = (media) => (shown.add(media.url), media.url);
  const within = { ...place, url };
  const parts = [
    message.flags & LOADING
      ? el("p", { class: "thinking" }, `${displayName(message.author)} is thinking…`)
      : null,
    message.content && el("div", { class: "text" }, markdown(message.content, place.names)),
    message.edited_timestamp && !(message.flags & V2) && el("span", { class: "edited" }, "(edited)"),
    components(message.components ?? [], within),
  ];
  // Files of a V2 message are visible only in components.
  const files = message.flags & V2 ? [] : (message.attachments ?? []).filter((file) => !shown.has(file.url));
  const thread =
    message.thread &&
    el("p", { class: "small" }, "Thread: ", channelButton(message.thread.id, message.thread.name, place));
  return el(
    "div",
    { class: "body" },
    parts,
    files.map(attachment),
    thread,
    foot(message, place),
  );
}

function attachment(file) {
  const href = safeUrl(file.url);
  if (!file.content_type?.startsWith("image/") && !/\.(png|jpe?g|gif|webp)$/i.test(file.filename)) {
    return el("a", { class: "file", href, download: file.filename }, file.filename);
  }
  return picture(href, file.description ?? "");
}

function foot(message, place) {
  return [
    place.failed && el("p", { class: "failed", role: "alert" }, place.failed),
    message.flags & EPHEMERAL ? onlyYou(place.dismiss) : null,
  ];
}

function onlyYou(dismiss) {
  return el(
    "p",
    { class: "only-you" },
    el("span", { "aria-hidden": "true" }, "👁 "),
    "Only you can see this · ",
    el("button", { type: "button", class: "as-link", on: { click: dismiss } }, "Dismiss message"),
  );
}
