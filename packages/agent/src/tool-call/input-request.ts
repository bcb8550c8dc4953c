import {
  type ApprovalBroker,
  type ApprovalVerdict,
  boundInput,
  digestOf,
  givenInput,
  MAXIMUM_ROUNDS,
  type OwnInputRequest,
} from "@openclaw/approval-broker";
import { defined, jsonCopy } from "@openclaw/foundation";
import type { JsonObject, JsonValue, ToolInput, ToolResult } from "@openclaw/plugin-sdk/tools";
import type { AwaitedInput, Store } from "@openclaw/store";
import type { Approval } from "@openclaw/store/decisions";
import type { RequestedCall } from "../context/call.js";
import { isSuspended } from "../context/suspension.js";
import type { RunningTurn } from "../context/turn.js";
import { requesterOf } from "./approval.js";
import type { Admitted } from "./authorization.js";

/** Dependencies of {@link requestInput} and {@link receivedInput}. */
export interface InputDependencies {
  readonly approvals: Pick<ApprovalBroker, "ask" | "verdict" | "cancelFor">;
  readonly store: Store;
}

/** Input with which a call is made once more, or the pending request for it. */
export type RequestedInput =
  | { readonly status: "given"; readonly input: ToolInput; readonly round: number }
  | { readonly status: "pending"; readonly approval: Approval };

/** Input that no longer belongs to its call. */
export interface ChangedInput {
  readonly status: "changed";
  readonly text: string;
}

const CHANGED =
  "What is stored about this call, which waited for input, was changed. The call was not made again; call the tool again if its result is still needed.";

/**
 * Asks the person for the input of a call. The request is stored with the call, so that it survives a restart (EXT-360).
 * @param call - the call, which has run so far
 * @param admitted - its tool, final arguments and guidance
 * @param request - input request of the tool
 * @param earlier - number of input requests of the call before
 * @returns `cancel` as the input where no person can answer
 */
export async function requestInput(
  { toolCallId }: RequestedCall,
  { entry, params, guidance }: Pick<Admitted, "entry" | "params" | "guidance">,
  { name, message, schema, url, state }: OwnInputRequest,
  earlier: number,
  turn: RunningTurn<InputDependencies>,
): Promise<RequestedInput> {
  const round = earlier + 1;
  const cancelled = {
    status: "given",
    round,
    input: givenInput({ name, state }, undefined),
  } as const;
  if (round > MAXIMUM_ROUNDS) return cancelled;
  const { request, dependencies, state: turnState } = turn;
  const { runId, sessionKey, agentId } = request;
  const toolName = entry.name;
  const verdict = await dependencies.approvals.ask(
    {
      kind: "tool",
      cause: { kind: "tool" },
      ...{ runId, sessionKey, agentId, toolCallId, toolName },
      requester: requesterOf(request),
      // The input is bound to what the person was asked.
      params: boundInput(params, { message, schema, ...defined({ url, state }) }, round),
      need: "always",
      title: `${entry.tool.label ?? toolName} asks for input`,
      description: message,
      severity: "info",
      allowedDecisions: ["allow-once", "deny"],
      isAttended: request.isAttended?.() ?? false,
      askedSince: turnState.lastUserMessageAt,
      input: { name, message, schema, ...defined({ url }) },
    },
    async (unit: Store, { id: approvalId, title }) => {
      const { skillTools } = turnState;
      const awaited: AwaitedInput = {
        ...{ approvalId, name, guidance, round },
        // Admitted arguments are plain JSON already; the copy says so to the compiler too.
        params: jsonCopy(params) as JsonObject,
        ...defined({ state, skillTools: skillTools && [...skillTools] }),
      };
      const step = { kind: "approval-asked", toolCallId, toolName, title, awaited } as const;
      await unit.turns.journal.append({ runId, step });
    },
  );
  if (verdict.status === "inapplicable") return cancelled;
  return await settled(verdict, { name, state, round }, turn);
}

/**
 * Returns the input that a call waits for.
 * @param awaited - the input request of the call
 */
export async function receivedInput(
  awaited: AwaitedInput,
  turn: RunningTurn<InputDependencies>,
): Promise<RequestedInput | ChangedInput> {
  if (awaited.skillTools !== undefined) turn.state.skillTools = new Set(awaited.skillTools);
  const { approvals, store } = turn.dependencies;
  const verdict = await approvals.verdict(awaited.approvalId);
  const received = await settled(verdict, awaited, turn);
  if (received.status === "pending") return received;
  const approval = await store.decisions.approvals.get(awaited.approvalId);
  if (approval !== undefined && isBoundTo(approval, awaited)) return received;
  return { status: "changed", text: CHANGED };
}

/** Returns true when a decision is about exactly the stored call: its arguments, the request, and the state of the tool. */
function isBoundTo(
  { digest, tool, input, sessionKey, requester }: Approval,
  awaited: AwaitedInput,
) {
  if (tool === undefined || input === undefined) return false;
  const params = boundInput(
    awaited.params,
    { ...input, ...defined({ state: awaited.state }) },
    awaited.round,
  );
  return digest === digestOf({ toolName: tool, params, sessionKey, requester });
}

type Awaiting = Pick<AwaitedInput, "name" | "state" | "round">;

/** An interrupted turn withdraws its request; a suspended one continues with it later. */
async function settled(
  verdict: ApprovalVerdict,
  awaiting: Awaiting,
  { request, dependencies }: RunningTurn<InputDependencies>,
): Promise<RequestedInput> {
  const { signal, runId } = request;
  const { round } = awaiting;
  if (verdict.status === "pending") {
    if (!signal.aborted) return verdict;
    if (isSuspended(signal)) throw signal.reason;
    await dependencies.approvals.cancelFor({ runId }, "interrupt");
  }
  return { status: "given", round, input: givenInput(awaiting, verdict) };
}

/**
 * Returns the result of a call whose input request cannot be used.
 * @param problem - sentence about the form that was expected
 */
export function unusableInput(toolName: string, problem: string): ToolResult<JsonValue> {
  const text = `${toolName} failed: its input request cannot be used: ${problem}`;
  return { isError: true, content: [{ type: "text", text }] };
}
