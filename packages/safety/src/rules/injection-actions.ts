import type { ContextActions } from "./action.js";

const NOTED: ContextActions = {
  params: "allow",
  output: "warn",
  input: "warn",
  network: "allow",
  file: "allow",
  log: "allow",
};

/** High and critical wording: the result is flagged, so that the wrapper warns the model (SAFE-007). */
export const FLAGGED_INJECTION: ContextActions = { ...NOTED, output: "sanitize" };

/** Medium and low wording: a note in the findings and nothing else (SAFE-007). */
export const NOTED_INJECTION: ContextActions = NOTED;
