import type { ApprovalBroker, ApprovalVerdict } from "@openclaw/approval-broker";
import { defined, jsonCopy } from "@openclaw/foundation";
import type {
  InputSchema,
  JsonObject,
  JsonValue,
  ToolInput,
  ToolInputRequest,
  ToolResult,
} from "@openclaw/plugin-sdk/tools";
import type { AwaitedInput, Store } from "@openclaw/store";
import type { Approval } from "@openclaw/store/decisions";
import { Compile } from "typebox/compile";
import type { RequestedCall } from "../context/call.js";
import { isSuspended } from "../context/suspension.js";
import type { RunningTurn } from "../context/turn.js";
import { requesterOf } from "./approval.js";
import type { Admitted } from "./authorization.js";

/** Most input requests of one call. */
export const MAXIMUM_ROUNDS = 10;
/** Longest schema with state of an input request, in characters of JSON. */
const LONGEST_REQUEST = 64 * 1024;
const LONGEST_MESSAGE = 512;

/** Dependencies of {@link requestInput} and {@link receivedInput}. */
export interface InputDependencies {
  readonly approvals: Pick<ApprovalBroker, "ask" | "verdict" | "cancelFor">;
  readonly store: Store;
}

/** Input request of a tool with its defaults. */
export type OwnInputRequest = ToolInputRequest & { readonly name: string };

/** Input with which a call is made once more, or the pending request for it. */
export type RequestedInput =
  | { readonly status: "given"; readonly input: ToolInput; readonly round: number }
  | { readonly status: "pending"; readonly approval: Approval };

/**
 * Returns the input request of a result, as a copy.
 * @param input - `input` of a result
 * @returns a sentence about the problem of one that cannot be used
 */
export function ownInputRequest(input: unknown): OwnInputRequest | string {
  const copy = jsonCopy(input);
  if (typeof copy !== "object" || copy === null || Array.isArray(copy)) {
    return "expected an object with message and schema";
  }
  const { name = "input", message, schema, state } = copy;
  if (typeof name !== "string" || !/^[\w-]{1,64}$/.test(name)) {
    return "expected a name of 1 to 64 characters of A-Z a-z 0-9 _ -";
  }
  if (typeof message !== "string" || message === "" || message.length > LONGEST_MESSAGE) {
    return `expected a message of 1 to ${LONGEST_MESSAGE} characters`;
  }
  if (!isInputSchema(schema)) return "expected a schema of an object with properties";
  if (JSON.stringify(copy).length > LONGEST_REQUEST) {
    return `expected at most ${LONGEST_REQUEST} characters of JSON`;
  }
  return { name, message, schema, ...defined({ state }) };
}

function isInputSchema(schema: JsonValue | undefined): schema is JsonObject & InputSchema {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return false;
  const { type, properties } = schema;
  if (type !== "object" || typeof properties !== "object" || properties === null) return false;
  try {
    Compile(schema);
    return true;
  } catch {
    return false;
  }
}

/**
 * Asks the person for the input of a call. The request is stored with the call, so that it survives a restart (EXT-360).
 * @param call - the call, which has run so far
 * @param admitted - its tool, final arguments and guidance
 * @param request - input request of the tool
 * @param earlier - number of input requests of the call before
 * @param turn - the running turn
 * @returns `cancel` as the input where no person can answer
 */
export async function requestInput(
  { toolCallId }: RequestedCall,
  { entry, params, guidance }: Pick<Admitted, "entry" | "params" | "guidance">,
  { name, message, schema, state }: OwnInputRequest,
  earlier: number,
  turn: RunningTurn<InputDependencies>,
): Promise<RequestedInput> {
  const round = earlier + 1;
  const cancelled = { status: "given", round, input: inputOf({ name, state }, undefined) } as const;
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
      params: { parameters: params, input: { message, schema, round } },
      need: "always",
      title: `${entry.tool.label ?? toolName} asks for input`,
      description: message,
      severity: "info",
      allowedDecisions: ["allow-once", "deny"],
      isAttended: request.isAttended?.() ?? false,
      askedSince: turnState.lastUserMessageAt,
      input: { name, message, schema },
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
 * @param turn - the running turn
 */
export async function receivedInput(
  awaited: AwaitedInput,
  turn: RunningTurn<InputDependencies>,
): Promise<RequestedInput> {
  if (awaited.skillTools !== undefined) turn.state.skillTools = new Set(awaited.skillTools);
  const verdict = await turn.dependencies.approvals.verdict(awaited.approvalId);
  return await settled(verdict, awaited, turn);
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
  return { status: "given", round, input: inputOf(awaiting, verdict) };
}

function inputOf(
  { name, state }: Pick<Awaiting, "name" | "state">,
  verdict: ApprovalVerdict | undefined,
): ToolInput {
  const about = { name, ...defined({ state }) };
  if (verdict?.status === "allowed" && verdict.approval?.answer !== undefined) {
    return { ...about, action: "accept", content: verdict.approval.answer };
  }
  const isDeclined =
    verdict?.status === "denied" && !verdict.cancelled && verdict.isUndecided !== true;
  return { ...about, action: isDeclined ? "decline" : "cancel" };
}

/**
 * Returns the result of a call whose input request cannot be used.
 * @param toolName - name of the tool
 * @param problem - sentence about the form that was expected
 */
export function unusableInput(toolName: string, problem: string): ToolResult<JsonValue> {
  const text = `${toolName} failed: its input request cannot be used: ${problem}`;
  return { isError: true, content: [{ type: "text", text }] };
}
