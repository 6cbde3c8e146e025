/** The line to write messages and slash commands in, with suggestions for commands. */

import { el } from "./dom.js";
import { call, callable, completing, hint, suggest } from "./slash.js";

const PAUSE = 150; // milliseconds without typing after which the bot is asked for choices

/**
 * `person` is the person who writes. `here()` returns what belongs to the open channel: {commands, people, roles,
 * channels, say(text), use(call), complete(question)}. The last three act as the person; they reject with the sentence
 * that says why the client does not allow it.
 */
export class Composer {
  #input;
  #hint;
  #hinted = "null";
  #list;
  #problem = el("p", { class: "problem", role: "alert" });
  #suggestions = [];
  #selected = -1;
  #offered = [];
  #remembered = new Map();
  #timer = 0;
  #asked = 0;

  constructor(person, here) {
    this.here = here;
    const id = `write-${person.id}`;
    const list = `${id}-suggestions`;
    this.#hint = el("div", { class: "hint", role: "status", hidden: true });
    this.#list = el("ul", {
      class: "suggestions",
      id: list,
      role: "listbox",
      "aria-label": "Suggestions",
      hidden: true,
    });
    this.#input = el("input", {
      id,
      type: "text",
      maxlength: 2000,
      placeholder: "Message, or / for commands",
      role: "combobox",
      "aria-expanded": "false",
      "aria-controls": list,
      "aria-autocomplete": "list",
      enterkeyhint: "send",
      on: {
        input: () => this.#typed(),
        keydown: (event) => this.#key(event),
        blur: () => this.#show([]),
      },
    });
    this.element = el(
      "form",
      {
        class: "composer",
        autocomplete: "off",
        on: { submit: (event) => (event.preventDefault(), this.#send()) },
      },
      el("div", { class: "popup" }, this.#hint, this.#list),
      this.#problem,
      el(
        "div",
        { class: "line" },
        el(
          "label",
          { class: "hidden", for: id },
          `Message of ${person.name}, or a command beginning with a slash`,
        ),
        this.#input,
        el("button", { type: "submit", class: "button primary" }, "Send"),
      ),
    );
  }

  /** The text written so far. */
  get draft() {
    return this.#input.value;
  }

  /** Replace the text. */
  write(text) {
    this.#input.value = text;
    this.showProblem("");
    this.#show([]);
    this.#showHint();
  }

  /** Replace the text, move the focus there and suggest what may follow. */
  begin(text) {
    this.write(text);
    this.#input.focus();
    this.#typed();
  }

  /** Show a problem, or none if `sentence` is empty. */
  showProblem(sentence) {
    this.#problem.textContent = sentence;
  }

  focus() {
    this.#input.focus();
  }

  #typed() {
    this.showProblem("");
    this.#offered = [];
    this.#suggest();
    this.#ask();
    this.#showHint();
  }

  #suggest() {
    const text = this.#input.value;
    if (!text.startsWith("/")) return this.#show([]);
    const here = this.here();
    this.#show(suggest(text, callable(here.commands), this.#offered, here));
  }

  /** Show the options of the command. A screen reader announces the hint when it changes. */
  #showHint() {
    const text = this.#input.value;
    const shown = text.startsWith("/") ? hint(text, callable(this.here().commands)) : null;
    const signature = JSON.stringify(shown);
    if (signature === this.#hinted) return;
    this.#hinted = signature;
    this.#hint.hidden = !shown;
    this.#hint.replaceChildren(...(shown ? hintElements(shown) : []));
  }

  /** Ask the bot for choices after a pause in typing. An answer to an earlier question is dropped. */
  #ask() {
    clearTimeout(this.#timer);
    const asked = ++this.#asked;
    const here = this.here();
    const question =
      this.#input.value.startsWith("/") &&
      completing(this.#input.value, callable(here.commands), this.#remembered, here);
    if (!question) return;
    this.#timer = setTimeout(async () => {
      const choices = await here.complete(question).catch(() => []);
      if (asked !== this.#asked) return;
      for (const { name, value } of choices) this.#remembered.set(`${question.option}\t${name}`, value);
      this.#offered = choices;
      this.#suggest();
    }, PAUSE);
  }

  #show(suggestions) {
    this.#suggestions = suggestions;
    this.#list.replaceChildren(...suggestions.map((suggestion, index) => this.#item(suggestion, index)));
    this.#list.hidden = suggestions.length === 0;
    this.#input.setAttribute("aria-expanded", String(suggestions.length > 0));
    this.#select(suggestions[0]?.likely ? 0 : -1);
  }

  #item(suggestion, index) {
    const take = (event) => {
      event.preventDefault();
      this.#take(index);
    };
    const detail = suggestion.detail && el("span", { class: "small" }, suggestion.detail);
    return el(
      "li",
      {
        role: "option",
        id: this.#idOf(index),
        on: { click: take, mousedown: (event) => event.preventDefault() },
      },
      el("span", {}, suggestion.label),
      detail,
    );
  }

  #idOf(index) {
    return `${this.#list.id}-${index}`;
  }

  #select(index) {
    this.#selected = index;
    [...this.#list.children].forEach((item, at) => item.setAttribute("aria-selected", String(at === index)));
    this.#list.children[index]?.scrollIntoView({ block: "nearest" });
    if (index < 0) this.#input.removeAttribute("aria-activedescendant");
    else this.#input.setAttribute("aria-activedescendant", this.#idOf(index));
  }

  #take(index) {
    this.begin(this.#suggestions[index].text);
  }

  #key(event) {
    const number = this.#suggestions.length;
    if (number === 0 || event.isComposing) return;
    if (event.key === "ArrowDown") this.#select((this.#selected + 1) % number);
    else if (event.key === "ArrowUp") this.#select((Math.max(this.#selected, 0) - 1 + number) % number);
    else if (event.key === "Escape") this.#show([]);
    else if (event.key === "Tab" && !event.shiftKey) this.#take(Math.max(this.#selected, 0));
    else if (event.key === "Enter" && this.#selected >= 0) this.#take(this.#selected);
    else return;
    event.preventDefault();
  }

  async #send() {
    const text = this.#input.value.trim();
    if (!text) return;
    const here = this.here();
    const made = text.startsWith("/") ? call(text, callable(here.commands), this.#remembered, here) : null;
    if (made?.problem) {
      this.showProblem(made.problem);
      return;
    }
    this.write("");
    try {
      await (made ? here.use(made) : here.say(text));
    } catch (refused) {
      this.showProblem(refused.message);
    }
  }
}

function hintElements({ path, description, options, about }) {
  const state = ({ given, current }) => [given && "given", current && "current"];
  const option = (each) =>
    el(
      "span",
      { class: ["taken", ...state(each)] },
      each.name,
      each.required && el("abbr", { title: "required" }, "*"),
    );
  return [
    el(
      "p",
      {},
      el("strong", {}, `/${path}`),
      " ",
      options.map((each) => [option(each), " "]),
    ),
    el("p", { class: "small" }, about ?? description),
  ];
}
