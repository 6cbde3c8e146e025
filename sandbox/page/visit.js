/** Who one is and where: everybody's feed, each person's channel, what each has read, and drafts. */

export const TEXT = 0;
export const DIRECT = 1;
export const THREADS = [11, 12];

const key = (person, channel) => `${person}/${channel}`;

export class Visit {
  /** Feeds by person id, and the id of the person one is. */
  feeds = new Map();
  me = null;
  #channels = new Map();
  #read = new Map();
  #drafts = new Map();

  /** The feed of the person one is. */
  get feed() {
    return this.feeds.get(this.me);
  }

  /**
   * The id of the channel one is in: the last one chosen, as long as the person sees it, else their first.
   */
  get channel() {
    const chosen = this.#channels.get(this.me);
    const channels = this.feed?.state?.channels ?? [];
    const known = channels.find(({ id }) => id === chosen) ?? channels.find(({ type }) => type === TEXT);
    return (known ?? channels[0])?.id;
  }

  /**
   * Be `person`, in `channel` if one is named; leaves `draft` behind and returns the one left there before.
   */
  move(person, channel, draft) {
    this.#drafts.set(key(this.me, this.channel), draft);
    this.me = person;
    if (channel) this.#channels.set(person, channel);
    return this.#drafts.get(key(person, this.channel)) ?? "";
  }

  /** What was there when the page came counts as read; all of a channel that appears later is news. */
  note(person, channel) {
    if (this.#read.has(key(person, channel))) return;
    if (this.feeds.get(person).first.has(channel)) this.markRead(person, channel);
    else this.#read.set(key(person, channel), 0n);
  }

  markRead(person, channel) {
    const last = this.feeds.get(person).messages.get(channel)?.at(-1);
    this.#read.set(key(person, channel), BigInt(last?.id ?? 0));
  }

  /** The messages of others that a person has not been shown. */
  unread(person, channel) {
    const mark = this.#read.get(key(person, channel));
    const messages = this.feeds.get(person).messages.get(channel) ?? [];
    return mark === undefined
      ? []
      : messages.filter(({ id, author }) => BigInt(id) > mark && author.id !== person);
  }

  /** Whether something waits for a person somewhere: a mention, or a direct message. */
  calls(person) {
    const { state, messages } = this.feeds.get(person);
    const direct = new Set(state?.channels.filter(({ type }) => type === DIRECT).map(({ id }) => id));
    return [...messages.keys()].some((channel) =>
      this.unread(person, channel).some(
        ({ mentions }) => direct.has(channel) || mentions.some(({ id }) => id === person),
      ),
    );
  }
}
