import { AsyncLocalStorage } from "node:async_hooks";
import { channel as channelOf, tracingChannel } from "node:diagnostics_channel";
import {
  type Context,
  createContextKey,
  ROOT_CONTEXT,
  type Span,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { ATTRIBUTE } from "./attributes.js";
import { attributesOf, type ChannelMessage, type SpanDefinition } from "./span-kinds.js";
import { formatTraceparent, parseTraceparent } from "./traceparent.js";

const IS_MODEL_CALL = createContextKey("openclaw model call");

/** Channels whose messages are published at the start only, without work that runs inside. */
const WITHOUT_WORK: ReadonlySet<string> = new Set(["openclaw:hook", "openclaw:approval"]);

/**
 * Records the tracing channels of the host as spans. The span of the work that contains it is the parent; a request
 * of a client with a `traceparent` continues the client's trace, and requests to models carry it on.
 */
export class SpanRecorder {
  readonly #tracer: Tracer;
  readonly #active = new AsyncLocalStorage<Context>();
  /** Open spans by message. */
  readonly #spans = new WeakMap<object, Span>();
  /** Open spans of approvals, whose end has another message. */
  readonly #approvals = new Map<string, Span>();
  readonly #stops: (() => void)[] = [];

  /**
   * Starts recording.
   * @param tracer - creates the spans
   * @param definitions - channels to record
   */
  constructor(tracer: Tracer, definitions: readonly SpanDefinition[]) {
    this.#tracer = tracer;
    for (const definition of definitions) this.#record(definition);
    this.#continueRequests();
    this.#propagateToModels();
  }

  /** Stops recording, and ends the open spans of approvals. */
  close(): void {
    for (const stop of this.#stops.splice(0)) stop();
    for (const span of this.#approvals.values()) span.end();
    this.#approvals.clear();
  }

  #record(definition: SpanDefinition): void {
    const channels = tracingChannel<Context, ChannelMessage>(definition.channel);
    const end = (message: unknown) => this.#end(definition, message);
    channels.asyncEnd.subscribe(end);
    this.#stops.push(() => void channels.asyncEnd.unsubscribe(end));
    if (WITHOUT_WORK.has(definition.channel)) {
      const start = (message: unknown) => void this.#start(definition, message);
      channels.start.subscribe(start);
      this.#stops.push(() => void channels.start.unsubscribe(start));
      return;
    }
    channels.start.bindStore(this.#active, (message) => this.#start(definition, message));
    this.#stops.push(() => void channels.start.unbindStore(this.#active));
  }

  #start(definition: SpanDefinition, message: unknown): Context {
    const parent = this.#active.getStore() ?? ROOT_CONTEXT;
    if (!isMessage(message)) return parent;
    const { kind } = definition;
    const attributes = attributesOf(definition, message);
    const span = this.#tracer.startSpan(definition.name(message), { kind, attributes }, parent);
    this.#spans.set(message, span);
    const { approvalId } = message;
    if (typeof approvalId === "string") this.#approvals.set(approvalId, span);
    const isModelCall = definition.channel === "openclaw:llm";
    return trace.setSpan(parent, span).setValue(IS_MODEL_CALL, isModelCall);
  }

  #end(definition: SpanDefinition, message: unknown): void {
    if (!isMessage(message)) return;
    const span = this.#spans.get(message) ?? this.#takeApproval(message);
    if (span === undefined) return;
    span.setAttributes(attributesOf(definition, message));
    const { errorCode } = message;
    if (typeof errorCode === "string") {
      span.setAttribute(ATTRIBUTE.errorType, errorCode);
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    span.end();
  }

  #takeApproval({ approvalId }: ChannelMessage): Span | undefined {
    if (typeof approvalId !== "string") return undefined;
    const span = this.#approvals.get(approvalId);
    this.#approvals.delete(approvalId);
    return span;
  }

  /** A request without the header must not inherit the trace of an earlier one on its connection. */
  #continueRequests(): void {
    const requests = channelOf("http.server.request.start");
    const start = (message: unknown) => {
      const header = headersOf(message).traceparent;
      const remote = typeof header === "string" ? parseTraceparent(header) : undefined;
      this.#active.enterWith(
        remote === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, remote),
      );
    };
    requests.subscribe(start);
    this.#stops.push(() => void requests.unsubscribe(start));
  }

  #propagateToModels(): void {
    const requests = channelOf("undici:request:create");
    const create = (message: unknown) => {
      const context = this.#active.getStore();
      if (context?.getValue(IS_MODEL_CALL) !== true) return;
      const span = trace.getSpanContext(context);
      if (span !== undefined) addHeader(message, "traceparent", formatTraceparent(span));
    };
    requests.subscribe(create);
    this.#stops.push(() => void requests.unsubscribe(create));
  }
}

function isMessage(message: unknown): message is ChannelMessage {
  return typeof message === "object" && message !== null;
}

function headersOf(message: unknown): Readonly<Record<string, unknown>> {
  const request = isMessage(message) ? message.request : undefined;
  const headers = isMessage(request) ? request.headers : undefined;
  return isMessage(headers) ? headers : {};
}

function addHeader(message: unknown, name: string, value: string): void {
  const request = isMessage(message) ? message.request : undefined;
  if (!isMessage(request) || typeof request.addHeader !== "function") return;
  request.addHeader(name, value);
}
