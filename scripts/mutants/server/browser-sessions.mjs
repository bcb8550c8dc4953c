import { mutantsOf } from "../../mutation/mutants-of.mjs";

/** Sessions of browsers: a session does not outlive its token or its time. */
export const BROWSER_SESSIONS = mutantsOf("packages/server", [
  {
    source: "access/session-tokens.ts",
    noticedBy: ["packages/server/test/access/session-tokens.test.ts"],
    mutants: [
      [
        "session-outlives-its-named-token",
        "UI-037",
        'return claim?.named === this.#named.get(claim?.callerId ?? "") ? claim : undefined;',
        "return claim;",
      ],
    ],
  },
  {
    source: "access/authenticator.ts",
    noticedBy: ["packages/server/test/access/authenticator.test.ts"],
    mutants: [
      [
        "session-of-a-browser-does-not-expire",
        "UI-037",
        'if (this.#time() >= expiresAt) return "expired-session";',
        "",
      ],
    ],
  },
]);
