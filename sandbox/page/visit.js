/** The state of a client: the open channel, the messages read, and unsent texts. */

export const TEXT = 0;
export const DIRECT = 1;
export const THREADS = [11, 12];

export class Visit {
  #feed;
  #chosen;
  #read = new Map();
  #drafts = new Map();

  /** `chosen` is the id of the channel to open first, if it exists. */
  constructor(feed, chosen) {
    this.#feed = feed;
    this.#chosen = chosen;
  }

  /** Id of the open channel: the last one chosen if the person still sees it, otherwise the first. */
  get channel() {
    const channels = this.#feed.state?.channels ?? [];
    const known =
      channels.find(({ id }) => id === this.#chosen) ?? channels.find(({ type }) => type === TEXT);
    return (known ?? channels[0])?.id;
  }

  /** Open a channel. Keeps `draft`, the unsent text of the old channel, and returns the one of the new channel. */
  go(channel, draft) {
    this.#drafts.set(this.channel, draft);
    this.#chosen = channel;
    return this.#drafts.get(channel) ?? "";
  }

  /** Mark a channel as read if it existed when the page was loaded. Messages of later channels are unread. */
  note(channel) {
    if (this.#read.has(channel)) return;
    if (this.#feed.first.has(channel)) this.markRead(channel);
    else this.#read.set(channel, 0n);
  }

  markRead(channel) {
    const last = this.#feed.messages.get(channel)?.at(-1);
    this.#read.set(channel, BigInt(last?.id ?? 0));
  }

  /** Return the messages of others that the person has not seen. */
  unread(channel) {
    const mark = this.#read.get(channel);
    const messages = this.#feed.messages.get(channel) ?? [];
    return mark === undefined
      ? []
      : messages.filter(({ id, author }) => BigInt(id) > mark && author.id !== this.#feed.person.id);
  }

  /** Return the channels with something new for the person: a message that pings them, or a direct one. */
  waiting() {
    return (this.#feed.state?.channels ?? []).filter(({ id, type }) =>
      this.unread(id).some(({ pings }) => type === DIRECT || pings),
    );
  }
}
