import type { IncomingMessage } from "@openclaw/plugin-sdk/channel-core";

/** Maximum number of messages that wait for the host; a platform must send further ones again. */
const MAXIMUM_WAITING = 1000;

interface Waiting {
  readonly message: IncomingMessage;
  resolve(): void;
  reject(error: Error): void;
}

/** Messages of one account on the way to the host, in order. */
export class Inbox {
  readonly #waiting: Waiting[] = [];
  #wake: () => void = () => undefined;
  #ending: { readonly error: Error | undefined } | undefined;

  /**
   * Adds a message.
   * @param message - message of the platform
   * @returns promise that resolves once the host has stored the message or does not accept it, and rejects when the
   * platform must send it again
   */
  add(message: IncomingMessage): Promise<void> {
    if (this.#ending !== undefined) return Promise.reject(new Error("the channel stopped"));
    if (this.#waiting.length >= MAXIMUM_WAITING) {
      return Promise.reject(new Error(`${MAXIMUM_WAITING} messages wait for the host`));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ message, resolve, reject });
      this.#wake();
    });
  }

  /**
   * Ends the stream.
   * @param error - error with which it ends; none when absent
   */
  end(error?: Error): void {
    this.#ending ??= { error };
    this.#wake();
  }

  /** Yields the messages, until `end`. Messages that the host did not store are rejected then. */
  async *messages(): AsyncGenerator<IncomingMessage> {
    try {
      while (this.#ending === undefined) {
        const [next] = this.#waiting;
        if (next === undefined) {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
          continue;
        }
        yield { ...next.message, acknowledge: next.resolve };
        // The host asks for the next message after it is finished with this one.
        next.resolve();
        this.#waiting.shift();
      }
      if (this.#ending.error !== undefined) throw this.#ending.error;
    } finally {
      this.end();
      for (const { reject } of this.#waiting.splice(0)) reject(new Error("the channel stopped"));
    }
  }
}
