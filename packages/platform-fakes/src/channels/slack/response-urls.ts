import { randomUUID } from "node:crypto";

// "up to 5 times within 30 minutes": https://docs.slack.dev/interactivity/handling-user-interaction#message_responses
const USES = 5;
const VALID_MS = 30 * 60_000;

/** URLs with which an app answers a press of a button or a slash command. */
export class SlackResponseUrls {
  readonly #open = new Map<
    string,
    { readonly channel: string; readonly at: number; uses: number }
  >();
  #now: () => number = Date.now;

  /**
   * Returns the path of a new URL.
   * @param channel - conversation of the interaction
   */
  create(channel: string): string {
    const id = randomUUID();
    this.#open.set(id, { channel, at: this.#now(), uses: 0 });
    return `/response/${id}`;
  }

  /**
   * Lets time pass for the URLs.
   * @param ms - milliseconds
   */
  advance(ms: number): void {
    const before = this.#now;
    this.#now = () => before() + ms;
  }

  /**
   * Uses a URL once.
   * @param id - its last part
   * @returns the conversation, or the code of the error
   */
  use(id: string): { readonly channel: string } | { readonly error: string } {
    const found = this.#open.get(id);
    if (found === undefined || this.#now() - found.at > VALID_MS) return { error: "expired_url" };
    if (found.uses >= USES) return { error: "used_url" };
    found.uses += 1;
    return { channel: found.channel };
  }
}
