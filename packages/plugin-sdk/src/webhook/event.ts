import { startOfText } from "@openclaw/foundation/display";

/** Largest content of an event, in UTF-16 code units; a longer one is cut. */
const LONGEST_CONTENT = 32_768;

/** Event for the receiver of a webhook. */
export interface WebhookEvent {
  /** Name of the event, for example `beforeToolCall`. */
  readonly event: string;
  /** Hook that sends it. */
  readonly hook: { readonly name: string; readonly point: string; readonly id: string };
  /** Sent only by a webhook with `includeContent`, without secrets. */
  readonly content?: string | undefined;
  readonly data?: {
    readonly channel?: string | undefined;
    readonly sender?: string | undefined;
    readonly session?: string | undefined;
    readonly tool?: string | undefined;
  };
}

/** Request that is sent unchanged by each try. */
export interface WebhookMessage {
  /** Unique; equal on retries. */
  readonly id: string;
  readonly event: string;
  /** Time of the event, ISO 8601. */
  readonly timestamp: string;
  /** JSON of the body. */
  readonly body: string;
}

/**
 * Creates the request of an event (DHOOK-028).
 * @param options - time, whether the content is included, and the redactor of the host
 */
export function webhookMessage(
  { event, hook, content, data = {} }: WebhookEvent,
  options: {
    readonly now: number;
    readonly includeContent: boolean;
    readonly redact: (value: unknown) => unknown;
  },
): WebhookMessage {
  const timestamp = new Date(options.now).toISOString();
  const { channel, sender, session, tool } = data;
  const body = {
    event,
    timestamp,
    ...(content === undefined || !options.includeContent
      ? {}
      : { content: startOfText(String(options.redact(content)), LONGEST_CONTENT) }),
    hook: { name: hook.name, point: hook.point, id: hook.id },
    data: { channel, sender, session, tool },
  };
  return { id: crypto.randomUUID(), event, timestamp, body: JSON.stringify(body) };
}
