import type { CallToolResult, InputRequests } from "@modelcontextprotocol/server";
import type { ApprovalSummary } from "@openclaw/protocol";
import { requestOf } from "../approval-question.js";
import { chatResult } from "../chat-result.js";
import type { GatewayPort } from "../gateway-port.js";
import { readTurn } from "../turn-state.js";
import { type TaskReference, taskIdOf, taskNotFound } from "./task-id.js";

/** Time in milliseconds after which a client should ask again. */
const POLL_MS = 1000;

/** State of a task, as the store of the gateway knows it. */
export type TaskState =
  | { readonly status: "working"; readonly runId: string }
  | {
      readonly status: "input_required";
      readonly runId: string;
      /** Pending requests that the person at the client may answer. */
      readonly approvals: readonly ApprovalSummary[];
    }
  | { readonly status: "completed"; readonly result: CallToolResult }
  | { readonly status: "cancelled" };

/**
 * Reads the state of a task.
 * @param task - turn of the task
 * @param gateway - gateway of the client
 * @param asks - true when the person at the client answers requests
 * @throws ProtocolError when the turn is not in the session any more
 */
export async function readTask(
  task: TaskReference,
  gateway: GatewayPort,
  asks: boolean,
): Promise<TaskState> {
  const { sessionKey, messageId } = task;
  const turn = await readTurn(gateway, { sessionKey, messageId });
  if (turn.state === "unknown") throw taskNotFound();
  if (turn.state === "ended") {
    const { answer } = turn;
    if (answer.status === "interrupted") return { status: "cancelled" };
    return { status: "completed", result: chatResult(answer) };
  }
  const { runId } = turn;
  const approvals = asks ? await pendingOf(runId, sessionKey, gateway) : [];
  return approvals.length === 0
    ? { status: "working", runId }
    : { status: "input_required", runId, approvals };
}

async function pendingOf(
  runId: string,
  sessionKey: string,
  gateway: GatewayPort,
): Promise<readonly ApprovalSummary[]> {
  const methods = await gateway.methods();
  if (!methods.has("approvals.list") || !methods.has("approvals.resolve")) return [];
  const { approvals } = await gateway.call("approvals.list", { state: "pending", sessionKey });
  return approvals.filter((approval) => approval.runId === runId);
}

/**
 * Returns the fields that both eras of the protocol have.
 * @param task - turn of the task
 * @param status - status in the words of the protocol
 */
function taskFields<Status extends string>(task: TaskReference, status: Status) {
  const createdAt = new Date(task.at).toISOString();
  return { taskId: taskIdOf(task), status, createdAt, lastUpdatedAt: createdAt };
}

/**
 * Returns a task in the form of the extension of 2026.
 * @param task - turn of the task
 */
export function extensionTask(task: TaskReference, state: TaskState) {
  const fields = { ...taskFields(task, state.status), ttlMs: null, pollIntervalMs: POLL_MS };
  if (state.status === "completed") return { ...fields, result: { ...state.result } };
  if (state.status !== "input_required") return fields;
  const inputRequests: InputRequests = Object.fromEntries(
    state.approvals.map((approval) => [approval.id, requestOf(approval)]),
  );
  return { ...fields, inputRequests };
}

/**
 * Returns a task in the form of the protocol of 2025.
 * @param task - turn of the task
 */
export function legacyTask(task: TaskReference, state: TaskState) {
  const hasFailed = state.status === "completed" && state.result.isError === true;
  const status = hasFailed ? "failed" : state.status;
  return { ...taskFields(task, status), ttl: null, pollInterval: POLL_MS };
}
