/**
 * Elements for the components of messages, classic and V2.
 *
 * `place` is their context: {names, roles, channels, url(media), act(component, values)}. `act` sends an
 * interaction and resolves when the bot has answered.
 */

import { el, safeUrl } from "./dom.js";
import { emoji } from "./emoji.js";
import { markdown } from "./markdown.js";
import { picture } from "./picture.js";

const STYLES = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "link" };
const SHORT = 12; // characters of options that are shown side by side

export function components(list, place) {
  return list.map((component) => (KINDS[component.type] ?? unknown)(component, place));
}

const KINDS = {
  1: (row, place) => el("div", { class: "row" }, components(row.components, place)),
  2: button,
  3: (select, place) => choose(select, select.options, place),
  6: (select, place) => choose(select, entities(place.roles), place),
  8: (select, place) => choose(select, entities(place.channels.filter(fits(select))), place),
  9: section,
  10: (display, place) => el("div", { class: "text" }, markdown(display.content, place.names)),
  12: gallery,
  13: file,
  17: (container, place) => el("div", { class: "container" }, components(container.components, place)),
};

/** Return whether a menu offers a channel. */
const fits = (select) => (channel) => !select.channel_types?.length || select.channel_types.includes(channel.type);

const unknown = (component) => el("p", { class: "note" }, `(A component of type ${component.type}.)`);

/** The content of a button: its emoji and label. Beside a label the emoji has no alt text. */
const caption = ({ emoji: partial, label }) => [partial && (label ? emoji(partial, "") : emoji(partial)), label];

function button(component, place) {
  const style = ["button", STYLES[component.style]];
  if (component.style === 5) {
    const href = component.disabled ? null : safeUrl(component.url);
    return el("a", { class: style, href, target: "_blank", rel: "noopener noreferrer" }, caption(component));
  }
  const on = { click: (event) => use(event.currentTarget, place.act, component, []) };
  const properties = {
    type: "button",
    class: style,
    disabled: component.disabled,
    ...mark(component.custom_id, component.label ?? component.emoji.name),
    on,
  };
  return el("button", properties, caption(component));
}

/** The attributes by which the focus finds a control again after its message was drawn again. */
const mark = (customId, name) => ({ "data-use": customId, "data-name": name });

/** Send an interaction. Until the bot has answered, the control is busy and sends no other, but keeps the focus. */
async function use(control, act, component, values) {
  if (control.ariaBusy === "true") return;
  control.ariaBusy = "true";
  await act(component, values);
  control.ariaBusy = "false";
}

function section(component, place) {
  const texts = el("div", {}, components(component.components, place));
  return el("div", { class: "section" }, texts, components([component.accessory], place));
}

function gallery(component, place) {
  const pictures = component.items.map((item) => media(item, place));
  return el("div", { class: ["gallery", pictures.length > 1 && "many"] }, pictures);
}

function media(item, place) {
  const src = safeUrl(place.url(item.media));
  const alt = item.description ?? "";
  return src ? picture(src, alt, item.media) : el("span", { class: "note" }, alt || "(no picture)");
}

function file(component, place) {
  const href = safeUrl(place.url(component.file));
  const name = component.name ?? component.file.url.split("/").at(-1);
  return el("a", { class: "file", href, download: name }, name);
}

const entities = (list) => list.map(({ id, name }) => ({ value: id, label: name }));

function choose(select, options, place) {
  const many = (select.max_values ?? 1) > 1 || select.min_values === 0;
  if (many) return several(select, options, place);
  // The browser's own list can only show text.
  const drawn = !select.disabled && options.some((option) => option.emoji);
  return (drawn ? one : single)(select, options, place);
}

/** Return the text of an option, without a picture. */
export function optionText(option) {
  return [option.label, option.description && `– ${option.description}`].filter(Boolean).join(" ");
}

