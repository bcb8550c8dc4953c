/** Replacement for an output that a policy or an approver denies (SAFE-010, SAFE-028). */
export const WITHHELD_OUTPUT = "[Output blocked by safety policy]";
