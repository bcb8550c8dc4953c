import { anchoredWord } from "../detector.js";
import { BLOCKED_LEAK } from "../leak-actions.js";
import type { LeakRule } from "../rule.js";

/**
 * Placeholder that a sandboxed program receives instead of a credential; the host replaces it in
 * outgoing requests. It works nowhere else, so a program that writes or sends it elsewhere tries to
 * leak the credential (SAFE-022).
 */
export const PLACEHOLDER_RULE: LeakRule = {
  kind: "leak",
  id: "credential_placeholder",
  title: "placeholder of an injected credential",
  reason:
    "The host replaces it with the real credential; written into a file or a request, it could reveal the credential there.",
  severity: "critical",
  label: "API_KEY",
  actions: { ...BLOCKED_LEAK, params: "block", file: "block" },
  detector: anchoredWord(["openclaw_credential_"], /openclaw_credential_[A-Za-z0-9]{16,}/y),
  examples: {
    match: ["token: openclaw_credential_0123456789abcdef"],
    clean: ["openclaw_credential_short", "openclaw_credentials"],
  },
};
