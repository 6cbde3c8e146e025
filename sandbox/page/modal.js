/** A dialog for a modal. The answers are by custom id: a text, true or false, or a list of values. */

import { isDefault, optionText } from "./components.js";
import { el } from "./dom.js";
import { markdown } from "./markdown.js";

const PARAGRAPH = 2;

/** Show the modal to the person `name`; `submit(answers)` is called once, unless the modal is dismissed. */
export function openModal(modal, name, place, submit) {
  const fields = modal.components.flatMap((component) => field(component, place));
  const problem = el("p", { class: "failed", role: "alert" });
  const close = () => dialog.close();
  const onSubmit = (event) => {
    event.preventDefault();
    problem.textContent = fields.map(({ problem: check }) => check?.() ?? "").find(Boolean) ?? "";
    if (problem.textContent) return;
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
      problem,
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
    return [{ element: el("div", { class: "text" }, markdown(component.content, place.names)) }];
  if (component.type === 1)
    return component.components.map((input) => labelled(input.label, null, input, place));
  if (component.type === 18)
    return [labelled(component.label, component.description, component.component, place)];
  return [{ element: el("p", { class: "note" }, `(A component of type ${component.type}.)`) }];
}

function labelled(label, description, input, place) {
  const made = (INPUTS[input.type] ?? unknown)(input, place, label);
  const needed =
    made.optional || input.required === false
      ? null
      : el("span", { class: "needed", title: "required" }, " *");
  const text = [
    el("span", { class: "label" }, label, needed),
    description && el("span", { class: "small" }, description),
  ];
  const element = made.group
    ? el("fieldset", { class: "field" }, el("legend", {}, text), made.element)
    : el("label", { class: "field" }, text, made.element);
  return { ...made, id: input.custom_id, element };
}

const INPUTS = {
  3: (select) => selectInput(select, select.options),
  4: textInput,
  5: (select, place) => selectInput(select, named(place.people)),
  6: (select, place) => selectInput(select, named(place.roles)),
  7: (select, place) => selectInput(select, named([...place.people, ...place.roles])),
  8: (select, place) => selectInput(select, named(place.channels)),
  21: (group) => boxes(group, "radio", 1),
  22: (group) => boxes(group, "checkbox", group.max_values ?? group.options.length),
  23: checkbox,
};

const named = (list) => list.map(({ id, name }) => ({ value: id, label: name }));

const unknown = (input) => ({
  element: el("span", { class: "note" }, `(An input of type ${input.type}.)`),
  read: () => [],
  optional: true,
});

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

function selectInput(select, options) {
  const most = select.max_values ?? 1;
  if (most > 1) return boxes({ ...select, options }, "checkbox", most);
  const required = select.required !== false;
  const chosen = options.find((option) => isDefault(select, option));
  const element = el(
    "select",
    { class: "select", required },
    el(
      "option",
      { value: "", disabled: required, selected: !chosen },
      select.placeholder ?? "Make a selection",
    ),
    options.map((option) =>
      el("option", { value: option.value, selected: option === chosen }, optionText(option)),
    ),
  );
  return { element, read: () => (element.value ? [element.value] : []) };
}

function boxes(group, type, most) {
  const low = group.min_values ?? 1;
  const inputs = group.options.map((option) =>
    el("input", { type, name: group.custom_id, value: option.value, checked: isDefault(group, option) }),
  );
  const values = () => inputs.filter((input) => input.checked).map((input) => input.value);
  const problem = () => {
    const number = values().length;
    if (number === 0 && group.required === false) return "";
    return number < low || number > most ? `Choose ${low === most ? low : `${low} to ${most}`}.` : "";
  };
  const element = el(
    "div",
    {},
    group.options.map((option, index) => el("label", { class: "option" }, inputs[index], optionText(option))),
  );
  return { element, read: () => (type === "radio" ? (values()[0] ?? null) : values()), problem, group: true };
}

function checkbox(input) {
  const element = el("input", { type: "checkbox", checked: input.default });
  return { element, read: () => element.checked, optional: true };
}
