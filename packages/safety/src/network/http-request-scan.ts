import { type LeakOptions, scanLeaks } from "../leaks/scan.js";
import type { Finding } from "../rules/finding.js";

/** A request as it leaves, before the host adds credentials of its own (SAFE-049). */
export interface OutboundRequest {
  readonly url: string;
  /** Names and values; a list keeps repeated names. */
  readonly headers?:
    | Readonly<Record<string, string>>
    | readonly (readonly [string, string])[]
    | undefined;
  /** Bytes are read as UTF-8; invalid ones become U+FFFD. */
  readonly body?: string | Uint8Array | undefined;
}

/** Where in a request something was found. */
export interface RequestFinding extends Finding {
  /** `url`, `body`, or `header <name>`; the range lies in its text. */
  readonly part: string;
}

export interface RequestScan {
  /** Whether a rule whose network action is block matched; a redact-class secret may leave. */
  readonly blocked: boolean;
  readonly findings: readonly RequestFinding[];
}

/**
 * Looks for secrets in a request that is about to leave: in its URL, in every header value and in its
 * body, each as written and percent-decoded (SAFE-049).
 * @param request - without the credentials that the host injects
 */
export function scanHttpRequest(
  { url, headers = [], body = "" }: OutboundRequest,
  options: Pick<LeakOptions, "rules"> = {},
): RequestScan {
  const pairs = Array.isArray(headers) ? headers : Object.entries(headers);
  const parts: [string, string][] = [
    ["url", url],
    ...pairs.map(([name, value]): [string, string] => [`header ${name}`, value]),
    ["body", typeof body === "string" ? body : new TextDecoder().decode(body)],
  ];
  const findings = parts.flatMap(([part, text]) =>
    scanLeaks(text, { ...options, context: "network" }).findings.map((finding) => ({
      ...finding,
      part,
    })),
  );
  return { blocked: findings.some(({ action }) => action === "block"), findings };
}
