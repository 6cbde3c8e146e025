/** A dialog for a modal. The answers are by custom id: a text, or a list of values. */

import { checkBoxes, optionText } from "./components.js";
import { el } from "./dom.js";
import { markdown } from "./markdown.js";

const PARAGRAPH = 2;

/** Show the modal to the person `name`; `submit(answers)` is called once, unless the modal is dismissed. */
export function openModal(modal, name, place, submit) {
  const fields = modal.components.map((component) => field(component, place));
  const close = () => dialog.close();
  const onSubmit = (event) => {
    event.preventDefault();
    submit(Object.fromEntries(fields.filter(({ id }) => id).map(({ id, read }) => [id, read()])));
    close();
  };
  const dialog = el(
    "dialog",
    { class: "modal", "aria-labelledby": "modal-title", on: { close: () => dialog.remove() } },
    el(
      "form",
      { on: { submit: onSubmit } },
      el(
        "header",
        {},
        el("h2", { id: "modal-title" }, modal.title),
        el("p", { class: "small" }, `for ${name}`),
      ),
      fields.map(({ element }) => element),
      el(
        "div",
        { class: "actions" },
        el("button", { type: "button", class: "button secondary", on: { click: close } }, "Cancel"),
        el("button", { type: "submit", class: "button primary" }, "Submit"),
      ),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}

function field(component, place) {
  if (component.type === 10)
    return { element: el("div", { class: "text" }, markdown(component.content, place.names)) };
  const { label, description, component: input } = component;
  const made = INPUTS[input.type](input);
  const needed =
    input.required === false ? null : el("span", { class: "needed", title: "required" }, " *");
  const text = [
    el("span", { class: "label" }, label, needed),
    description && el("span", { class: "small" }, description),
  ];
  // A label would belong to the first check box alone.
  const around = made.many
    ? el("fieldset", { class: "field", "aria-label": label }, text, made.element)
    : el("label", { class: "field" }, text, made.element);
  return { ...made, id: input.custom_id, element: around };
}

const INPUTS = { 3: selectInput, 4: textInput };

function textInput(input) {
  const properties = {
    class: "input",
    placeholder: input.placeholder,
    required: input.required !== false,
    minlength: input.min_length,
    maxlength: input.max_length ?? 4000,
  };
  const element =
    input.style === PARAGRAPH
      ? el("textarea", { ...properties, rows: 4 })
      : el("input", { type: "text", ...properties });
  element.value = input.value ?? "";
  return { element, read: () => element.value };
}

/** A select of several options has a check box for each. */
function several(select) {
  const { items, values, limit } = checkBoxes(select, select.options);
  const change = () => {
    const [box] = element.getElementsByTagName("input");
    box.setCustomValidity(limit() ? "" : "Choose more.");
  };
  const element = el("div", { class: "field", on: { change } }, items);
  change();
  return { element, read: values, many: true };
}

function selectInput(select) {
  if (select.max_values > 1) return several(select);
  const required = select.required !== false;
  const chosen = select.options.find((option) => option.default);
  const element = el(
    "select",
    { class: "select", required },
    el(
      "option",
      { value: "", disabled: required, selected: !chosen },
      select.placeholder ?? "Make a selection",
    ),
    select.options.map((option) =>
      el("option", { value: option.value, selected: option === chosen }, optionText(option)),
    ),
  );
  return { element, read: () => (element.value ? [element.value] : []) };
}
