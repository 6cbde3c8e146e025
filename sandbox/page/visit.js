/** Where a person is in their client: the channel, what they have read, and what they left half written. */

export const TEXT = 0;
export const DIRECT = 1;
export const THREADS = [11, 12];

export class Visit {
  #feed;
  #chosen;
  #read = new Map();
  #drafts = new Map();

  /** `chosen` is the id of the channel to begin in, where there still is one. */
  constructor(feed, chosen) {
    this.#feed = feed;
    this.#chosen = chosen;
  }

  /** The id of the channel: the last one chosen, as long as the person sees it, else their first. */
  get channel() {
    const channels = this.#feed.state?.channels ?? [];
    const known =
      channels.find(({ id }) => id === this.#chosen) ?? channels.find(({ type }) => type === TEXT);
    return (known ?? channels[0])?.id;
  }

  /** Go to a channel; leaves `draft` behind and returns the one left there before. */
  go(channel, draft) {
    this.#drafts.set(this.channel, draft);
    this.#chosen = channel;
    return this.#drafts.get(channel) ?? "";
  }

  /** What was there when the page came counts as read; all of a channel that appears later is news. */
  note(channel) {
    if (this.#read.has(channel)) return;
    if (this.#feed.first.has(channel)) this.markRead(channel);
    else this.#read.set(channel, 0n);
  }

  markRead(channel) {
    const last = this.#feed.messages.get(channel)?.at(-1);
    this.#read.set(channel, BigInt(last?.id ?? 0));
  }

  /** The messages of others that the person has not been shown. */
  unread(channel) {
    const mark = this.#read.get(channel);
    const messages = this.#feed.messages.get(channel) ?? [];
    return mark === undefined
      ? []
      : messages.filter(({ id, author }) => BigInt(id) > mark && author.id !== this.#feed.person.id);
  }

  /** The channels where something waits for the person: a mention, or a direct message. */
  calls() {
    const me = this.#feed.person.id;
    const forMe = ({ mentions }) => mentions.some(({ id }) => id === me);
    return (this.#feed.state?.channels ?? []).filter(({ id, type }) =>
      this.unread(id).some((message) => type === DIRECT || forMe(message)),
    );
  }
}
