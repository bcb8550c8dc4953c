import type { GatewayMethodParameters } from "@openclaw/protocol";
import type { CallProgress } from "./call-progress.js";
import type { GatewayPort, PortEvent } from "./gateway-port.js";
import { type ChatAnswer, readTurn, type SentMessage } from "./turn-state.js";

/** Message of a client, whose answer is awaited. */
export class ChatTurn {
  readonly #gateway: GatewayPort;
  readonly #progress: Pick<CallProgress, "enter" | "note">;
  /** Events that arrive before the message has an ID. */
  readonly #early: PortEvent[] = [];
  readonly #answer: Promise<ChatAnswer>;
  /** Message of the turn, once the turn has an ID. */
  readonly started: Promise<SentMessage>;
  #start: (sent: SentMessage) => void = () => undefined;
  #resolve: (answer: ChatAnswer) => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;
  #sent: SentMessage | undefined;
  #runId: string | undefined;

  /**
   * @param gateway - gateway of the client
   * @param progress - receives text and tool calls
   */
  constructor(gateway: GatewayPort, progress: Pick<CallProgress, "enter" | "note">) {
    this.#gateway = gateway;
    this.#progress = progress;
    this.#answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.started = new Promise((resolve) => {
      this.#start = resolve;
    });
    // The answer to a message that is not accepted has no receiver.
    this.#answer.catch(() => undefined);
  }

  /** ID of the turn, once it is known. */
  get runId(): string | undefined {
    return this.#runId;
  }

  /**
   * Sends the message, or finds the one that was sent with the same key, and waits for the answer.
   * @param parameters - parameters of `chat.send`
   * @param idempotencyKey - identifies repeats
   * @param signal - interrupts the turn
   * @throws OpenClawError when the message is not accepted
   */
  async run(
    parameters: GatewayMethodParameters<"chat.send">,
    idempotencyKey: string,
    signal: AbortSignal,
  ): Promise<ChatAnswer> {
    const stop = this.#gateway.listen((event) => this.#receive(event));
    const interrupt = () => {
      this.#interrupt().catch(this.#reject);
      this.#reject(signal.reason);
    };
    try {
      const sent = await this.#gateway.call("chat.send", parameters, { idempotencyKey });
      const { sessionKey, messageId } = sent;
      this.#sent = { sessionKey, messageId };
      if (sent.runId !== undefined) this.#begin(sent.runId);
      for (const event of this.#early.splice(0)) this.#receive(event);
      // A repeat may be answered already, and its events are over.
      await this.#look();
      signal.addEventListener("abort", interrupt, { once: true });
      if (signal.aborted) interrupt();
      return await this.#answer;
    } finally {
      signal.removeEventListener("abort", interrupt);
      stop();
    }
  }

  async #interrupt(): Promise<void> {
    if (this.#runId !== undefined) await this.#gateway.call("chat.abort", { runId: this.#runId });
  }

  async #look(): Promise<void> {
    if (this.#sent === undefined) return;
    const turn = await readTurn(this.#gateway, this.#sent);
    if (turn.state === "open") this.#begin(turn.runId);
    if (turn.state === "ended") this.#resolve(turn.answer);
  }

  #begin(runId: string): void {
    this.#runId ??= runId;
    if (this.#sent !== undefined) this.#start(this.#sent);
  }

  #receive(event: PortEvent | undefined): void {
    if (event === undefined) {
      // Events are missing; the store has the answer.
      this.#look().catch(this.#reject);
      return;
    }
    if (this.#sent === undefined) this.#early.push(event);
    else this.#handle(event, this.#sent);
  }

  #handle({ name, payload }: PortEvent, sent: SentMessage): void {
    const progress = this.#progress;
    const isMine = (id: string) => id === this.#runId;
    switch (name) {
      case "chat.started":
        if (payload.messageId === sent.messageId) this.#begin(payload.runId);
        break;
      case "chat.delta":
        if (isMine(payload.runId)) progress.note(payload.delta);
        break;
      case "chat.waiting":
        if (isMine(payload.runId)) progress.enter(`waiting for ${payload.model}`);
        break;
      case "chat.retry":
        if (isMine(payload.runId)) progress.enter(`${payload.errorCode}: trying again`);
        break;
      case "tool.started":
        if (isMine(payload.runId)) progress.enter(`${payload.toolName} is running`);
        break;
      case "chat.paused":
        if (isMine(payload.runId)) progress.enter("waiting for an approval");
        break;
      case "chat.final":
        if (payload.messageId !== sent.messageId) break;
        this.#resolve({ ...sent, status: payload.status, text: payload.text });
        break;
      case "chat.error": {
        if (payload.messageId !== sent.messageId) break;
        const { reason, message } = payload.error;
        this.#resolve({ ...sent, status: "failed", text: `${reason}: ${message}` });
        break;
      }
    }
  }
}
