/**
 * The connection to the server for one person: what they see, and acting as them. README.md of the sandbox describes
 * both.
 */

const RETRY = 1000; // milliseconds

/**
 * What a person sees: `state` (null until it arrives) and `messages` by channel id. `online` is true while connected;
 * `first` are the ids of the channels that existed at first.
 *
 * `changed(id)` is called after each change, with the id of the channel whose messages changed, else null. `gone()` is
 * called when the server has restarted and no longer knows the person.
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
    socket.addEventListener("message", ({ data }) => this.#receive(JSON.parse(data)));
    socket.addEventListener("close", () => {
      this.online = false;
      this.changed(null);
      this.#retry();
    });
  }

  /** Reconnect when the server answers again and still knows the person. */
  #retry() {
    setTimeout(async () => {
      const known = await people().catch(() => null);
      if (!known) this.#retry();
      else if (known.some(({ id }) => id === this.person.id)) this.#connect();
      else this.gone();
    }, RETRY);
  }

  #receive(part) {
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

  /** Act as the person and return the JSON of the answer. Throws an Error with the reason if the client forbids it. */
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

/** Return the people of the sandbox: [{id, name}]. */
export async function people() {
  return (await fetch("/sandbox/people")).json();
}
