import type { ContextActions } from "./action.js";

/**
 * Secret that must not be sent: it aborts a request (SAFE-049), is replaced in text for models and
 * logs (SAFE-005), and is only recorded in the user's own files and messages (SAFE-022, SAFE-040).
 */
export const BLOCKED_LEAK: ContextActions = {
  params: "warn",
  output: "redact",
  input: "warn",
  network: "block",
  file: "warn",
  log: "redact",
};

/** Private key: like {@link BLOCKED_LEAK}, but it blocks the complete output (SAFE-006). */
export const PRIVATE_KEY_LEAK: ContextActions = { ...BLOCKED_LEAK, output: "block" };

/** Secret that a request may legitimately contain, such as its own authorization header. */
export const REDACTED_LEAK: ContextActions = { ...BLOCKED_LEAK, network: "redact" };

/** String that may be a secret or a checksum (SAFE-019). */
export const NOTED_LEAK: ContextActions = {
  params: "warn",
  output: "warn",
  input: "warn",
  network: "warn",
  file: "warn",
  log: "allow",
};
