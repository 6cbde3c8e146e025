/**
 * A message's components, classic and V2, as elements.
 *
 * `place` is what they stand in: {names, people, roles, channels, url(media), act(component, values)}; `act`
 * tells the bot and resolves when it has answered.
 */

import { el, safeUrl } from "./dom.js";
import { markdown } from "./markdown.js";
import { picture } from "./picture.js";

const STYLES = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "link", 6: "premium" };
const SHORT = 12; // characters of options that stand side by side

export function components(list, place) {
  return list.map((component) => (KINDS[component.type] ?? unknown)(component, place));
}

const KINDS = {
  1: (row, place) => el("div", { class: "row" }, components(row.components, place)),
  2: button,
  3: (select, place) => choose(select, select.options, place),
  5: (select, place) => choose(select, entities(place.people), place),
  6: (select, place) => choose(select, entities(place.roles), place),
  7: (select, place) => choose(select, entities([...place.people, ...place.roles]), place),
  8: (select, place) => choose(select, entities(place.channels), place),
  9: section,
  10: (display, place) => el("div", { class: "text" }, markdown(display.content, place.names)),
  11: (thumbnail, place) => media(thumbnail, place, "thumbnail"),
  12: gallery,
  13: file,
  14: (separator) =>
    el("hr", {
      class: ["separator", separator.spacing === 2 && "large", separator.divider === false && "plain"],
    }),
  17: container,
};

const unknown = (component) => el("p", { class: "note" }, `(A component of type ${component.type}.)`);

/** An emoji's text: the character itself, or a custom one's name. */
export function emoji(partial) {
  return partial.id ? `:${partial.name}:` : partial.name;
}

function button(component, place) {
  const face = [component.emoji && el("span", { class: "emoji" }, emoji(component.emoji)), component.label];
  const style = ["button", STYLES[component.style]];
  if (component.style === 5) {
    const href = component.disabled ? null : safeUrl(component.url);
    return el("a", { class: style, href, target: "_blank", rel: "noopener noreferrer" }, face);
  }
  const on = { click: (event) => use(event.currentTarget, place.act, component, []) };
  const properties = {
    type: "button",
    class: style,
    disabled: component.disabled,
    ...mark(component.custom_id, component.label ?? emoji(component.emoji)),
    on,
  };
  return el("button", properties, face);
}

/** What the focus finds a control by when its message is made anew. */
const mark = (customId, name) => ({ "data-use": customId, "data-name": name });

/** Tell the bot, once at a time; until it has answered the control is busy, but keeps the focus. */
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

function container(component, place) {
  const colour = component.accent_color;
  const style = Number.isInteger(colour) ? { "--accent": `#${colour.toString(16).padStart(6, "0")}` } : {};
  return hideable(
    component,
    el("div", { class: "container", style }, components(component.components, place)),
  );
}

function gallery(component, place) {
  const pictures = component.items.map((item) => media(item, place, "picture"));
  return el("div", { class: ["gallery", pictures.length > 1 && "many"] }, pictures);
}

function media(item, place, kind) {
  const src = safeUrl(place.url(item.media));
  const alt = item.description ?? "";
  return hideable(item, src ? picture(src, alt, kind) : el("span", { class: "note" }, alt || "(no picture)"));
}

function file(component, place) {
  const href = safeUrl(place.url(component.file));
  const name = component.name ?? component.file.url.split("/").at(-1);
  return hideable(component, el("a", { class: "file", href, download: name }, name));
}

/** Content marked as a spoiler is shown by a press. */
function hideable(component, element) {
  if (!component.spoiler) return element;
  const show = (event) => event.currentTarget.replaceWith(element);
  return el("button", { type: "button", class: "spoiler block", on: { click: show } }, "Spoiler: show");
}

const entities = (list) => list.map(({ id, name }) => ({ value: id, label: name }));

function choose(select, options, place) {
  const many = (select.max_values ?? 1) > 1 || select.min_values === 0;
  return many ? several(select, options, place) : single(select, options, place);
}

/** The name a person reads of an option. */
export function optionText(option) {
  return [option.emoji && emoji(option.emoji), option.label, option.description && `– ${option.description}`]
    .filter(Boolean)
    .join(" ");
}

/** Whether an option is chosen beforehand. */
export function isDefault(select, option) {
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

/** Several choices: a list that opens, with a check box each, sent by "Done". */
function several(select, options, place) {
  const placeholder = select.placeholder ?? "Make a selection";
  const [low, high] = [select.min_values ?? 1, select.max_values ?? 1];
  const done = el("button", { type: "submit", class: "button primary" }, "Done");
  const boxes = options.map((option) =>
    el("input", { type: "checkbox", value: option.value, checked: isDefault(select, option) }),
  );
  const values = () => boxes.filter((box) => box.checked).map((box) => box.value);
  const limit = () => {
    const number = values().length;
    for (const box of boxes) box.disabled = !box.checked && number >= high;
    done.disabled = number < low;
  };
  limit();
  const submit = (event) => {
    event.preventDefault();
    use(done, place.act, select, values());
  };
  const labels = options.map((option, index) =>
    el("label", { class: "option" }, boxes[index], optionText(option)),
  );
  const hint = el("p", { class: "small" }, low === high ? `Pick ${low}.` : `Pick ${low} to ${high}.`);
  const short = options.every((option) => optionText(option).length <= SHORT);
  const classes = ["options", short && "short"];
  const form = el("form", { class: classes, on: { submit, change: limit } }, hint, labels, done);
  const defaults = options.filter((option) => isDefault(select, option)).map((option) => option.label);
  const shown = defaults.join(", ") || placeholder;
  if (select.disabled) return el("div", { class: "select", "aria-disabled": "true" }, shown);
  const toggle = ({ currentTarget: list }) => list.open && list.scrollIntoView({ block: "nearest" });
  return el(
    "details",
    { class: "several", ...mark(select.custom_id, placeholder), on: { toggle } },
    el("summary", { class: "select" }, shown),
    form,
  );
}
