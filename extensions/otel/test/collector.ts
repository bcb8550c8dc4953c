import { startTestServer } from "@openclaw/platform-fakes";
import { onTestFinished } from "vitest";

/** Span as a collector receives it. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly status: { readonly code?: number };
  readonly attributes: Readonly<Record<string, unknown>>;
}

interface OtlpAttribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface OtlpRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<ReceivedSpan, "attributes"> & {
        readonly attributes: readonly OtlpAttribute[];
      })[];
    }[];
  }[];
}

/**
 * Starts a collector that receives OTLP over HTTP until the end of the test.
 * @param status - HTTP status of its responses
 */
export async function startCollector(status = 200) {
  const server = await startTestServer({ status, body: "{}" });
  onTestFinished(() => server.close());
  const resources = () =>
    server.requests.flatMap(({ body }) => (body as OtlpRequest).resourceSpans);
  return {
    endpoint: server.origin,
    requests: server.requests,
    services: () =>
      resources().map(({ resource }) => valuesOf(resource.attributes)["service.name"]),
    spans: (): ReceivedSpan[] =>
      resources().flatMap(({ scopeSpans }) =>
        scopeSpans.flatMap(({ spans }) =>
          spans.map((span) => ({ ...span, attributes: valuesOf(span.attributes) })),
        ),
      ),
  };
}

function valuesOf(attributes: readonly OtlpAttribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
