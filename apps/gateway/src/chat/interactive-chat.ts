import {
  type ConversationEvent,
  type ConversationPartner,
  type ExchangeResult,
  Exchanges,
  ReplyProgress,
  SessionJobs,
  ShownApprovals,
  UsageTotals,
} from "@openclaw/client/conversation";
import { errorMessage } from "@openclaw/foundation";
import { chatStatus } from "./chat-status.js";
import { withoutCommandContext } from "./input/command-context.js";
import type { InputHistory } from "./input/history.js";
import { initRequestOf } from "./input/init-request.js";
import { type Attachments, attachedText, InputImages } from "./input/input-images.js";
import { commandOf, PersonCommands } from "./input/person-commands.js";
import { suggestionsFor } from "./input/suggestions.js";
import { VisionOfModels } from "./input/vision.js";
import { KEYS_HELP } from "./keys.js";
import { showLastExchange } from "./last-exchange.js";
import { modelNote } from "./model-note.js";
import type { AttachedToDraft, ChatView } from "./view.js";

/** Options of an {@link InteractiveChat}. */
export interface InteractiveChatOptions {
  readonly partner: ConversationPartner;
  readonly view: ChatView;
  readonly history: InputHistory;
  /** Folder in which paths are completed. */
  readonly workspaceDir: string;
  /** Variables of commands of the user. */
  readonly environment: NodeJS.ProcessEnv;
  /** Lines that are shown first. */
  readonly greeting: readonly string[];
  /** Effect of leaving on the gateway, for example `the gateway stops too`. */
  readonly afterLeaving: string;
}

const HELP = /^\/(?:help|\?)$/i;
const LEAVING = /^\/(?:quit|exit)$/i;
/** A command is not a credential. */
const COMMAND = /^(?:\/|auth-cancel$)/i;
const HIDDEN = "(credential)";
/** Newest jobs among which those of the conversation are searched. */
const LISTED_JOBS = 200;
const NO_ATTACHMENTS: Attachments = { images: [], problems: [] };

