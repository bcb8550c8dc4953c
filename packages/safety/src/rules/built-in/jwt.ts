import type { AnchoredDetector, Matcher } from "../detector.js";
import { REDACTED_LEAK } from "../leak-actions.js";
import type { LeakRule } from "../rule.js";
import { ALONE } from "./word-boundary.js";

/** Base64url of `{` or of white space, which begins every JSON object. */
const ANCHORS = [
  "ey[A-DI-L][A-Za-z0-9_-]",
  "ew[k-r0-3][A-Za-z0-9_-]",
  "I[ACH][A-Za-z0-9_-][A-Za-z0-9_-]",
  "C[SQXgin][A-Za-z0-9_-][A-Za-z0-9_-]",
  "D[SQX][A-Za-z0-9_-][A-Za-z0-9_-]",
];
const START = new RegExp(`${ALONE}[ewICD]`, "y");
const LONGEST_HEADER = 4096;
/** Maximum number of positions of one run that are tried as the beginning of a header. */
const MOST_ATTEMPTS = 8;
const PAYLOAD_AND_SIGNATURE = /\.[A-Za-z0-9_-]{2,}\.[A-Za-z0-9_-]+/y;
const RUN = /[A-Za-z0-9_-]*/y;

/** JSON Web Token without a word before it (SAFE-018). */
export const JWT_RULE: LeakRule = {
  kind: "leak",
  id: "bare_jwt",
  title: "JSON Web Token",
  reason: "A signed token is a credential until it expires, and its payload is readable by anyone.",
  severity: "high",
  label: "JWT",
  actions: REDACTED_LEAK,
  detector: jsonWebToken(),
  examples: {
    match: ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl"],
    clean: [
      "org.springframework.integration.transformer",
      "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0",
    ],
  },
};

function jsonWebToken(): AnchoredDetector {
  return {
    by: "anchor",
    anchors: ANCHORS,
    ignoreCase: false,
    longWord: true,
    open: openMatcher,
  };
}

/**
 * Remembers the current run, so that a run without a token is read once and not from each anchor.
 */
function openMatcher(): Matcher {
  let runEnd = -1;
  let attempts = 0;
  return (text, at) => {
    if (at < runEnd && attempts === 0) return undefined;
    START.lastIndex = at;
    if (!START.test(text)) return undefined;
    if (at >= runEnd) {
      runEnd = endOf(RUN, text, at);
      attempts = endOf(PAYLOAD_AND_SIGNATURE, text, runEnd) === runEnd ? 0 : MOST_ATTEMPTS;
    }
    if (attempts === 0 || runEnd - at > LONGEST_HEADER) return undefined;
    attempts -= 1;
    return isJsonObject(text.slice(at, runEnd))
      ? [at, endOf(PAYLOAD_AND_SIGNATURE, text, runEnd)]
      : undefined;
  };
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** A token must name its algorithm, so an empty object is not a header. */
function isJsonObject(header: string): boolean {
  try {
    const value: unknown = JSON.parse(Buffer.from(header, "base64url").toString("utf8"));
    return typeof value === "object" && value !== null && Object.keys(value).length > 0;
  } catch {
    return false;
  }
}
