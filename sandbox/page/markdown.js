/**
 * Elements for Discord's Markdown: bold, italics, underline, strike, spoilers, code, headings, small print, lists,
 * quotes, links, mentions, custom emojis and timestamps.
 *
 * `names` has functions for mentions: user(id), role(id) and channel(id) return a name or undefined, that of a
 * channel with its "#"; open(id) opens a channel, use(path) a command.
 */

import { el, safeUrl } from "./dom.js";
import { emoji } from "./emoji.js";

/** Return the nodes of a whole text. */
export function markdown(text, names) {
  const fragment = document.createDocumentFragment();
  const lines = text.split("\n");
  while (lines.length) fragment.append(...block(lines, names));
  return fragment;
}

/** Remove the lines of the next block from `lines` and return its nodes. */
function block(lines, names) {
  for (const [start, take] of BLOCKS) {
    const match = start.exec(lines[0]);
    if (match) return take(lines, names, match);
  }
  const paragraph = [lines.shift()];
  while (lines.length && !BLOCKS.some(([start]) => start.test(lines[0]))) paragraph.push(lines.shift());
  return paragraph.some((line) => line.trim()) ? [el("p", {}, inline(paragraph.join("\n"), names))] : [];
}

const BLOCKS = [
  [/^```/, fence],
  [/^(#{1,3}) +(.+)/, heading],
  [
    /^-# +(.+)/,
    (lines, names, [, text]) => (lines.shift(), [el("p", { class: "small" }, inline(text, names))]),
  ],
  [/^>>> /, restQuoted],
  [/^> ?/, quote],
  [/^ *([-*]|\d+\.) +\S/, list],
];

function fence(lines) {
  const text = lines.join("\n").slice(3);
  const end = text.indexOf("```");
  const inside = end < 0 ? text : text.slice(0, end);
  const after = end < 0 ? "" : text.slice(end + 3);
  lines.splice(0, lines.length, ...(after.trim() ? after.replace(/^\n/, "").split("\n") : []));
  return [el("pre", {}, el("code", {}, inside.replace(/^[a-z]*\n/i, "").replace(/\n$/, "")))];
}

function heading(lines, names, [, marks, text]) {
  lines.shift();
  // The page uses the first two levels itself; headings of messages are below them.
  return [el(`h${marks.length + 2}`, {}, inline(text, names))];
}

function restQuoted(lines, names) {
  const text = lines.splice(0).join("\n").slice(4);
  return [el("blockquote", {}, markdown(text, names))];
}

function quote(lines, names) {
  const quoted = [];
  while (lines.length && /^> ?/.test(lines[0])) quoted.push(lines.shift().replace(/^> ?/, ""));
  return [el("blockquote", {}, markdown(quoted.join("\n"), names))];
}

function list(lines, names) {
  const [, indent, mark] = /^( *)([-*]|\d+\.)/.exec(lines[0]);
  const ordered = /\d/.test(mark);
  const items = [];
  while (lines.length) {
    const match = /^( *)([-*]|\d+\.) +(\S.*)/.exec(lines[0]);
    if (!match || match[1].length < indent.length) break;
    if (match[1].length > indent.length) {
      items.at(-1).append(...list(lines, names));
    } else if (/\d/.test(match[2]) === ordered) {
      lines.shift();
      items.push(el("li", {}, inline(match[3], names)));
    } else break;
  }
  return [el(ordered ? "ol" : "ul", ordered ? { start: parseInt(mark, 10) } : {}, items)];
}

/** Return the nodes of text within a block. */
function inline(text, names) {
  const nodes = [];
  let plain = "";
  const flush = () => {
    if (plain) nodes.push(plain);
    plain = "";
  };
  while (text) {
    const [match, make] = firstRule(text);
    if (!match) {
      plain += text[0];
      text = text.slice(1);
      continue;
    }
    const made = make(match, names);
    if (typeof made === "string") plain += made;
    else (flush(), nodes.push(made));
    text = text.slice(match[0].length);
  }
  flush();
  return nodes;
}

function firstRule(text) {
  for (const [start, make] of INLINE) {
    const match = start.exec(text);
    if (match) return [match, make];
  }
  return [null, null];
}

const wrap =
  (tag, properties = {}) =>
  (match, names) =>
    el(tag, properties, inline(match[1], names));

const INLINE = [
  [/^[^\\*_~|`<[:\nh]+/, ([all]) => all],
  [/^\\([^A-Za-z0-9\s])/, ([, character]) => character],
  [/^\n/, () => el("br")],
  [/^``([^]+?)``(?!`)|^`([^`]+)`/, ([, two, one]) => el("code", {}, two ?? one)],
  [/^\*\*\*([^]+?)\*\*\*/, ([, text], names) => el("strong", {}, el("em", {}, inline(text, names)))],
  [/^\*\*([^]+?)\*\*(?!\*)/, wrap("strong")],
  [/^__([^]+?)__(?!_)/, wrap("u")],
  [/^\*(?=\S)((?:\\[^]|\*\*|[^\\*])*?(?:\\[^]|\*\*|[^\s\\*]))\*(?!\*)/, wrap("em")],
  [/^_(?=\S)((?:\\[^]|__|[^\\_])*?(?:\\[^]|__|[^\s\\_]))_(?![A-Za-z0-9_])/, wrap("em")],
  [/^~~([^]+?)~~/, wrap("s")],
  [/^\|\|([^]+?)\|\|/, spoiler],
  [/^<@!?(\d+)>/, ([, id], names) => mention(`@${names.user(id) ?? "unknown-user"}`, { "data-user": id })],
  [/^<@&(\d+)>/, ([, id], names) => mention(`@${names.role(id) ?? "deleted-role"}`)],
  [/^<#(\d+)>/, channelMention],
  [/^<\/([^:>]+):\d+>/, commandMention],
  [/^<a?:(\w+):(\d+)>/, ([, name, id]) => emoji({ id, name })],
  [/^<t:(-?\d{1,13})(?::([tTdDfFR]))?>/, ([, seconds, style]) => timestamp(Number(seconds), style ?? "f")],
  [/^\[([^\]]+)\]\(<?https:\/\/discord\.com\/channels\/(?:\d+|@me)\/(\d+)(?:\/\d+)?>?\)/, channelLink],
  [/^<?https:\/\/discord\.com\/channels\/(?:\d+|@me)\/(\d+)(?:\/\d+)?>?/, channelMention],
  [/^\[([^\]]+)\]\(<?(https?:\/\/[^\s)>]+)>?\)/, ([, text, url], names) => link(url, inline(text, names))],
  [/^<?(https?:\/\/[^\s<>]+[^\s<>.,:;!?)'"])>?/, ([, url]) => link(url, [url])],
  [/^[a-z:]/i, ([letter]) => letter],
];

function channelMention([, id], names) {
  const properties = { type: "button", class: "mention", on: { click: () => names.open(id) } };
  return names.channel(id) ? el("button", properties, names.channel(id)) : mention("#unknown");
}

function commandMention([, path], names) {
  const properties = { type: "button", class: "mention", on: { click: () => names.use(path) } };
  return el("button", properties, `/${path}`);
}

function channelLink([, text, id], names) {
  const properties = { type: "button", class: "as-link", on: { click: () => names.open(id) } };
  return el("button", properties, inline(text, names));
}

const mention = (text, properties = {}) => el("span", { class: "mention", ...properties }, text);

function link(url, children) {
  const href = safeUrl(url);
  return href
    ? el("a", { href, target: "_blank", rel: "noopener noreferrer" }, children)
    : el("span", {}, children);
}

function spoiler([, text], names) {
  const show = (event) => event.currentTarget.classList.add("shown");
  return el(
    "button",
    { type: "button", class: "spoiler", title: "Spoiler", on: { click: show } },
    inline(text, names),
  );
}

const STYLES = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
};

function timestamp(seconds, style) {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return `<t:${seconds}>`;
  const element = el("time", { datetime: date.toISOString(), title: date.toLocaleString() });
  element.textContent =
    style === "R" ? relative(date) : new Intl.DateTimeFormat([], STYLES[style]).format(date);
  element.classList.toggle("relative", style === "R");
  return element;
}

const UNITS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

function relative(date) {
  const seconds = (date.getTime() - Date.now()) / 1000;
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? UNITS.at(-1);
  return new Intl.RelativeTimeFormat([], { numeric: "auto" }).format(Math.round(seconds / size), unit);
}

/** Update every relative time on the page. */
export function refreshTimes() {
  for (const element of document.querySelectorAll("time.relative")) {
    element.textContent = relative(new Date(element.dateTime));
  }
}
