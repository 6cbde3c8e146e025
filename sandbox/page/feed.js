/**
 * What the server tells of one person, and acting as that person. README.md of the sandbox describes both.
 */

const RETRY = 1000; // milliseconds

/**
 * Keep up with what a person sees: `state` (null at first) and `messages` by channel id, `online` while
 * connected; `first` are the ids of the channels there were at first. `changed(channel id or null)` is called
 * after each change; null when it is not about one channel's messages. `gone()` is called when the server came
 * back and does not know the person any more.
 */
export class Feed {
  constructor(person, changed, gone) {
    this.person = person;
    this.state = null;
    this.messages = new Map();
    this.first = new Set();
    this.online = false;
    this.changed = changed;
    this.gone = gone;
    this.#connect();
  }

  #connect() {
    const socket = new WebSocket(
      `${location.origin.replace("http", "ws")}/sandbox/people/${this.person.id}/events`,
    );
    socket.addEventListener("message", ({ data }) => this.#hear(JSON.parse(data)));
    socket.addEventListener("close", () => {
      this.online = false;
      this.changed(null);
      this.#retry();
    });
  }

  /** Connect again once the server answers and the person is still there. */
  #retry() {
    setTimeout(async () => {
      const known = await people().catch(() => null);
      if (!known) this.#retry();
      else if (known.some(({ id }) => id === this.person.id)) this.#connect();
      else this.gone();
    }, RETRY);
  }

  #hear(part) {
    this.online = true;
    if (part.type === "messages") {
      this.messages.set(part.channel, part.messages);
      this.changed(part.channel);
    } else {
      if (!this.state) this.first = new Set(part.channels.map(({ id }) => id));
      this.state = part;
      this.changed(null);
    }
  }

  /** Act as the person; the answer's JSON. An Error says what their client would not let them do. */
  async act(name, body) {
    const response = await fetch(`/sandbox/people/${this.person.id}/${name}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    }).catch(() => {
      throw new Error("The sandbox is not running.");
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.message);
    return answer;
  }
}

/** Who one can be: [{id, name}]. */
export async function people() {
  return (await fetch("/sandbox/people")).json();
}
