import { anchoredWord } from "../detector.js";
import { BLOCKED_LEAK } from "../leak-actions.js";
import type { LeakRule } from "../rule.js";

/**
 * The name by which a sandboxed program knows a credential that is put in at the border. It works
 * nowhere else, so wherever it is written or sent, something is trying to carry it out (SAFE-022).
 */
export const PLACEHOLDER_RULE: LeakRule = {
  kind: "leak",
  id: "credential_placeholder",
  title: "placeholder of an injected credential",
  reason:
    "The host puts the real credential in its place; written into a file or a request it would be filled in there.",
  severity: "critical",
  label: "API_KEY",
  actions: { ...BLOCKED_LEAK, params: "block", file: "block" },
  detector: anchoredWord(["openclaw_credential_"], /openclaw_credential_[A-Za-z0-9]{16,}/y),
  examples: {
    match: ["token: openclaw_credential_0123456789abcdef"],
    clean: ["openclaw_credential_short", "openclaw_credentials"],
  },
};
