import { type AnchoredDetector, matchHere } from "../detector.js";
import { REDACTED_LEAK } from "../leak-actions.js";
import type { LeakRule } from "../rule.js";

const TOKEN = "[A-Za-z0-9._~+/=-]{20,}";
/** Words joined by hyphens, underscores, dots or slashes: a phrase or a name, not a token. */
const PHRASE = /^[A-Za-z]+(?:[-_./][A-Za-z]+)+[-_./]?$/;
const REASON = "Any client that sends it can act as the session for which it was issued.";

/** Tokens that are recognised by the words before them (SAFE-018). */
export const BEARER_RULES: readonly LeakRule[] = [
  {
    kind: "leak",
    id: "bearer_token",
    title: "Bearer token",
    reason: REASON,
    severity: "high",
    label: "BEARER",
    actions: REDACTED_LEAK,
    detector: unlessPhrase(["bearer"], new RegExp(`bearer\\s{1,8}(${TOKEN})`, "iy")),
    examples: {
      match: ["curl -H 'X-Auth: Bearer abcdef1234567890123456'"],
      clean: [
        "Bearer authentication is required",
        "Bearer abcdef1234567890123",
        "Bearer YOUR_ACCESS_TOKEN_HERE",
        "bearer token-based-authentication",
      ],
    },
  },
  {
    kind: "leak",
    id: "auth_header",
    title: "Authorization header",
    reason: REASON,
    severity: "high",
    label: "BEARER",
    actions: REDACTED_LEAK,
    detector: unlessPhrase(
      ["authorization"],
      new RegExp(
        `authorization["']?\\s{0,8}[:=]\\s{0,8}["']?[A-Za-z][A-Za-z0-9_-]{0,31}\\s{1,8}(${TOKEN})`,
        "iy",
      ),
    ),
    examples: {
      match: [
        "Authorization: Token 0123456789abcdef01234567",
        '"authorization": "Basic dXNlcjpwYXNzd29yZDEyMw=="',
      ],
      clean: ["Authorization: Bearer short", "Authorization: [REDACTED]"],
    },
  },
];

function unlessPhrase(anchors: readonly string[], pattern: RegExp): AnchoredDetector {
  const here = matchHere(pattern);
  return {
    by: "anchor",
    anchors,
    ignoreCase: true,
    open: () => (text, at) => {
      const range = here(text, at);
      if (range === undefined) return undefined;
      const token = text.slice(at, range[1]).split(/\s/).at(-1);
      return PHRASE.test(`${token}`) ? undefined : range;
    },
  };
}
