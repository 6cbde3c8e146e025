/**
 * The messages on the screen. Elements that have not changed are kept, with their open lists, the focus and the scroll
 * position.
 */

const NEAR = 80; // distance from the end in pixels that counts as reading at the end

export class Log {
  #list;
  #announce;
  #below;
  #shown = new Map();
  #atEnd = true;
  #top = 0;
  #fresh = true;

  /**
   * `announce(element)` is called for each message that arrives in the open channel, but not for edits. `below(true)`
   * is called when such a message is below the visible part, `below(false)` when the end is reached.
   */
  constructor(list, announce, below) {
    this.#list = list;
    this.#announce = announce;
    this.#below = below;
    list.addEventListener("load", () => this.#stay(), true); // pictures load later
    list.addEventListener("scroll", () => {
      // Content that grows below also increases the distance from the end. Only scrolling up is the reader's choice.
      if (list.scrollHeight - list.scrollTop - list.clientHeight < NEAR) this.#atEnd = true;
      else if (list.scrollTop < this.#top) this.#atEnd = false;
      this.#top = list.scrollTop;
      if (this.#atEnd) below(false);
    });
    new ResizeObserver(() => this.#stay()).observe(list);
  }

  /** Scroll to the newest message. */
  end() {
    this.#atEnd = true;
    this.#below(false);
    this.#stay();
  }

  /** Remove all messages, before another channel is shown. */
  clear() {
    this.#shown = new Map();
    this.end();
    this.#fresh = true;
  }

  /** Show these entries {id, signature, make()}. An element is made again when its signature has changed. */
  show(entries) {
    const news = this.#fresh ? [] : entries.filter(({ id }) => !this.#shown.has(id));
    this.#shown = new Map(entries.map((entry) => [entry.id, this.#kept(entry)]));
    this.#arrange([...this.#shown.values()].map(({ element }) => element));
    this.#fresh = false;
    this.#stay();
    if (news.length && !this.#atEnd) this.#below(true);
    for (const { id } of news) this.#announce(this.#shown.get(id).element);
  }

  #kept({ id, signature, make }) {
    const old = this.#shown.get(id);
    return old?.signature === signature ? old : { signature, element: make() };
  }

  /** Make these the elements of the list, and keep the focus. */
  #arrange(elements) {
    const list = this.#list;
    const focus = focusIn(document.activeElement, list);
    const staying = new Set(elements);
    for (const element of [...list.children]) if (!staying.has(element)) element.remove();
    elements.forEach((element, index) => {
      if (list.children[index] !== element) list.insertBefore(element, list.children[index] ?? null);
    });
    if (focus && !focus.focused.isConnected) (sameControl(focus, list) ?? list).focus();
  }

  /** Keep the newest message in view if the reader is at the end. The text of an empty channel starts at the top. */
  #stay() {
    if (this.#atEnd && this.#list.querySelector(".message")) this.#list.scrollTop = this.#list.scrollHeight;
    // An edited message is short until its picture has loaded. That moves the list, but is not the reader's choice.
    this.#top = this.#list.scrollTop;
  }
}

/** Return where the focus is: in which message, and on the control of which custom id and name. */
function focusIn(focused, list) {
  const message = focused?.closest("[data-id]");
  if (!message || !list.contains(message)) return null;
  const control = focused.closest("[data-use]");
  const index = [...list.children].indexOf(message);
  return {
    focused,
    index,
    message: message.dataset.id,
    use: control?.dataset.use,
    name: control?.dataset.name,
  };
}

/**
 * Return the control that had the focus, in the message as it is drawn now. It is found by its custom id; or by its
 * name, because bots write the chosen value into custom ids. Without such a control return the message, and without
 * that the message now in its position.
 */
function sameControl({ index, message, use, name }, list) {
  const drawn = list.querySelector(`[data-id="${message}"]`);
  if (!drawn) return list.children[Math.min(index, list.children.length - 1)];
  const controls = [...drawn.querySelectorAll("[data-use]")];
  const same =
    controls.find(({ dataset }) => use && dataset.use === use) ??
    controls.find(({ dataset }) => name && dataset.name === name);
  return same && !same.disabled ? (same.querySelector("summary") ?? same) : drawn;
}
