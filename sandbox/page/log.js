/**
 * The messages on the screen. What has not changed is left alone, so that open lists, focus and place stay.
 */

const NEAR = 80; // pixels from the end that count as reading there

export class Log {
  #list;
  #announce;
  #behind;
  #shown = new Map();
  #atEnd = true;
  #top = 0;
  #fresh = true;

  /**
   * `announce(element)` is called for each message that comes while one reads, but not for edits; `behind(truth)`
   * when such a one stands below what is in view, and when the end is reached.
   */
  constructor(list, announce, behind) {
    this.#list = list;
    this.#announce = announce;
    this.#behind = behind;
    list.addEventListener("load", () => this.#stay(), true); // pictures arrive late
    list.addEventListener("scroll", () => {
      // Content that grows below takes one away from the end as well; only scrolling up is a reader's wish.
      if (list.scrollHeight - list.scrollTop - list.clientHeight < NEAR) this.#atEnd = true;
      else if (list.scrollTop < this.#top) this.#atEnd = false;
      this.#top = list.scrollTop;
      if (this.#atEnd) behind(false);
    });
    new ResizeObserver(() => this.#stay()).observe(list);
  }

  /** Go to the newest message. */
  end() {
    this.#atEnd = true;
    this.#behind(false);
    this.#stay();
  }

  /** Another channel comes next. */
  clear() {
    this.#shown = new Map();
    this.end();
    this.#fresh = true;
  }

  /** Show these entries {id, signature, make()}: an element is made anew when its signature changes. */
  show(entries) {
    const news = this.#fresh ? [] : entries.filter(({ id }) => !this.#shown.has(id));
    this.#shown = new Map(entries.map((entry) => [entry.id, this.#kept(entry)]));
    this.#arrange([...this.#shown.values()].map(({ element }) => element));
    this.#fresh = false;
    this.#stay();
    if (news.length && !this.#atEnd) this.#behind(true);
    for (const { id } of news) this.#announce(this.#shown.get(id).element);
  }

  #kept({ id, signature, make }) {
    const old = this.#shown.get(id);
    return old?.signature === signature ? old : { signature, element: make() };
  }

  /** Make these the list's elements, without losing the reader's place. */
  #arrange(elements) {
    const list = this.#list;
    const place = placeOf(document.activeElement, list);
    const staying = new Set(elements);
    for (const element of [...list.children]) if (!staying.has(element)) element.remove();
    elements.forEach((element, index) => {
      if (list.children[index] !== element) list.insertBefore(element, list.children[index] ?? null);
    });
    if (place && !place.focused.isConnected) (find(place, list) ?? list).focus();
  }

  /** Keep the newest message in view for who reads at the end; what stands in an empty channel is read from above. */
  #stay() {
    if (this.#atEnd && this.#list.querySelector(".message")) this.#list.scrollTop = this.#list.scrollHeight;
    // Until its picture has come an edited message is short. That moves the list, too, and is nobody's wish.
    this.#top = this.#list.scrollTop;
  }
}

/** Where the focus is: in which message, on the control of which custom id and name. */
function placeOf(focused, list) {
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
 * The same control of the message made anew: by its custom id, or, as bots put what was picked into those, by its
 * name; else the message itself; else the one that took its place.
 */
function find({ index, message, use, name }, list) {
  const anew = list.querySelector(`[data-id="${message}"]`);
  if (!anew) return list.children[Math.min(index, list.children.length - 1)];
  const controls = [...anew.querySelectorAll("[data-use]")];
  const same =
    controls.find(({ dataset }) => use && dataset.use === use) ??
    controls.find(({ dataset }) => name && dataset.name === name);
  return same && !same.disabled ? (same.querySelector("summary") ?? same) : anew;
}
