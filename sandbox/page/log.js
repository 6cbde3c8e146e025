/**
 * The messages on the screen. What has not changed is left alone, so that open lists, focus and place stay.
 */

import { el } from "./dom.js";

const NEAR = 80; // pixels from the end that count as reading there

export class Log {
  #list;
  #shown = new Map();
  #atEnd = true;

  constructor(list) {
    this.#list = list;
    list.addEventListener("load", () => this.#stay(), true); // pictures arrive late
    list.addEventListener("scroll", () => {
      this.#atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR;
    });
  }

  /** Another channel, or another person's view, comes next. */
  clear() {
    this.#shown = new Map();
    this.#atEnd = true;
  }

  /** Show these entries {id, signature, make()}: an element is made anew when its signature changes. */
  show(entries) {
    this.#list.ariaBusy = String(this.#shown.size === 0); // a screen reader hears news, not a whole channel
    this.#shown = new Map(entries.map((entry) => [entry.id, this.#kept(entry)]));
    const elements = [...this.#shown.values()].map(({ element }) => element);
    const empty = el("p", { class: "empty" }, "Nothing here yet. Type / for the bot's commands.");
    this.#arrange(elements.length ? elements : [empty]);
    this.#list.ariaBusy = "false";
    this.#stay();
  }

  #kept({ id, signature, make }) {
    const old = this.#shown.get(id);
    return old?.signature === signature ? old : { signature, element: make() };
  }

  /** Make these the list's elements; the focus goes to the same control of a message that was made anew. */
  #arrange(elements) {
    const list = this.#list;
    const focused = document.activeElement;
    const [message, use] = [focused?.closest("[data-id]")?.dataset.id, focused?.dataset.use];
    const staying = new Set(elements);
    for (const element of [...list.children]) if (!staying.has(element)) element.remove();
    elements.forEach((element, index) => {
      if (list.children[index] !== element) list.insertBefore(element, list.children[index] ?? null);
    });
    if (use && !focused.isConnected) {
      list.querySelector(`[data-id="${message}"] [data-use="${CSS.escape(use)}"]`)?.focus();
    }
  }

  /** Keep the newest message in view for who reads at the end. */
  #stay() {
    if (this.#atEnd) this.#list.scrollTop = this.#list.scrollHeight;
  }
}
