import { randomUUID } from "node:crypto";
import { defined, jsonCopy, systemClock, type Timers } from "@openclaw/foundation";
import { ModelAbortedError, type ModelEvent, type ModelRequest } from "@openclaw/models";
import type {
  AgentHarnessAnswer,
  AgentHarnessAttempt,
  AgentHarnessStopDecision,
} from "@openclaw/plugin-sdk/plugin-entry";
import {
  type AgentMessage,
  messageText,
  type ToolResult,
  type ToolResultMessage,
  type Usage,
} from "@openclaw/plugin-sdk/tools";
import { AgentHarnessFailedError, AgentHarnessTimeoutError } from "../errors.js";
import type { HarnessTurn, SelectedHarness } from "./harness.js";
import { HarnessText } from "./reply-text.js";
import { type HarnessReply, readHarnessReply, readUsage } from "./result.js";

/** Time of a harness to finish after its answer is final, in milliseconds. */
const FAREWELL_MS = 30_000;

/** Usage of a part of an attempt that ends with calls: the harness reports the whole at the end. */
const REPORTED_LATER: Usage = { input: 0, output: 0 };

interface Call {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly params: unknown;
}

interface Waiting<Value> {
  resolve(value: Value): void;
  reject(error: unknown): void;
}

type End =
  | { readonly kind: "answered"; readonly reply: HarnessReply }
  | { readonly kind: "failed"; readonly error: unknown };

/**
 * A running attempt of a harness in the form of a model's replies: it continues over several requests of the turn. A
 * request ends when the harness calls tools of the host, asks about its stop or is done; the next one delivers the
 * results or the decision.
 */
export class HarnessAttempt {
  readonly #turn: HarnessTurn;
  readonly #timers: Timers;
  readonly #stop = new AbortController();
  readonly #text = new HarnessText();
  /** IDs of calls in the conversation and of the attempt. */
  readonly #callIds: Set<string>;
  readonly #events: ModelEvent[] = [];
  /** Calls that the host has not received yet. */
  readonly #newCalls: Call[] = [];
  readonly #results = new Map<string, Waiting<ToolResult>>();
  #asked: (Waiting<AgentHarnessStopDecision> & { readonly answer: AgentHarnessAnswer }) | undefined;
  #end: End | undefined;
  #hasStarted = false;
  /** True when its end was delivered. */
  #isOver = false;
  #wake: (() => void) | undefined;
  #farewell: NodeJS.Timeout | undefined;

  /**
   * @param turn - the turn and its harness
   * @param request - first request
   */
  constructor(turn: HarnessTurn, { messages }: Pick<ModelRequest, "messages">) {
    this.#turn = turn;
    this.#timers = turn.timers ?? systemClock;
    this.#callIds = new Set(messages.flatMap(callIdsOf));
  }

