import { defined } from "@openclaw/foundation";
import type { RunSpan, RunTrace } from "@openclaw/protocol";

/** Kind of spans inside one process, in the numbers of the protocol. */
const INTERNAL = 1;
const STATUS = { unset: 0, ok: 1, error: 2 } as const;

/** Value of an attribute in the JSON form of the protocol. */
type TelemetryValue =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly intValue: string }
  | { readonly doubleValue: number };

interface TelemetryAttribute {
  readonly key: string;
  readonly value: TelemetryValue;
}

/**
 * Converts a trace to a request to an OpenTelemetry collector, in the JSON form of its protocol (OTLP).
 * @param trace - trace of a run
 */
export function telemetryOf({ traceId, spans }: RunTrace) {
  return {
    resourceSpans: [
      {
        resource: { attributes: [attribute("service.name", "openclaw")] },
        scopeSpans: [
          { scope: { name: "openclaw" }, spans: spans.map((span) => telemetrySpan(traceId, span)) },
        ],
      },
    ],
  };
}

function telemetrySpan(traceId: string, span: RunSpan) {
  const { spanId, parentSpanId, kind, name, at, durationMs = 0, status, summary } = span;
  const handlers = (span.handlers ?? []).map(({ pluginId, outcome, durationMs: took }) => ({
    timeUnixNano: nanoseconds(at + took),
    name: `${pluginId}: ${outcome}`,
  }));
  return {
    traceId,
    spanId,
    ...defined({ parentSpanId }),
    name: `${kind} ${name}`,
    kind: INTERNAL,
    startTimeUnixNano: nanoseconds(at),
    endTimeUnixNano: nanoseconds(at + durationMs),
    attributes: Object.entries(span.attributes).map(([key, value]) =>
      attribute(`openclaw.${kind}.${key}`, value),
    ),
    ...(handlers.length === 0 ? {} : { events: handlers }),
    status:
      status === "error"
        ? { code: STATUS.error, message: summary }
        : { code: status === "ok" ? STATUS.ok : STATUS.unset },
  };
}

function attribute(key: string, value: string | number | boolean): TelemetryAttribute {
  return { key, value: telemetryValue(value) };
}

function telemetryValue(value: string | number | boolean): TelemetryValue {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

/** Returns a string, because nanoseconds since the epoch exceed the exact range of a number. */
function nanoseconds(milliseconds: number): string {
  const whole = Math.floor(milliseconds);
  const fraction = Math.round((milliseconds - whole) * 1e6);
  return String(BigInt(whole) * 1_000_000n + BigInt(fraction));
}
