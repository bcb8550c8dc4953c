import type { PluginDatabase } from "@openclaw/plugin-sdk/store";
import type { WriteBehind } from "../storage/write-behind.js";
import type { AuditFile } from "./audit-file.js";
import { appendEntries, pruneEntries, readEntries } from "./audit-store.js";
import { type AuditEntry, type AuditEvent, contentDigest } from "./entry.js";

/** Events that wait at most; more are dropped and counted, so that a full disk does not fill the memory. */
const MOST_WAITING = 10_000;
/** Time between two attempts while the database cannot be written, in milliseconds. */
const RETRY_MS = 1000;

/** Observed event and its content, of which only a digest is stored. */
export interface ObservedEvent {
  readonly event: Omit<AuditEvent, "digest">;
  /** Any JSON value; absent for an event without content. */
  readonly content?: unknown;
}

/** Dependencies of {@link AuditWriter}. */
export interface AuditWriterDependencies {
  readonly database: () => Promise<PluginDatabase>;
  readonly writeBehind: WriteBehind;
  readonly file: AuditFile | undefined;
  /** Returns the key of the digests. */
  digestKey(): Promise<Uint8Array>;
  /** Time in milliseconds after which entries are deleted from the database; kept without limit when absent. */
  readonly keepMs: number | undefined;
  readonly now: () => number;
  /**
   * Called once when a place cannot be written, and once when it can be again.
   * @param place - database or file
   * @param error - reason; undefined when it can be written again
   */
  onPlaceChange(place: string, error: unknown): void;
  /** @param count - number of events that were dropped */
  onDropped(count: number): void;
}

/** Appends events to the audit log in the background, in order. */
export class AuditWriter {
  readonly #dependencies: AuditWriterDependencies;
  readonly #broken = new Set<string>();
  #waiting: ObservedEvent[] = [];
  #retry: NodeJS.Timeout | undefined;
  #prunedAt = 0;
  /** Number of the newest entry in the file; unknown before its first write. */
  #inFile: number | undefined;

  /** @param dependencies - database, file and clock */
  constructor(dependencies: AuditWriterDependencies) {
    this.#dependencies = dependencies;
  }

  /** @param observed - event and content */
  add(observed: ObservedEvent): void {
    if (this.#waiting.length >= MOST_WAITING) {
      this.#dependencies.onDropped(1);
      return;
    }
    this.#waiting.push(observed);
    if (this.#retry === undefined) this.#schedule();
  }

  /** Tries to write what waits, and resolves when it is written or cannot be. */
  async flush(): Promise<void> {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.#schedule();
    await this.#dependencies.writeBehind.flush();
    clearTimeout(this.#retry);
    this.#retry = undefined;
  }

  #schedule(): void {
    this.#dependencies.writeBehind.schedule(this.#write);
  }

  readonly #write = async (): Promise<void> => {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        const database = await this.#dependencies.database();
        const key = await this.#dependencies.digestKey();
        const entries = await appendEntries(
          database,
          batch.map(({ event, content }) =>
            content === undefined ? event : { ...event, digest: contentDigest(content, key) },
          ),
        );
        this.#report("the database", undefined);
        await this.#writeFile(database, entries);
        await this.#prune(database);
      } catch (error) {
        this.#waiting = [...batch, ...this.#waiting];
        this.#report("the database", error);
        this.#retry = setTimeout(() => {
          this.#retry = undefined;
          this.#schedule();
        }, RETRY_MS).unref();
        return;
      }
    }
  };

  /** Appends what the file does not have yet: also entries of a time when it could not be written. */
  async #writeFile(database: PluginDatabase, entries: readonly AuditEntry[]): Promise<void> {
    const { file } = this.#dependencies;
    const [first] = entries;
    if (file === undefined || first === undefined) return;
    try {
      this.#inFile ??= await file.repair();
      const missing: AuditEntry[] = [];
      if (this.#inFile > 0 && this.#inFile < first.seq - 1) {
        for await (const entry of readEntries(database, this.#inFile + 1)) {
          if (entry.seq < first.seq) missing.push(entry);
        }
      }
      await file.append([...missing, ...entries]);
      this.#inFile = entries.at(-1)?.seq;
      this.#report(file.path, undefined);
    } catch (error) {
      this.#inFile = undefined;
      this.#report(file.path, error);
    }
  }

  async #prune(database: PluginDatabase): Promise<void> {
    const { keepMs, now } = this.#dependencies;
    const time = now();
    if (keepMs === undefined || time - this.#prunedAt < 3_600_000) return;
    this.#prunedAt = time;
    await pruneEntries(database, time - keepMs);
  }

  #report(place: string, error: unknown): void {
    const isBroken = error !== undefined;
    if (isBroken === this.#broken.has(place)) return;
    if (isBroken) this.#broken.add(place);
    else this.#broken.delete(place);
    this.#dependencies.onPlaceChange(place, error);
  }
}
