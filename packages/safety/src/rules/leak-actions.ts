import type { ContextActions } from "./action.js";

/**
 * A secret that must not leave: aborts a request (SAFE-049), is replaced in what the model or a log
 * sees (SAFE-005), and is only noted in the user's own files and messages (SAFE-022, SAFE-040).
 */
export const BLOCKED_LEAK: ContextActions = {
  params: "warn",
  output: "redact",
  input: "warn",
  network: "block",
  file: "warn",
  log: "redact",
};

/** A private key: as above, and it takes the whole output with it (SAFE-006). */
export const PRIVATE_KEY_LEAK: ContextActions = { ...BLOCKED_LEAK, output: "block" };

/** A secret that a request may well carry, such as its own authorization header. */
export const REDACTED_LEAK: ContextActions = { ...BLOCKED_LEAK, network: "redact" };

/** Something that is a secret or a checksum, nobody can tell (SAFE-019). */
export const NOTED_LEAK: ContextActions = {
  params: "warn",
  output: "warn",
  input: "warn",
  network: "warn",
  file: "warn",
  log: "allow",
};