  /**
   * Returns true when the attempt is of this harness and waits for the next request.
   * @param selected - harness of the next request
   */
  awaits({ harness }: SelectedHarness): boolean {
    if (harness !== this.#turn.selected.harness || this.#stop.signal.aborted) return false;
    // A harness that did not wait for the decision about its answer cannot follow it.
    const hasLeft = this.#asked !== undefined && this.#end !== undefined;
    return this.#hasStarted && !this.#isOver && !hasLeft;
  }

  /**
   * Yields the events of one request.
   * @param request - conversation and tools
   * @param signal - aborts when the turn ends
   * @throws AgentHarnessFailedError when the harness fails
   * @throws AgentHarnessTimeoutError when it shows no sign of life
   * @throws ModelAbortedError when the turn ends
   */
  async *events(
    request: ModelRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ModelEvent, void, undefined> {
    this.#text.begin();
    const stop = () => this.#showLife();
    signal.addEventListener("abort", stop, { once: true });
    try {
      if (this.#hasStarted) this.#continue(request.messages);
      else this.#start(request);
      for (;;) {
        await this.#sign(signal);
        yield* this.#events.splice(0);
        if (this.#newCalls.length > 0) {
          // Calls that the harness makes together run together.
          await new Promise((resolve) => setImmediate(resolve));
          yield* this.#events.splice(0);
          for (const call of this.#newCalls.splice(0)) {
            const params = jsonCopy(call.params) ?? {};
            yield { type: "tool-call", call: { ...call, params } };
          }
          yield { type: "finish", stopReason: "tool-calls", usage: REPORTED_LATER };
          return;
        }
        if (this.#asked !== undefined) {
          const { text, usage } = this.#asked.answer;
          yield* this.#answer(text, readUsage(usage));
          return;
        }
        if (this.#end?.kind === "answered") {
          this.#isOver = true;
          const { text, texts, usage, isDelivered } = this.#end.reply;
          yield* this.#answer(text ?? this.#text.unsaid(texts), usage, isDelivered);
          return;
        }
        if (this.#end?.kind === "failed") throw this.#failure(this.#end.error);
      }
    } catch (error) {
      this.cancel(error);
      throw error;
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  /** Ends the attempt with its turn: a stopped harness may finish, any other is aborted. */
  finish(): void {
    const asked = this.#asked;
    const ended = new DOMException("the turn has ended", "AbortError");
    if (asked === undefined || this.#results.size > 0) {
      this.cancel(ended);
      return;
    }
    this.#asked = undefined;
    asked.resolve({ action: "finalize" });
    if (this.#end !== undefined) return;
    this.#farewell = setTimeout(() => this.cancel(ended), FAREWELL_MS);
    this.#farewell.unref();
  }

  /**
   * Aborts the attempt.
   * @param reason - reason that the harness receives
   */
  cancel(reason: unknown): void {
    if (this.#isOver || this.#stop.signal.aborted) return;
    this.#stop.abort(reason);
    for (const waiting of this.#results.values()) waiting.reject(reason);
    this.#results.clear();
    this.#newCalls.length = 0;
    this.#asked?.reject(reason);
    this.#asked = undefined;
  }

  #start({ messages, tools, system = "" }: ModelRequest): void {
    this.#hasStarted = true;
    const { selected, isRevision, timers: _timers, callPlugin, ...identity } = this.#turn;
    const at = messages.findLastIndex(({ role }) => role === "user");
    const message = messages[at];
    const attempt: AgentHarnessAttempt = {
      ...identity,
      systemPrompt: system,
      prompt: message === undefined ? "" : messageText(message),
      images: message?.content.filter((part) => part.type === "image") ?? [],
      messages: structuredClone(messages.slice(0, Math.max(0, at))),
      progress: structuredClone(messages.slice(at + 1)),
      tools: tools.map(({ name, description, parameters }) => ({
        name,
        description,
        parameters,
        execute: (toolCallId, params) => this.#call({ toolCallId, toolName: name, params }),
      })),
      stopHookActive: isRevision,
      timeoutMs: selected.timeoutMs,
      abortSignal: this.#stop.signal,
      onPartialReply: (part) => this.#show("text", this.#text.added("text", part)),
      onReasoningStream: (part) => this.#show("thinking", this.#text.added("thinking", part)),
      onAgentEvent: () => this.#showLife(),
      onStop: (answer) => this.#ask(answer),
    };
    const run = async () => {
      const result: unknown = await callPlugin(() => selected.harness.runAttempt(attempt));
      return readHarnessReply(result);
    };
    run().then(
      (reply) => this.#settle({ kind: "answered", reply }),
      (error: unknown) => this.#settle({ kind: "failed", error }),
    );
  }

  /** Delivers the results of calls, and the decision about an answer. */
  #continue(messages: readonly AgentMessage[]): void {
    const asked = this.#asked;
    if (asked !== undefined) {
      this.#asked = undefined;
      const last = messages.at(-1);
      asked.resolve({ action: "revise", instruction: last === undefined ? "" : messageText(last) });
      return;
    }
    const results = messages.filter(
      (message): message is ToolResultMessage =>
        message.role === "toolResult" && this.#results.has(message.toolCallId),
    );
    const lastCall = messages.findLastIndex(({ role }) => role === "toolResult");
    const said = messages.slice(lastCall + 1).filter(({ role }) => role === "user");
    for (const [index, { toolCallId, content, details, isError }] of results.entries()) {
      // What users wrote meanwhile reaches the harness with the last result (TURN-056).
      const isLast = index === results.length - 1;
      const notes = isLast ? said.map((message) => messageText(message)) : [];
      const added = notes.map((text) => ({
        type: "text" as const,
        text: `[New message of the user]\n${text}`,
      }));
      const result: ToolResult = { content: [...content, ...added] };
      if (details !== undefined) result.details = details;
      if (isError === true) result.isError = true;
      this.#results.get(toolCallId)?.resolve(result);
      this.#results.delete(toolCallId);
    }
    for (const waiting of this.#results.values()) {
      waiting.reject(new Error("a plugin removed the result of this call"));
    }
    this.#results.clear();
  }

  #call({ toolCallId: given, toolName, params }: Call): Promise<ToolResult> {
    const isFree = typeof given === "string" && given !== "" && !this.#callIds.has(given);
    const toolCallId = isFree ? given : randomUUID();
    this.#callIds.add(toolCallId);
    return this.#wait((waiting) => {
      this.#results.set(toolCallId, waiting);
      this.#newCalls.push({ toolCallId, toolName, params });
    });
  }

  #ask(answer: AgentHarnessAnswer): Promise<AgentHarnessStopDecision> {
    return this.#wait((waiting) => {
      this.#asked = { ...waiting, answer };
    });
  }

  /** Returns a promise that the next request settles; a harness that does not wait for it harms nothing. */
  #wait<Value>(add: (waiting: Waiting<Value>) => void): Promise<Value> {
    const promise = new Promise<Value>((resolve, reject) => {
      if (this.#stop.signal.aborted) reject(this.#stop.signal.reason);
      else add({ resolve, reject });
    });
    promise.catch(() => {});
    this.#showLife();
    return promise;
  }

  #show(type: "text" | "thinking", delta: string): void {
    if (delta !== "" && !this.#stop.signal.aborted) this.#events.push({ type, delta });
    this.#showLife();
  }

  #settle(end: End): void {
    clearTimeout(this.#farewell);
    this.#end = end;
    this.#showLife();
  }

  #showLife(): void {
    this.#wake?.();
  }

