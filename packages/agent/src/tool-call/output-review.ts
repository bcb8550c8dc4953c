import type { ApprovalBroker, NewCallVerdict } from "@openclaw/approval-broker";
import { defined, jsonCopy } from "@openclaw/foundation";
import type { JsonObject, JsonValue, ToolResult } from "@openclaw/plugin-sdk/tools";
import { WITHHELD_OUTPUT } from "@openclaw/safety";
import type { HeldOutput, Store } from "@openclaw/store";
import type { RequestedCall } from "../context/call.js";
import { isSuspended } from "../context/suspension.js";
import type { RunningTurn } from "../context/turn.js";
import { type JournalDependencies, journalDecision } from "../journal/journal.js";
import { requesterOf } from "./approval.js";
import type { Admitted } from "./authorization.js";
import type { ToolExecution } from "./execution.js";
import { noteUnapproved } from "./unapproved.js";

/** Dependencies of {@link reviewOutput} and {@link reviewHeldOutput}. */
export interface OutputReviewDependencies extends JournalDependencies {
  readonly approvals: Pick<ApprovalBroker, "ask" | "verdict" | "cancelFor">;
}

/** Result of a review: an output that the model may have, or an approval request without a decision. */
export type ReviewedOutput =
  | { readonly status: "reviewed"; readonly execution: ToolExecution }
  | Extract<NewCallVerdict, { status: "pending" }>;

/**
 * Requests approval for an output that a safety rule under `review` matched (SAFE-010). The output is
 * journaled with the request, so that the tool does not run again. Without an approver it is replaced.
 * @param call - the call, which has run
 * @param admitted - its tool, final arguments and guidance
 * @param execution - its guarded result, and the rule that requires the review
 */
export async function reviewOutput(
  { toolCallId }: RequestedCall,
  { entry, params, guidance }: Pick<Admitted, "entry" | "params" | "guidance">,
  execution: ToolExecution,
  turn: RunningTurn<OutputReviewDependencies>,
): Promise<ReviewedOutput> {
  const { review, ...reviewed } = execution;
  if (review === undefined) return { status: "reviewed", execution };
  const { request, state, dependencies } = turn;
  const { runId, sessionKey, agentId } = request;
  const toolName = entry.name;
  const output = textOf(reviewed.result);
  const verdict = await dependencies.approvals.ask(
    {
      kind: "tool",
      cause: { kind: "safety" },
      runId,
      sessionKey,
      agentId,
      requester: requesterOf(request),
      toolCallId,
      toolName,
      // The answer is bound to the output as well, which is what the approver decides about.
      params: { parameters: params, output },
      need: "always",
      title: `Show the model what ${entry.tool.label ?? toolName} returned?`,
      description: `Safety rule ${review} requires approval of this output.`,
      severity: "warning",
      allowedDecisions: ["allow-once", "deny"],
      isAttended: request.isAttended?.() ?? false,
      askedSince: state.lastUserMessageAt,
    },
    async (unit: Store, { id: approvalId, title }) => {
      const { result, durationMs, failure, remarks } = reviewed;
      const held: HeldOutput = {
        approvalId,
        // Admitted arguments are plain JSON already; the copy says so to the compiler too.
        params: jsonCopy(params) as JsonObject,
        guidance,
        result,
        durationMs,
        remarks,
        ...defined({ failure, skillTools: state.skillTools && [...state.skillTools] }),
      };
      const step = { kind: "approval-asked", toolCallId, toolName, title, held } as const;
      await unit.turns.journal.append({ runId, step });
    },
  );
  noteUnapproved(verdict, { toolCallId, toolName }, turn);
  return await settled(verdict, reviewed, turn);
}

/**
 * Returns the output of a call whose review was requested before, as the decision about it allows.
 * @param held - its output
 */
export async function reviewHeldOutput(
  call: RequestedCall,
  { approvalId, result, durationMs, failure, remarks, skillTools }: HeldOutput,
  turn: RunningTurn<OutputReviewDependencies>,
): Promise<ReviewedOutput> {
  if (skillTools !== undefined) turn.state.skillTools = new Set(skillTools);
  const verdict = await turn.dependencies.approvals.verdict(approvalId);
  noteUnapproved(verdict, call, turn);
  const reviewed = await settled(verdict, { result, durationMs, failure, remarks }, turn);
  if (reviewed.status === "reviewed") await journalDecision(turn, call, approvalId);
  return reviewed;
}

/** An interrupted turn replaces the output; a suspended one continues with the request later. */
async function settled(
  verdict: NewCallVerdict,
  execution: ToolExecution,
  { request, dependencies }: RunningTurn<Pick<OutputReviewDependencies, "approvals">>,
): Promise<ReviewedOutput> {
  const { signal, runId } = request;
  if (verdict.status === "allowed") return { status: "reviewed", execution };
  if (verdict.status === "pending") {
    if (!signal.aborted) return verdict;
    if (isSuspended(signal)) throw signal.reason;
    await dependencies.approvals.cancelFor({ runId }, "interrupt");
  }
  return { status: "reviewed", execution: withheld(execution) };
}

function textOf({ content }: ToolResult<JsonValue>): string {
  return content.map((part) => (part.type === "text" ? part.text : "[image]")).join("\n");
}

function withheld({ result, failure, durationMs, remarks }: ToolExecution): ToolExecution {
  const { terminate, isError } = result;
  return {
    result: {
      content: [{ type: "text", text: WITHHELD_OUTPUT }],
      ...defined({ terminate, isError }),
    },
    failure: failure && { ...failure, message: WITHHELD_OUTPUT },
    durationMs,
    remarks,
  };
}
