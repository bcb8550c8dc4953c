import type { AgentMessage } from "@openclaw/plugin-sdk/tools";

/** A fold of messages, one after another. */
interface Fold<Value> {
  /** Returns the value of no message. */
  start(): Value;
  /** Returns the value with one more message; may change the given value. */
  add(value: Value, message: AgentMessage): Value;
  /** Returns a copy that {@link Fold.add} may change. */
  copy(value: Value): Value;
}

interface Folded<Value> {
  readonly key: string;
  readonly messages: readonly AgentMessage[];
  readonly value: Value;
}

/**
 * Folds conversations that grow. Messages of transcripts are frozen and shared by the turns of their session, so that
 * the value of those is kept and a turn adds only what its session has added since the last one.
 */
export class HistoryFold<Value> {
  readonly #fold: Fold<Value>;
  /** Values by the first message of their history. */
  readonly #known = new WeakMap<AgentMessage, Folded<Value>>();

  /** @param fold - the value of no message, and the step for one more */
  constructor(fold: Fold<Value>) {
    this.#fold = fold;
  }

  /**
   * Returns the value of a conversation, which the caller may change.
   * @param messages - the conversation
   * @param key - text that stands for everything else the value depends on; a value is kept for one key
   * @param start - returns the value of no message; the fold's own when absent
   */
  of(
    messages: readonly AgentMessage[],
    key = "",
    start: () => Value = () => this.#fold.start(),
  ): Value {
    const { add, copy } = this.#fold;
    const [first] = messages;
    if (first === undefined) return start();
    const known = this.#beginning(first, messages, key);
    let value = known === undefined ? start() : copy(known.value);
    let place = known?.messages.length ?? 0;
    const from = place;
    let message = messages[place];
    while (message !== undefined && Object.isFrozen(message)) {
      value = add(value, message);
      place += 1;
      message = messages[place];
    }
    if (place > from) {
      this.#known.set(first, { key, messages: messages.slice(0, place), value: copy(value) });
    }
    while (message !== undefined) {
      value = add(value, message);
      place += 1;
      message = messages[place];
    }
    return value;
  }

  /** Returns the kept value of messages with which a conversation begins. */
  #beginning(
    first: AgentMessage,
    messages: readonly AgentMessage[],
    key: string,
  ): Folded<Value> | undefined {
    const known = this.#known.get(first);
    if (known === undefined || known.key !== key) return undefined;
    for (let place = 0; place < known.messages.length; place += 1) {
      if (known.messages[place] !== messages[place]) return undefined;
    }
    return known;
  }
}
