import { type LeakOptions, scanLeaks } from "../leaks/scan.js";
import type { Finding } from "../rules/finding.js";

/** Outgoing request, before the host adds its own credentials (SAFE-049). */
export interface OutboundRequest {
  readonly url: string;
  /** Names and values; a list preserves repeated names. */
  readonly headers?:
    | Readonly<Record<string, string>>
    | readonly (readonly [string, string])[]
    | undefined;
  /** Bytes are read as UTF-8; invalid ones become U+FFFD. */
  readonly body?: string | Uint8Array | undefined;
}

/** Finding in a part of a request. */
export interface RequestFinding extends Finding {
  /** `url`, `body`, or `header <name>`; the range refers to the text of that part. */
  readonly part: string;
}

export interface RequestScan {
  /**
   * True when a rule whose network action is block matched; secrets with the action redact may be
   * sent.
   */
  readonly blocked: boolean;
  readonly findings: readonly RequestFinding[];
}

/**
 * Finds secrets in an outgoing request: in its URL, in every header value and in its body, each as
 * written and percent-decoded (SAFE-049).
 * @param request - request without the credentials that the host injects
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
