import type { GatewayConnection } from "@openclaw/client";
import {
  type ConversationEvent,
  type ConversationPartner,
  conversationOver,
  type ExchangeResult,
  Exchanges,
  type Observation,
  type ObservedTurn,
  type PendingMessage,
  ReplyProgress,
} from "@openclaw/client/conversation";
import { signal } from "@preact/signals";
import { type Fault, faultOf } from "../../state/fault.js";
import { putIntoDraft } from "./composer/drafts.js";
import { ConversationLog } from "./log/conversation-log.js";
import type { Item } from "./log/item.js";
import { type History, isOpenRun } from "./log/stored-items.js";
import { text } from "./messages.js";
import { ModelActivity } from "./model-activity.js";
import { TurnMoves } from "./turn-moves.js";

/** Entries of the history that are read at a time. */
const PAGE = 100;
/** Largest page of the history. */
const LARGEST_PAGE = 200;
const HIDDEN = text.credential;

/** File of a message, in base64. */
export interface SentFile {
  readonly name: string;
  readonly data: string;
  readonly isImage: boolean;
  /** True for a recording, which a plugin of the gateway transcribes. */
  readonly isAudio: boolean;
}

/** Conversation of a session over one connection: what is stored, what streams, and what waits. */
export class Conversation {
  readonly sessionKey: string;
  readonly connection: GatewayConnection;
  readonly log = new ConversationLog();
  /** Messages of this page that wait for their turn. */
  readonly pending = signal<readonly PendingMessage[]>([]);
  /** Messages that wait in the gateway and were not sent by this page, or before it was loaded. */
  readonly queued = signal<readonly string[]>([]);
  readonly isBusy = signal(false);
  /** Request for a credential, which the next message answers. */
  readonly credential = signal<string | undefined>(undefined);
  readonly activity = new ModelActivity();
  /** True once the newest page was read. */
  readonly isRead = signal(false);
  readonly hasEarlier = signal(false);
  readonly fault = signal<Fault | undefined>(undefined);
  /** Undo, redo and compaction. */
  readonly moves: TurnMoves;

  readonly #partner: ConversationPartner;
  readonly #exchanges: Exchanges;
  readonly #observation: Observation | undefined;
  readonly #remove: () => void;
  /** Turns of other clients that stream, by ID. */
  readonly #foreign = new Set<string>();
  #queueMode = "queue";
  /** Turn of the event that is being shown. */
  #current: { readonly runId?: string; readonly messageId?: string | undefined } = {};
  /** Turn of this page that streams. */
  #own: string | undefined;
  #open = 0;
  #reads = 0;
  #isEnded = false;
  readonly #firstRead = Promise.withResolvers<void>();

