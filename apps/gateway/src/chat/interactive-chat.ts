import { errorMessage } from "@openclaw/foundation";
import { DEMO_LABEL, isDemoModel } from "./demo-label.js";
import type { InputHistory } from "./input-history.js";
import { showLastExchange } from "./last-exchange.js";
import { modelNote } from "./model-note.js";
import type { ChatPartner } from "./partner.js";
import { ReplyProgress } from "./reply-progress.js";
import { ShownApprovals } from "./shown-approvals.js";
import { suggestionsFor } from "./suggestions.js";
import { ChatUsageTotals } from "./usage-totals.js";
import type { ChatView, PendingMessage, PendingState } from "./view.js";

/** Message of this chat and its answer. */
interface Exchange {
  readonly text: string;
  /** Text on the screen; a credential is hidden. */
  readonly shown: string;
  readonly abort: AbortController;
  /** True for a message that was sent during a turn; the queue mode decides about it, which may be known later. */
  readonly isDuringTurn: boolean;
  /** Start of its turn, in milliseconds since the epoch. */
  startedAt?: number;
  progress?: ReplyProgress;
  /** True when the message is in the conversation. */
  isShown?: boolean;
}

/** Options of an {@link InteractiveChat}. */
export interface InteractiveChatOptions {
  readonly partner: ChatPartner;
  readonly view: ChatView;
  readonly history: InputHistory;
  /** Folder in which paths are completed. */
  readonly workspaceDir: string;
  /** Lines that are shown first. */
  readonly greeting: readonly string[];
  /** Effect of leaving on the gateway, for example `the gateway stops too`. */
  readonly afterLeaving: string;
}

/** State of a message that arrives during a turn, by the queue mode of the session; others queue it. */
const PENDING_STATES: Readonly<Record<string, PendingState>> = {
  steer: "steering",
  interrupt: "interrupting",
};
const HELP = /^\/(?:help|\?)$/i;
/** Keys and commands of the chat itself; the list of commands comes from the gateway and is the same on every surface. */
const KEYS_HELP =
  "In this chat: /quit leaves it, Ctrl-C interrupts, Tab turns to an approval request, Ctrl-O expands tool calls, ↑ offers earlier inputs.";
const LEAVING = /^\/(?:quit|exit)$/i;
/** A command is not a credential. */
const COMMAND = /^(?:\/|auth-cancel$)/i;
const HIDDEN = "(credential)";