  /** Waits for a sign of life. */
  async #sign(signal: AbortSignal): Promise<void> {
    const { timeoutMs } = this.#turn.selected;
    const isSettled = () =>
      signal.aborted || this.#end !== undefined || this.#events.length > 0 || this.#hasQuestions();
    let isLate = false;
    if (!isSettled()) {
      await new Promise<void>((resolve) => {
        const timer = this.#timers.setTimeout(() => {
          isLate = true;
          resolve();
        }, timeoutMs);
        this.#wake = () => {
          this.#timers.clearTimeout(timer);
          resolve();
        };
      });
      this.#wake = undefined;
    }
    if (signal.aborted) throw new ModelAbortedError({ ...this.#failed(""), cause: signal.reason });
    if (isLate) {
      const { pluginId, harness } = this.#turn.selected;
      throw new AgentHarnessTimeoutError(this.#failed(""), {
        pluginId,
        harnessId: harness.id,
        timeoutMs,
      });
    }
  }

  #hasQuestions(): boolean {
    return this.#newCalls.length > 0 || this.#asked !== undefined;
  }

  /** Yields the end of an answer, whose text may differ from what was shown. */
  *#answer(
    text: string,
    usage: Usage,
    isDelivered = false,
  ): Generator<ModelEvent, void, undefined> {
    const { rest, whole } = this.#text.completed(text);
    if (rest !== "") yield { type: "text", delta: rest };
    const delivered = isDelivered || undefined;
    yield { type: "finish", stopReason: "stop", usage, ...defined({ text: whole, delivered }) };
  }

  #failure(error: unknown): AgentHarnessFailedError {
    const { pluginId, harness } = this.#turn.selected;
    return new AgentHarnessFailedError(this.#failed(""), {
      pluginId,
      harnessId: harness.id,
      error,
    });
  }

  #failed(detail: string) {
    const { provider, modelId: model } = this.#turn;
    return { provider, model, detail };
  }
}

function callIdsOf(message: AgentMessage): string[] {
  if (message.role !== "assistant") return [];
  return message.content.flatMap((part) => (part.type === "toolCall" ? [part.toolCallId] : []));
}