  /** @param sessionKey - full key of the session */
  constructor(connection: GatewayConnection, sessionKey: string) {
    this.connection = connection;
    this.sessionKey = sessionKey;
    this.#partner = conversationOver(connection, { sessionKey });
    this.moves = new TurnMoves(this.#partner, sessionKey, this.fault);
    this.#exchanges = new Exchanges({
      partner: this.#partner,
      view: {
        message: (shown) => this.log.message(shown, false, this.#current),
        reply: () => this.log.reply(this.#current).view,
        note: (line, tone) => this.log.note(line, tone),
        restoreDraft: (draft) => putIntoDraft(sessionKey, draft),
      },
      queueMode: () => this.#queueMode,
      received: (event) => this.#received(event),
      answered: () => undefined,
      takenBack: () => undefined,
      changed: () => this.#changed(),
    });
    this.#observation = this.#partner.observe?.({
      turn: (shown, ids) => this.#foreignTurn(shown, ids),
      posted: (shown, ids) => {
        new ReplyProgress(this.log.reply(ids).view).finish(shown);
        void this.refresh();
      },
      credential: (request) => {
        this.credential.value = request;
        if (request !== undefined) this.log.note(request, "info");
      },
      // The status line of the page shows the connection.
      note: () => undefined,
    });
    const removes = [
      connection.on("resync", () => void this.refresh()),
      connection.on("sessions.changed", ({ payload: { sessionKey: key, change } }) => {
        if (key === sessionKey && change === "reset") void this.refresh();
      }),
    ];
    this.#remove = () => {
      for (const remove of removes) remove();
    };
    void this.#readSettings();
    void this.refresh();
  }

  /** True while something happens in it that this page shows. */
  get isInUse(): boolean {
    return this.#exchanges.count > 0;
  }

  /**
   * Sends a message.
   * @param files - files that the model reads with it
   */
  send(message: string, files: readonly SentFile[]): void {
    const isCredential = this.credential.value !== undefined && !message.startsWith("/");
    this.#exchanges.send({
      ...{ text: message, context: "", isDuringTurn: this.isBusy.value },
      shown: isCredential ? HIDDEN : message,
      images: isCredential ? [] : files.filter(({ isImage }) => isImage),
      files: isCredential ? [] : files.filter(({ isImage }) => !isImage),
      attached: files.length === 0 ? undefined : files.map(({ name }) => name).join(", "),
    });
  }

  /** Stops the turn that runs, and keeps what it has written. */
  stop(): void {
    const { running } = this.#exchanges;
    if (running !== undefined && (running.hasStarted || this.#foreign.size === 0)) {
      running.interrupt();
      return;
    }
    const { sessionKey } = this;
    this.#partner.call("chat.abort", { sessionKey }).catch((error: unknown) => {
      this.fault.value = faultOf(error);
    });
  }

  /**
   * Takes the last turn back, or brings it back.
   * @param method - direction
   * @returns lines about effects of tool calls that remain; undefined when there was nothing to move
   */
  async move(method: "sessions.undo" | "sessions.redo"): Promise<readonly string[] | undefined> {
    const effects = await this.moves.move(method);
    await this.refresh();
    return effects;
  }

  /** Reads the page before the first entry. */
  async readEarlier(): Promise<void> {
    const before = this.log.firstSeq;
    if (!this.hasEarlier.value || before === undefined) return;
    const page = await this.#history({ before, limit: LARGEST_PAGE });
    // Another read of the same page was quicker.
    if (page === undefined || this.log.firstSeq !== before) return;
    this.log.prepend(page);
    this.hasEarlier.value = page.hasMore;
  }

  /** Reads the whole conversation, for a search, an export or what it changed; waits for its newest page. */
  async readAll(): Promise<readonly Item[]> {
    await this.#firstRead.promise;
    while (this.hasEarlier.value) {
      const before = this.log.firstSeq;
      await this.readEarlier();
      if (this.log.firstSeq === before) break;
    }
    return this.log.items.value;
  }

  /** Reads the newest page again, which has what no event told. */
  async refresh(): Promise<void> {
    this.#reads += 1;
    const read = this.#reads;
    const history = await this.#history({ limit: PAGE });
    if (history === undefined || read !== this.#reads || this.#isEnded) return;
    const earlier = this.log.firstSeq;
    this.log.refresh(history, this.#openRuns());
    if (!this.isRead.value || this.log.firstSeq !== earlier) {
      this.hasEarlier.value = history.hasMore;
    }
    this.isRead.value = true;
    this.#firstRead.resolve();
    for (const run of history.runs.filter((each) => isOpenRun(each) && each.state !== "queued")) {
      if (run.runId !== this.#own && !this.#foreign.has(run.runId)) this.#observation?.join?.(run);
    }
    await Promise.all([this.#readQueue(history), this.moves.read()]);
  }

  /** Ends the observation; a turn of this page continues in the gateway. */
  end(): void {
    this.#isEnded = true;
    this.#firstRead.resolve();
    this.#observation?.end();
    this.#remove();
  }

  async #history(page: { readonly before?: number; readonly limit: number }) {
    const { sessionKey } = this;
    try {
      const history = await this.#partner.call("chat.history", { sessionKey, ...page });
      this.fault.value = undefined;
      return history;
    } catch (error) {
      // A lost connection is in the status line, and the next one reads it again.
      if (this.connection.state.status === "live") this.fault.value = faultOf(error);
      return undefined;
    }
  }

  async #readQueue({ runs }: History): Promise<void> {
    const { sessionKey } = this;
    if (!runs.some(({ state }) => state === "queued")) {
      this.queued.value = [];
      return;
    }
    try {
      const states = ["queued" as const];
      const listed = await this.#partner.call("runs.list", { sessionKey, states });
      this.queued.value = listed.runs.map((run) => run.text ?? "").reverse();
    } catch {
      this.queued.value = [];
    }
  }

  /** Reads model and queue mode, which a new conversation does not have. */
  async #readSettings(): Promise<void> {
    const { sessionKey } = this;
    const { model } = this.activity;
    const [status, row] = await Promise.allSettled([
      this.#partner.call("host.status", {}),
      this.#partner.call("sessions.get", { sessionKey }),
    ]);
    if (status.status === "fulfilled") {
      this.#queueMode = status.value.queueMode;
      model.value ??= status.value.model;
    }
    if (row.status === "fulfilled") {
      this.#queueMode = row.value.queueMode ?? this.#queueMode;
      model.value = row.value.model ?? model.value;
    }
  }

  #received(event: ConversationEvent): string | undefined {
    if (event.type === "started" || event.type === "found") {
      this.#own = event.runId;
      this.#current = { runId: event.runId, messageId: event.messageId };
    }
    return this.activity.received(event);
  }

  #foreignTurn(shown: string | undefined, ids: ObservedTurn) {
    if (shown !== undefined) this.log.message(shown, true, ids);
    const progress = new ReplyProgress(this.log.reply(ids).view);
    this.#foreign.add(ids.runId);
    this.#changed();
    return {
      show: (event: ConversationEvent) => {
        const note = this.activity.received(event);
        progress.show(event);
        if (note !== undefined) this.log.note(note, "info");
      },
      finish: (result: ExchangeResult) => {
        progress.finish(result.ok ? result.text : "");
        this.#foreign.delete(ids.runId);
        this.#changed();
        void this.refresh();
      },
    };
  }

  #openRuns(): ReadonlySet<string> {
    return new Set([...this.#foreign, ...(this.#own === undefined ? [] : [this.#own])]);
  }

  #changed(): void {
    const { count, pending, since } = this.#exchanges;
    this.pending.value = pending;
    this.isBusy.value = count > 0 || this.#foreign.size > 0;
    if (since === undefined) {
      this.#own = undefined;
      this.#current = {};
    }
    if (!this.isBusy.value) this.activity.ended();
    const isShorter = count < this.#open;
    this.#open = count;
    if (isShorter) void this.refresh();
  }
}
