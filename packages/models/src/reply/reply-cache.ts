import { type Clock, sha256, systemClock } from "@openclaw/foundation";
import type { ModelEvent } from "../request/event.js";
import type { ModelRequest } from "../request/request.js";
import { callOptions } from "../request/stream-model.js";

/** Settings of a {@link ReplyCache}, `models.cache`. */
export interface ReplyCacheSettings {
  /** Age in milliseconds at which a reply is dropped. */
  readonly ttlMs: number;
  /** Maximum number of replies. */
  readonly maxEntries: number;
}

/** Usage of a cached reply; it costs nothing. */
const NO_TOKENS = { input: 0, output: 0, total: 0 };

/** Maximum number of characters of one reply, and of all of them together. */
const MOST_OF_REPLY = 1_000_000;
const MOST_IN_ALL = 32_000_000;

interface Entry {
  readonly events: readonly ModelEvent[];
  readonly characters: number;
  /** Monotonic time at which it is dropped. */
  readonly endsAt: number;
}

/**
 * Complete replies to requests without tools, by the hash of model, messages and settings (LLM-033). The reply that was
 * used least recently is dropped first.
 */
export class ReplyCache {
  readonly #settings: ReplyCacheSettings;
  readonly #clock: Pick<Clock, "now">;
  readonly #entries = new Map<string, Entry>();
  #characters = 0;

  /**
   * @param settings - age and number of replies
   * @param clock - monotonic clock
   */
  constructor(settings: ReplyCacheSettings, clock: Pick<Clock, "now"> = systemClock) {
    this.#settings = settings;
    this.#clock = clock;
  }

  /** Number of replies. */
  get size(): number {
    return this.#entries.size;
  }

  /**
   * Yields the cached reply to a request, or else the events of the model, which are kept when they form a complete reply.
   * @param ref - `provider/model`
   * @param ask - sends the request
   */
  async *events(
    ref: string,
    request: ModelRequest,
    ask: () => AsyncIterable<ModelEvent>,
  ): AsyncGenerator<ModelEvent, void, undefined> {
    if (request.tools.length > 0) return yield* ask();
    // A reply to one run is the reply to another one.
    const { runId: _, ...withoutRun } = request;
    const slash = ref.indexOf("/");
    const model = { provider: ref.slice(0, slash), modelId: ref.slice(slash + 1) };
    const key = sha256(JSON.stringify([ref, callOptions(model, withoutRun)]));
    const known = this.#take(key);
    if (known !== undefined) return yield* known.events;
    const events: ModelEvent[] = [];
    let characters = 0;
    for await (const event of ask()) {
      if (event.type === "text" || event.type === "thinking") characters += event.delta.length;
      // The calls of a model that was offered no tools are answered with an error.
      if (event.type === "tool-call") characters = Number.POSITIVE_INFINITY;
      if (characters <= MOST_OF_REPLY) events.push(event);
      if (event.type === "finish" && event.stopReason === "stop" && characters <= MOST_OF_REPLY) {
        this.#add(key, events, characters);
      }
      yield event;
    }
  }

  #take(key: string): Entry | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#delete(key, entry);
    if (entry.endsAt <= this.#clock.now()) return undefined;
    // The last one of the map was used most recently.
    this.#entries.set(key, entry);
    this.#characters += entry.characters;
    return entry;
  }

  #add(key: string, events: readonly ModelEvent[], characters: number): void {
    const earlier = this.#entries.get(key);
    if (earlier !== undefined) this.#delete(key, earlier);
    const { ttlMs, maxEntries } = this.#settings;
    const cached = events.map((event) =>
      event.type === "finish" ? { ...event, usage: NO_TOKENS, isCached: true as const } : event,
    );
    this.#entries.set(key, { events: cached, characters, endsAt: this.#clock.now() + ttlMs });
    this.#characters += characters;
    for (const [oldest, entry] of this.#entries) {
      if (this.#entries.size <= maxEntries && this.#characters <= MOST_IN_ALL) return;
      this.#delete(oldest, entry);
    }
  }

  #delete(key: string, entry: Entry): void {
    this.#entries.delete(key);
    this.#characters -= entry.characters;
  }
}
