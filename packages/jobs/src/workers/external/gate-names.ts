/** Tool that stands for what an external agent has and the host has not. */
export const EXTERNAL_TOOL = "external_tool";

/** Name in {@link EXTERNAL_TOOL} of the call with which a bridge proves that denials are respected. */
export const CANARY_TOOL = "openclaw_canary";
