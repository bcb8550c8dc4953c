import { type HrTime, type SpanContext, SpanStatusCode } from "@opentelemetry/api";
import type { Resource } from "@opentelemetry/resources";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";
import { ATTRIBUTE } from "./attributes.js";
import type { CapturedContent } from "./content.js";
import { attributesOf, type ChannelMessage, type SpanDefinition } from "./span-kinds.js";

const SCOPE = { name: "openclaw" };
const NANOSECONDS = 1_000_000;

/**
 * A span as it is kept until its export. It refers to the message of the host, from which its attributes are read when it
 * is exported, so that recording costs a turn as little as possible (EXT-022).
 */
export class RecordedSpan {
  readonly context: SpanContext;
  readonly parent: SpanContext | undefined;
  readonly definition: SpanDefinition;
  readonly message: ChannelMessage;
  /** Monotonic time in milliseconds. */
  readonly startedAt = performance.now();
  /** Monotonic time in milliseconds; undefined while the work runs. */
  endedAt: number | undefined;
  /** Message at the end, if it is another object than the one at the start. */
  endMessage: ChannelMessage | undefined;
  /** Content of the work, when the operator has chosen to record it. */
  content: CapturedContent | undefined;
  /** True while more content is expected. */
  awaitsContent = false;

  /**
   * @param definition - rules of its channel
   * @param message - message at the start
   * @param context - ids of the span
   * @param parent - ids of the span that contains it
   */
  constructor(
    definition: SpanDefinition,
    message: ChannelMessage,
    context: SpanContext,
    parent: SpanContext | undefined,
  ) {
    this.definition = definition;
    this.message = message;
    this.context = context;
    this.parent = parent;
  }
}

/**
 * Returns a span in the form that exporters read.
 * @param span - span that has ended
 * @param resource - the service
 */
export function readableSpan(span: RecordedSpan, resource: Resource): ReadableSpan {
  const { definition, context, parent, startedAt, endedAt = startedAt } = span;
  const message = span.endMessage ?? span.message;
  const attributes = { ...attributesOf(definition, message), ...span.content?.attributes() };
  const { errorCode } = message;
  const isFailure = typeof errorCode === "string";
  if (isFailure) attributes[ATTRIBUTE.errorType] = errorCode;
  const epoch = Date.now() - performance.now();
  return {
    name: definition.name(span.message),
    kind: definition.kind,
    spanContext: () => context,
    ...(parent === undefined ? {} : { parentSpanContext: parent }),
    startTime: hrTime(epoch + startedAt),
    endTime: hrTime(epoch + endedAt),
    duration: hrTime(endedAt - startedAt),
    status: { code: isFailure ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
    attributes,
    links: [],
    events: [],
    ended: true,
    resource,
    instrumentationScope: SCOPE,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

/** @param ms - milliseconds */
function hrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.round((ms - seconds * 1000) * NANOSECONDS)];
}
