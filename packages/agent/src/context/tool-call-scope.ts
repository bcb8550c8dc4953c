import type { PolicyContext } from "@openclaw/tool-policy";
import type { ToolSet } from "../tool-call/tool-entry.js";
import type { RunningTurn } from "./turn.js";

/** The turn whose calls are authorized and run, with its tools and the context of its policy. */
export interface ToolCallScope<Dependencies = unknown> {
  readonly turn: RunningTurn<Dependencies>;
  readonly tools: ToolSet;
  readonly policyContext: PolicyContext;
  /** Calls of this run that were returned for reconsideration once (D12). */
  readonly reconsidered: Set<string>;
}