/** Chat at an interactive terminal: sends what the user submits at once, and shows turns, tools and approvals. */
export class InteractiveChat {
  readonly #options: InteractiveChatOptions;
  readonly #exchanges: Exchange[] = [];
  readonly #approvals: ShownApprovals;
  readonly #usage = new ChatUsageTotals();
  #leave: () => void = () => {};
  readonly #left = new Promise<void>((resolve) => {
    this.#leave = resolve;
  });
  #model = "";
  #queueMode = "queue";
  #isConnected = true;
  /** Key that leaves when it is pressed again. */
  #asksToLeave: "Ctrl-C" | "Ctrl-D" | undefined;
  /** True until something was sent in the conversation. */
  #isUnused = true;
  #foreignTurns = 0;
  #awaitsCredential = false;

  /** @param options - partner, view and history */
  constructor(options: InteractiveChatOptions) {
    this.#options = options;
    const { partner, view, workspaceDir } = options;
    const changed = () => this.#show();
    this.#approvals = new ShownApprovals({ partner, view, workspaceDir, changed });
  }

  /**
   * Chats until the user leaves, or the signal.
   * @param signal - ends the chat
   */
  async run(signal: AbortSignal): Promise<void> {
    const { partner, view, history, greeting } = this.#options;
    const attending = partner.attend?.((approval) => this.#approvals.show(approval));
    const observing = partner.observe?.({
      turn: (text) => this.#foreignTurn(text),
      credential: (request) => {
        this.#awaitsCredential = request !== undefined;
        if (request !== undefined) view.note(request, "info");
      },
      note: (line) => view.note(line, "info"),
      connected: (isConnected) => {
        this.#isConnected = isConnected;
        this.#show();
      },
    });
    const onAbort = () => this.#leave();
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    view.start(
      {
        submit: (text) => this.#submit(text),
        interrupt: (key) => this.#interrupt(key),
        otherKey: () => {
          this.#approvals.keyPressed();
          this.#stay();
        },
        suggest: (word, isForced) => suggestionsFor(word, isForced, this.#options),
      },
      history.entries,
    );
    for (const line of greeting) view.note(line, "info");
    this.#show();
    void this.#readSession();
    // Without a connection, or in a new conversation, there is nothing to show.
    showLastExchange(partner, view, () => this.#isUnused).catch(() => undefined);
    try {
      await this.#left;
    } finally {
      this.#approvals.end();
      signal.removeEventListener("abort", onAbort);
      for (const { abort } of this.#exchanges) abort.abort();
      observing?.end();
      attending?.end();
      view.stop(`Left the chat; ${this.#options.afterLeaving}.`);
    }
  }

  /** Model and queue mode are shown as soon as they are known; without them the chat works as well. */
  async #readSession(): Promise<void> {
    const { partner } = this.#options;
    const { sessionKey } = partner;
    try {
      const status = await partner.call("host.status", {});
      this.#model = status.model;
      this.#queueMode = status.queueMode;
      const row = await partner.call("sessions.get", { sessionKey });
      if (row.queueMode !== undefined) this.#queueMode = row.queueMode;
      if (row.model !== undefined) this.#model = row.model;
    } catch {
      // A new conversation has no settings yet.
    }
    this.#show();
  }

  #submit(text: string): void {
    const { history, view } = this.#options;
    this.#isUnused = false;
    const isCredential = this.#awaitsCredential && !COMMAND.test(text.trim());
    if (!isCredential) history.add(text);
    if (LEAVING.test(text.trim())) {
      this.#leave();
      return;
    }
    const isDuringTurn = this.#exchanges.length > 0 || this.#foreignTurns > 0;
    const shown = isCredential ? HIDDEN : text;
    const exchange: Exchange = { text, shown, abort: new AbortController(), isDuringTurn };
    this.#exchanges.push(exchange);
    this.#show();
    this.#exchange(exchange).catch((error: unknown) => {
      view.note(errorMessage(error), "error");
      this.#end(exchange);
    });
  }

  async #exchange(exchange: Exchange): Promise<void> {
    const { partner, view } = this.#options;
    const { abort, text } = exchange;
    let isAfterTool = false;
    const result = await partner.send(text, {
      signal: abort.signal,
      onEvent: (event) => {
        // Messages join a turn between its tool calls and the next answer of the model.
        if (isAfterTool && event.type !== "tool-finished") this.#showJoined();
        isAfterTool = event.type === "tool-finished";
        if (event.type === "started") {
          this.#model = event.model;
          this.#begin(exchange);
          if (isDemoModel(event.model)) view.note(DEMO_LABEL, "info");
        }
        this.#begin(exchange).show(event);
        const note = modelNote(event);
        if (note !== undefined) view.note(note, "info");
        this.#show();
      },
    });
    const isUnsent = !result.ok && result.isUnsent === true;
    // A message that was interrupted before its turn is taken back; a credential is not shown again.
    const isHidden = exchange.shown !== text;
    const isTakenBack =
      !result.ok && abort.signal.aborted && exchange.progress === undefined && !isHidden;
    if (isUnsent || isTakenBack) view.restoreDraft(text);
    // Its answer is that of the turn which it joined, and is shown there.
    const hasJoined =
      this.#pendingState(exchange) === "steering" && exchange.progress === undefined;
    if (result.ok && hasJoined) {
      this.#showMessage(exchange);
    } else if (result.ok) {
      this.#begin(exchange).finish(result.text);
      if (HELP.test(text.trim())) view.note(KEYS_HELP, "info");
      this.#usage.add(result.usage);
    } else if (!isTakenBack) {
      if (!isUnsent) this.#begin(exchange).finish("");
      const hint = isUnsent ? "; the message was not sent and is in the input again" : "";
      view.note(`${result.problem}${hint}`, abort.signal.aborted ? "info" : "error");
    }
    this.#end(exchange);
    // A command can change the model.
    if (text.trim().startsWith("/")) void this.#readSession();
  }

  /** Moves the messages that join the running turn into the conversation, above what the model answers next. */
  #showJoined(): void {
    for (const exchange of this.#exchanges) {
      const isPending = exchange.progress === undefined;
      if (isPending && this.#pendingState(exchange) === "steering") this.#showMessage(exchange);
    }
  }

  #showMessage(exchange: Exchange): void {
    if (exchange.isShown === true) return;
    exchange.isShown = true;
    this.#options.view.message(exchange.shown, "you");
  }

  /** Moves a message into the conversation when its turn begins. */
  #begin(exchange: Exchange): ReplyProgress {
    const { view } = this.#options;
    if (exchange.progress === undefined) {
      this.#showMessage(exchange);
      exchange.progress = new ReplyProgress(view.reply());
      exchange.startedAt = Date.now();
    }
    return exchange.progress;
  }

  #end(exchange: Exchange): void {
    const index = this.#exchanges.indexOf(exchange);
    if (index >= 0) this.#exchanges.splice(index, 1);
    this.#show();
  }

  #foreignTurn(text: string | undefined) {
    const { view } = this.#options;
    this.#isUnused = false;
    view.message(text ?? "(another client)", "elsewhere");
    const progress = new ReplyProgress(view.reply());
    this.#foreignTurns += 1;
    this.#show();
    return {
      show: (event: Parameters<ReplyProgress["show"]>[0]) => progress.show(event),
      finish: (result: Awaited<ReturnType<ChatPartner["send"]>>) => {
        progress.finish(result.ok ? result.text : "");
        if (!result.ok) view.note(result.problem, "info");
        this.#foreignTurns -= 1;
        this.#show();
      },
    };
  }

  /** Ctrl-C empties the input, then interrupts the turn, then asks, then leaves. */
  #interrupt(key: "ctrl-c" | "ctrl-d"): void {
    const { view } = this.#options;
    const running = this.#exchanges.find(({ abort }) => !abort.signal.aborted);
    const isForeign = this.#foreignTurns > 0 && running?.startedAt === undefined;
    if (key === "ctrl-c" && view.draft !== "") {
      view.clearDraft();
      this.#stay();
    } else if (key === "ctrl-c" && isForeign) {
      this.#approvals.interrupted();
      this.#abortTurn();
    } else if (key === "ctrl-c" && running !== undefined) {
      this.#approvals.interrupted();
      running.abort.abort();
    } else if (this.#asksToLeave !== undefined) {
      this.#leave();
    } else {
      this.#asksToLeave = key === "ctrl-c" ? "Ctrl-C" : "Ctrl-D";
    }
    this.#show();
  }

  /** Interrupts the turn of the session that another client started. */
  #abortTurn(): void {
    const { partner, view } = this.#options;
    const { sessionKey } = partner;
    partner.call("chat.abort", { sessionKey }).catch((error: unknown) => {
      view.note(errorMessage(error), "error");
    });
  }

  #stay(): void {
    if (this.#asksToLeave === undefined) return;
    this.#asksToLeave = undefined;
    this.#show();
  }

  #pendingState({ isDuringTurn }: Exchange): PendingState {
    return isDuringTurn ? (PENDING_STATES[this.#queueMode] ?? "queued") : "waiting";
  }

  #show(): void {
    const { view, partner, afterLeaving } = this.#options;
    const pending: PendingMessage[] = this.#exchanges
      .filter(({ progress, isShown }) => progress === undefined && isShown !== true)
      .map((exchange) => ({ text: exchange.shown, state: this.#pendingState(exchange) }));
    view.pending(pending);
    const running = this.#exchanges.find(({ startedAt }) => startedAt !== undefined);
    const isBusy = this.#exchanges.length > 0 || this.#foreignTurns > 0;
    const state = !this.#isConnected
      ? "connecting"
      : this.#approvals.count > 0
        ? "waiting for approval"
        : isBusy
          ? "working"
          : "ready";
    const hint = this.#asksToLeave
      ? `press ${this.#asksToLeave} again to leave; ${afterLeaving}`
      : isBusy
        ? "Ctrl-C interrupts"
        : "/help for commands";
    const session = partner.sessionKey.split(":").slice(2).join(":");
    const facts = [...(this.#model === "" ? [] : [this.#model]), ...this.#usage.facts(), session];
    view.status({ state, since: running?.startedAt, hint, facts });
  }
}