/** Chat at an interactive terminal: sends what the user submits at once, and shows turns, tools and approvals. */
export class InteractiveChat {
  readonly #options: InteractiveChatOptions;
  readonly #exchanges: Exchanges;
  readonly #approvals: ShownApprovals;
  readonly #usage = new UsageTotals();
  readonly #jobs = new SessionJobs();
  readonly #commands: PersonCommands;
  readonly #images: InputImages;
  readonly #vision: VisionOfModels;
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
    const { partner, view, workspaceDir, environment } = options;
    const changed = () => this.#show();
    const { sessionKey, remoteUrl } = partner;
    this.#approvals = new ShownApprovals({
      partner,
      view: {
        note: view.note.bind(view),
        approval: (approval, decide) =>
          view.approval({ approval, sessionKey, workspaceDir }, decide),
      },
      changed,
    });
    this.#images = new InputImages(workspaceDir);
    this.#vision = new VisionOfModels(partner, changed);
    const show = view.command.bind(view);
    this.#exchanges = new Exchanges({
      ...{ partner, view, changed },
      queueMode: () => this.#queueMode,
      received: (event) => {
        if (event.type === "started") this.#model = event.model;
        if (event.type === "context-used") this.#usage.use(event);
        return modelNote(event);
      },
      answered: ({ text }, result) => this.#answered(text.trim(), result),
      takenBack: ({ context }) => this.#commands.restoreContext(context),
    });
    this.#commands = new PersonCommands({ workspaceDir, environment, remoteUrl, show });
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
      posted: (text) => {
        this.#isUnused = false;
        new ReplyProgress(view.reply()).finish(text);
        this.#show();
      },
      credential: (request) => {
        this.#awaitsCredential = request !== undefined;
        if (request !== undefined) view.note(request, "info");
      },
      note: (line) => view.note(line, "info"),
      job: (job) => {
        this.#jobs.changed(job);
        this.#show();
      },
      connected: (isConnected) => {
        this.#isConnected = isConnected;
        if (isConnected) void this.#readJobs();
        this.#show();
      },
    });
    const onAbort = () => this.#leave();
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    view.start({
      submit: (text) => this.#submit(text),
      interrupt: (key) => this.#interrupt(key),
      otherKey: () => {
        this.#approvals.keyPressed();
        this.#stay();
      },
      suggest: (word, isForced, line) => suggestionsFor(word, isForced, this.#options, line),
      inputs: () => history.entries,
      paste: (text) => this.#paste(text),
      attached: (draft) => this.#attached(draft),
    });
    for (const line of greeting) view.note(line, "info");
    this.#show();
    void this.#readSession();
    void this.#readJobs();
    // Without a connection, or in a new conversation, there is nothing to show.
    showLastExchange(partner, view, () => this.#isUnused).catch(() => undefined);
    try {
      await this.#left;
    } finally {
      this.#approvals.end();
      this.#commands.end();
      signal.removeEventListener("abort", onAbort);
      this.#exchanges.interruptAll();
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

  /** Jobs that began before this chat, or changed without a connection. */
  async #readJobs(): Promise<void> {
    const { partner } = this.#options;
    try {
      const { jobs } = await partner.call("jobs.list", { limit: LISTED_JOBS });
      const own = jobs.filter(({ askedIn }) => askedIn === partner.sessionKey);
      for (const job of own) this.#jobs.changed(job);
      await this.#approvals.showPending(new Set(own.map(({ jobId }) => jobId)));
    } catch {
      // Without a connection there is nothing to show; each change is shown when it comes.
    }
    this.#show();
  }

  #submit(text: string): void {
    const { history } = this.#options;
    this.#isUnused = false;
    const isCredential = this.#awaitsCredential && !COMMAND.test(text.trim());
    if (!isCredential) history.add(this.#images.withPaths(text));
    if (LEAVING.test(text.trim())) {
      this.#leave();
      return;
    }
    const command = isCredential ? undefined : commandOf(text);
    if (command !== undefined) {
      this.#runCommand(command);
      return;
    }
    const isDuringTurn = this.#exchanges.count > 0 || this.#foreignTurns > 0;
    const shown = isCredential ? HIDDEN : text;
    // An answer to a request or a command of the host is no message for the model.
    const isForModel = !isCredential && !COMMAND.test(text.trim()) && this.#approvals.count === 0;
    const context = isForModel ? this.#commands.takeContext() : "";
    const request = isCredential ? undefined : initRequestOf(text);
    const { images } = isCredential ? NO_ATTACHMENTS : this.#attachments(text);
    const attached = images.length === 0 ? undefined : attachedText(images);
    const sent = { text: request ?? text, shown, context, isDuringTurn };
    this.#exchanges.send({ ...sent, images, attached });
  }

  #paste(pasted: string): string {
    const { text, problem } = this.#images.paste(pasted);
    if (problem !== undefined) this.#options.view.note(problem, "info");
    return text;
  }

  /** Commands and credentials attach nothing. */
  #attachments(draft: string): Attachments {
    return /^\s*[/!]/.test(draft) || this.#awaitsCredential
      ? NO_ATTACHMENTS
      : this.#images.of(draft);
  }

  #attached(draft: string): AttachedToDraft {
    const { images, problems } = this.#attachments(draft);
    if (images.length === 0) return { images: undefined, warnings: problems };
    const blind = this.#vision.warningFor(this.#model);
    const warnings = blind === undefined ? problems : [...problems, blind];
    return { images: attachedText(images), warnings };
  }

  /** Runs a command of the user while the conversation continues; one at a time, as in a shell. */
  #runCommand(command: string): void {
    const { view } = this.#options;
    if (this.#commands.isRunning) {
      view.note("Another command is still running; Ctrl-C ends it.", "info");
      view.restoreDraft(`!${command}`);
      return;
    }
    void this.#commands.run(command).then(() => this.#show());
    this.#show();
  }

  #answered(text: string, result: ExchangeResult): void {
    if (!result.ok) return;
    if (HELP.test(text)) for (const line of KEYS_HELP) this.#options.view.note(line, "info");
    this.#usage.add(result.usage);
    // A command can change the model.
    if (text.startsWith("/")) void this.#readSession();
  }

  #foreignTurn(text: string | undefined) {
    const { view } = this.#options;
    this.#isUnused = false;
    view.message(withoutCommandContext(text ?? "(another client)"), "elsewhere");
    const progress = new ReplyProgress(view.reply());
    this.#foreignTurns += 1;
    this.#show();
    return {
      show: (event: ConversationEvent) => {
        if (event.type === "context-used") this.#usage.use(event);
        progress.show(event);
        this.#show();
      },
      finish: (result: Awaited<ReturnType<ConversationPartner["send"]>>) => {
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
    const { running } = this.#exchanges;
    const isForeign = this.#foreignTurns > 0 && running?.hasStarted !== true;
    if (key === "ctrl-c" && view.draft !== "") {
      view.clearDraft();
      this.#stay();
    } else if (key === "ctrl-c" && this.#commands.interrupt()) {
      this.#stay();
    } else if (key === "ctrl-c" && isForeign) {
      this.#approvals.interrupted();
      this.#abortTurn();
    } else if (key === "ctrl-c" && running !== undefined) {
      this.#approvals.interrupted();
      running.interrupt();
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

  #show(): void {
    const { view, partner, afterLeaving } = this.#options;
    view.pending(this.#exchanges.pending);
    const session = partner.sessionKey.split(":").slice(2).join(":");
    view.status(
      chatStatus({
        isConnected: this.#isConnected,
        approvals: this.#approvals.count,
        isCommandRunning: this.#commands.isRunning,
        isBusy: this.#exchanges.count > 0 || this.#foreignTurns > 0,
        since: this.#exchanges.since,
        asksToLeave: this.#asksToLeave,
        afterLeaving,
        context: this.#usage.context,
        jobs: this.#jobs.lines(),
        facts: [...(this.#model === "" ? [] : [this.#model]), ...this.#usage.facts(), session],
      }),
    );
  }
}
