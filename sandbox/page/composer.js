/** The line one writes in: messages, and slash commands completed from the keyboard. */

import { el } from "./dom.js";
import { call, callable, completing, suggest } from "./slash.js";

const PAUSE = 150; // milliseconds of rest before the bot is asked for choices

/**
 * `here()` tells where one writes: {commands, people, roles, channels, say(text), use(call, tell),
 * complete(question)}. The last three act as the person and reject with what their client would not let them
 * do; `tell` shows a sentence.
 */
export class Composer {
  #form = document.getElementById("composer");
  #input = document.getElementById("input");
  #list = document.getElementById("suggestions");
  #problem = document.getElementById("problem");
  #suggestions = [];
  #selected = -1;
  #offered = [];
  #remembered = new Map();
  #timer = 0;
  #asked = 0;
  #visit = 0;

  constructor(here) {
    this.here = here;
    this.#form.addEventListener("submit", (event) => (event.preventDefault(), this.#send()));
    this.#input.addEventListener("input", () => this.#typed());
    this.#input.addEventListener("keydown", (event) => this.#key(event));
    this.#input.addEventListener("blur", () => this.#show([]));
  }

  /** The text, to be kept while one is somebody or somewhere else. */
  get draft() {
    return this.#input.value;
  }

  /** One is somebody or somewhere else now, where this draft was left. */
  move(draft) {
    this.#visit += 1;
    this.#write(draft);
  }

  #write(text) {
    this.#input.value = text;
    this.#problem.textContent = "";
    this.#show([]);
  }

  #typed() {
    this.#problem.textContent = "";
    this.#offered = [];
    this.#suggest();
    this.#ask();
  }

  #suggest() {
    const text = this.#input.value;
    if (!text.startsWith("/")) return this.#show([]);
    const here = this.here();
    this.#show(suggest(text, callable(here.commands), this.#offered, here));
  }

  /** Ask the bot for choices once typing rests; an answer that comes too late is dropped. */
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
      { role: "option", id: `suggestion-${index}`, on: { pointerdown: take } },
      el("span", {}, suggestion.label),
      detail,
    );
  }

  #select(index) {
    this.#selected = index;
    [...this.#list.children].forEach((item, at) => item.setAttribute("aria-selected", String(at === index)));
    this.#list.children[index]?.scrollIntoView({ block: "nearest" });
    if (index < 0) this.#input.removeAttribute("aria-activedescendant");
    else this.#input.setAttribute("aria-activedescendant", `suggestion-${index}`);
  }

  #take(index) {
    this.#input.value = this.#suggestions[index].text;
    this.#input.focus();
    this.#typed();
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
      this.#problem.textContent = made.problem;
      return;
    }
    const visit = this.#visit;
    const tell = (sentence) => {
      if (sentence && visit === this.#visit) this.#problem.textContent = sentence;
    };
    this.#write("");
    try {
      await (made ? here.use(made, tell) : here.say(text));
    } catch (refused) {
      tell(refused.message);
    }
  }
}
