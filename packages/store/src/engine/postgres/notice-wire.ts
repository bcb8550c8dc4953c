import { Client, type ClientConfig, escapeIdentifier, escapeLiteral } from "pg";
import type { NoticeWire } from "../../database/notice-reader.js";

const RETRY_MS = 1000;

/**
 * Announcements by LISTEN and NOTIFY. A NOTIFY is a separate statement, because a transaction with one takes a lock of
 * the whole server at its commit.
 */
export class PostgresNoticeWire implements NoticeWire {
  readonly #config: ClientConfig;
  readonly #channel: string;
  readonly #run: (sql: string) => Promise<unknown>;
  #client: Client | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isOpen = true;
  #told: Promise<unknown> = Promise.resolve();

  /**
   * @param config - connection settings
   * @param channel - channel of the schema
   * @param run - runs a statement on a connection of the pool
   */
  constructor(config: ClientConfig, channel: string, run: (sql: string) => Promise<unknown>) {
    this.#config = config;
    this.#channel = channel;
    this.#run = run;
  }

  async announce(): Promise<void> {
    // Readers that do not hear of it look each second.
    await this.#run(`notify ${escapeIdentifier(this.#channel)}`).catch(() => undefined);
  }

  async tell(text: string): Promise<void> {
    const statement = `notify ${escapeIdentifier(this.#channel)}, ${escapeLiteral(text)}`;
    // One after another, because the connections of the pool do not keep an order.
    this.#told = this.#told.then(() => this.#run(statement)).catch(() => undefined);
    await this.#told;
  }

  async hear(heard: (text: string) => void): Promise<void> {
    if (!this.#isOpen) return;
    const client = new Client(this.#config);
    // The `end` event reports the same loss.
    client.on("error", () => {});
    client.on("end", () => {
      if (!this.#isOpen) return;
      this.#retry = setTimeout(() => {
        heard("");
        void this.hear(heard);
      }, RETRY_MS);
    });
    client.on("notification", ({ payload = "" }) => heard(payload));
    try {
      await client.connect();
      await client.query(`listen ${escapeIdentifier(this.#channel)}`);
      this.#client = client;
    } catch {
      // A connection that failed emits `end` too, which tries again.
      void client.end().catch(() => undefined);
    }
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    clearTimeout(this.#retry);
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }
}
