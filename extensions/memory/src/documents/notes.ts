import type { Owner } from "../owner.js";
import { localTime } from "./day.js";
import type { Documents, WrittenDocument } from "./documents.js";
import { dailyPath, HEARTBEAT_FILE } from "./path.js";

/** Content of a new HEARTBEAT.md (MEM-003). */
export const HEARTBEAT_TEMPLATE = `# Heartbeat

<!-- Heartbeat turns check the open tasks of this list. Without an open task they do nothing. -->
`;

/** Notes with a special form: daily notes and the tasks of heartbeats. */
export class Notes {
  readonly #documents: Documents;
  readonly #now: () => number;
  readonly #timeZone: string | undefined;

  /**
   * @param documents - all documents
   * @param now - time in milliseconds since the epoch
   * @param timeZone - zone of dates and times
   */
  constructor(documents: Documents, now: () => number, timeZone: string | undefined) {
    this.#documents = documents;
    this.#now = now;
    this.#timeZone = timeZone;
  }

  /** Returns the date of today in the zone of the notes, in the form YYYY-MM-DD. */
  today(): string {
    return localTime(this.#now(), this.#timeZone).day;
  }

  /**
   * Appends an entry to the daily note of today (MEM-004).
   * @param owner - user and agent
   * @param text - the entry
   */
  async log(owner: Owner, text: string): Promise<WrittenDocument> {
    const { day, time } = localTime(this.#now(), this.#timeZone);
    const content = `[${time}] ${text.trim()}`;
    return await this.#documents.write(owner, { path: dailyPath(day), content, append: true });
  }

  /**
   * Creates HEARTBEAT.md from its template, unless it exists.
   * @param owner - user and agent
   */
  async openHeartbeat(owner: Owner): Promise<void> {
    const found = await this.#documents.find(owner, HEARTBEAT_FILE);
    if (found !== undefined) return;
    await this.#documents.write(owner, { path: HEARTBEAT_FILE, content: HEARTBEAT_TEMPLATE });
  }
}