/** Return the content of an option: its picture and text. */
function optionContent(option) {
  return option.emoji ? [emoji(option.emoji, ""), optionText(option)] : optionText(option);
}

/** Return whether an option is selected by default. */
function isDefault(select, option) {
  return (
    Boolean(option.default) || (select.default_values ?? []).some(({ id }) => String(id) === option.value)
  );
}

function single(select, options, place) {
  const placeholder = select.placeholder ?? "Make a selection";
  const chosen = options.find((option) => isDefault(select, option));
  const choices = options.map((option) =>
    el("option", { value: option.value, selected: option === chosen }, optionText(option)),
  );
  const prompt = el("option", { value: "", disabled: true, selected: !chosen, hidden: true }, placeholder);
  const on = { change: ({ currentTarget: control }) => use(control, place.act, select, [control.value]) };
  const properties = {
    class: "select",
    "aria-label": placeholder,
    disabled: select.disabled,
    ...mark(select.custom_id, placeholder),
    on,
  };
  return el("select", properties, prompt, choices);
}

/** A select of one option that has pictures: a list that opens, with a button for each option. */
function one(select, options, place) {
  const placeholder = select.placeholder ?? "Make a selection";
  const press = (option) => (event) => use(event.currentTarget, place.act, select, [option.value]);
  const buttons = options.map((option) =>
    el(
      "button",
      {
        type: "button",
        class: "option",
        "aria-pressed": String(isDefault(select, option)),
        on: { click: press(option) },
      },
      optionContent(option),
    ),
  );
  const chosen = options.find((option) => isDefault(select, option));
  return opening(select, chosen ? optionContent(chosen) : placeholder, el("div", { class: "options" }, buttons));
}

/** A list that opens below its summary `shown`. */
function opening(select, shown, list) {
  const toggle = ({ currentTarget: details }) => details.open && details.scrollIntoView({ block: "nearest" });
  return el(
    "details",
    { class: "several", ...mark(select.custom_id, select.placeholder ?? "Make a selection"), on: { toggle } },
    el("summary", { class: "select" }, shown),
    list,
  );
}

/**
 * Create a check box for each option, below a hint. `values()` returns what is checked; `limit()`, called after each
 * change, allows no more than the maximum, and returns whether enough are checked.
 */
export function checkBoxes(select, options) {
  const [low, high] = [select.required === false ? 0 : (select.min_values ?? 1), select.max_values ?? 1];
  const boxes = options.map((option) =>
    el("input", { type: "checkbox", value: option.value, checked: isDefault(select, option) }),
  );
  const values = () => boxes.filter((box) => box.checked).map((box) => box.value);
  const limit = () => {
    const number = values().length;
    for (const box of boxes) box.disabled = !box.checked && number >= high;
    return number >= low;
  };
  limit();
  const labels = options.map((option, index) =>
    el("label", { class: "option" }, boxes[index], optionContent(option)),
  );
  const hint = el("p", { class: "small" }, low === high ? `Choose ${low}.` : `Choose ${low} to ${high}.`);
  return { items: [hint, labels], values, limit };
}

/** A select of several options: a list that opens, with a check box for each option and a button that sends them. */
function several(select, options, place) {
  const placeholder = select.placeholder ?? "Make a selection";
  const done = el("button", { type: "submit", class: "button primary" }, "Done");
  const { items, values, limit } = checkBoxes(select, options);
  const change = () => {
    done.disabled = !limit();
  };
  change();
  const submit = (event) => {
    event.preventDefault();
    use(done, place.act, select, values());
  };
  const short = options.every((option) => optionText(option).length <= SHORT);
  const classes = ["options", short && "short"];
  const form = el("form", { class: classes, on: { submit, change } }, items, done);
  const defaults = options.filter((option) => isDefault(select, option)).map((option) => option.label);
  const shown = defaults.join(", ") || placeholder;
  if (select.disabled) return el("div", { class: "select", "aria-disabled": "true" }, shown);
  return opening(select, shown, form);
}
