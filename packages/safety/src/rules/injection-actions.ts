import type { ContextActions } from "./action.js";

const NOTED: ContextActions = {
  params: "allow",
  output: "warn",
  input: "warn",
  network: "allow",
  file: "allow",
  log: "allow",
};

/** High and critical wording: flags the result, so that the wrapper warns the model (SAFE-007). */
export const FLAGGED_INJECTION: ContextActions = { ...NOTED, output: "sanitize" };

/** Medium and low wording: only records a finding (SAFE-007). */
export const NOTED_INJECTION: ContextActions = NOTED;
