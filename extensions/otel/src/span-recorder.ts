import { AsyncLocalStorage } from "node:async_hooks";
import { channel as channelOf, tracingChannel } from "node:diagnostics_channel";
import { ROOT_CONTEXT, type SpanContext, TraceFlags } from "@opentelemetry/api";
import {
  RandomIdGenerator,
  SamplingDecision,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace";
import type { ContentCapture } from "./content-capture.js";
import { RecordedSpan } from "./recorded-span.js";
import type { ChannelMessage, SpanDefinition } from "./span-kinds.js";
import type { SpanQueue } from "./span-queue.js";
import { formatTraceparent, parseTraceparent } from "./traceparent.js";

/** Channels whose messages are published at the start only, without work that runs inside. */
const WITHOUT_WORK: ReadonlySet<string> = new Set(["openclaw:hook", "openclaw:approval"]);

/** Span that contains the work that runs. */
interface Active {
  /** Undefined outside a trace. */
  readonly span: SpanContext | undefined;
  /** True during a model call, whose requests carry the trace on. */
  readonly isModelCall: boolean;
}

const OUTSIDE: Active = { span: undefined, isModelCall: false };

/** Settings of a {@link SpanRecorder}. */
export interface RecorderOptions {
  /** Channels to record. */
  readonly definitions: readonly SpanDefinition[];
  /** Share of the traces that are recorded, from 0 to 1; a trace of a client follows the client's decision. */
  readonly sampleRatio: number;
  /** Adds content to spans; none is recorded when absent. */
  readonly content?: ContentCapture | undefined;
}

/**
 * Records the tracing channels of the host as spans. The span of the work that contains it is the parent; a request
 * of a client with a `traceparent` continues the client's trace, and requests to models carry it on.
 */
export class SpanRecorder {
  readonly #queue: SpanQueue;
  readonly #content: ContentCapture | undefined;
  readonly #sampler: TraceIdRatioBasedSampler;
  readonly #ids = new RandomIdGenerator();
  readonly #active = new AsyncLocalStorage<Active>();
  /** Open spans by message. */
  readonly #spans = new WeakMap<object, RecordedSpan>();
  /** Open spans of approvals, whose end has another message. */
  readonly #approvals = new Map<string, RecordedSpan>();
  readonly #stops: (() => void)[] = [];

  /**
   * Starts recording.
   * @param queue - receives the spans at their end
   * @param options - channels, sampling and content
   */
  constructor(queue: SpanQueue, { definitions, sampleRatio, content }: RecorderOptions) {
    this.#queue = queue;
    this.#content = content;
    this.#sampler = new TraceIdRatioBasedSampler(sampleRatio);
    for (const definition of definitions) this.#record(definition);
    this.#continueRequests();
    this.#propagateToModels();
  }

  /** Stops recording, and ends the open spans of approvals. */
  close(): void {
    for (const stop of this.#stops.splice(0)) stop();
    for (const span of this.#approvals.values()) this.#finish(span);
    this.#approvals.clear();
  }

  #record(definition: SpanDefinition): void {
    const channels = tracingChannel<Active, ChannelMessage>(definition.channel);
    const end = (message: unknown) => this.#end(message);
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

  #start(definition: SpanDefinition, message: unknown): Active {
    const outer = this.#active.getStore() ?? OUTSIDE;
    if (!isMessage(message)) return outer;
    const context = this.#contextIn(outer.span);
    if (context.traceFlags === TraceFlags.SAMPLED && this.#queue.accepts()) {
      const span = new RecordedSpan(definition, message, context, outer.span);
      this.#spans.set(message, span);
      if (definition.channel === "openclaw:approval") {
        this.#approvals.set(String(message.approvalId), span);
      }
      this.#content?.started(span);
    }
    return { span: context, isModelCall: definition.channel === "openclaw:llm" };
  }

  #contextIn(parent: SpanContext | undefined): SpanContext {
    const spanId = this.#ids.generateSpanId();
    if (parent !== undefined) {
      return { traceId: parent.traceId, spanId, traceFlags: parent.traceFlags };
    }
    const traceId = this.#ids.generateTraceId();
    const { decision } = this.#sampler.shouldSample(ROOT_CONTEXT, traceId);
    const isSampled = decision === SamplingDecision.RECORD_AND_SAMPLED;
    return { traceId, spanId, traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE };
  }

  #end(message: unknown): void {
    if (!isMessage(message)) return;
    const span = this.#spans.get(message) ?? this.#takeApproval(message);
    if (span === undefined) return;
    if (span.message !== message) span.endMessage = message;
    this.#content?.ended(span);
    this.#finish(span);
  }

  #finish(span: RecordedSpan): void {
    span.endedAt = performance.now();
    this.#queue.add(span);
  }

  #takeApproval({ approvalId }: ChannelMessage): RecordedSpan | undefined {
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
      const span = typeof header === "string" ? parseTraceparent(header) : undefined;
      this.#active.enterWith(span === undefined ? OUTSIDE : { span, isModelCall: false });
    };
    requests.subscribe(start);
    this.#stops.push(() => void requests.unsubscribe(start));
  }

  #propagateToModels(): void {
    const requests = channelOf("undici:request:create");
    const create = (message: unknown) => {
      const { span, isModelCall } = this.#active.getStore() ?? OUTSIDE;
      if (!isModelCall || span === undefined) return;
      addHeader(message, "traceparent", formatTraceparent(span));
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
