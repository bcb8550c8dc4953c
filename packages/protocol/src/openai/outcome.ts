/** Field `openclaw_outcome` of a response; absent when the turn did its work (GW-460). */
export type OpenClawOutcome =
  /**
   * Calls of these tools were denied because no approver was reachable, or none decided in time; `denied_tools` has those
   * of which an approver denied a call in the same turn.
   */
  | { status: "not_approved"; tools: string[]; denied_tools?: string[] }
  /** An approver denied calls of these tools. */
  | { status: "denied"; tools: string[] }
  /** The turn waits for an approval and continues without its client; the text has the code. */
  | { status: "waiting_for_approval" }
  /** A plugin blocked the turn or cancelled its reply. */
  | { status: "withheld" };
