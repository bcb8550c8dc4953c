import { type Approver, putToApprover } from "@openclaw/approval-broker";
import type { ToolResultMessage } from "@openclaw/plugin-sdk/tools";
import type { Approval } from "@openclaw/store/decisions";
import {
  joinModel,
  openTurnScope,
  type PluginPin,
  type TurnRequest,
  type TurnServices,
} from "../context/scope.js";
import { loadTurnRecord, TurnRecord } from "../journal/resume-state.js";
import type { RequestedCall } from "../tool-call/authorize.js";
import { callTool } from "../tool-call/pipeline.js";
import { openTurnTools } from "./tools.js";

/** Who would have asked for the call; there is no message and no model's reply around it. */
export type ToolRunRequest = Omit<
  TurnRequest,
  "text" | "instructions" | "extraInstructions" | "history" | "isAttended"
> & {
  /** Who can be asked for approval; undefined where nobody can. */
  readonly approver?: Approver;
};

/**
 * Runs one tool call outside a conversation, on the path that the calls of models take: policy, schema,
 * hooks, approval, execution. It writes no transcript, and never throws for what a tool or plugin did.
 * Where a person is asked it waits for the answer.
 * @param call - tool, arguments and id
 * @param request - who asks, and for which model's tool set; its run has no other call
 * @param services - what the host lends
 * @param pin - the plugins it runs with
 * @throws ModelNotFoundError when the named model does not exist
 */
export async function runTool(
  call: RequestedCall,
  request: ToolRunRequest,
  services: TurnServices,
  pin: PluginPin,
): Promise<ToolResultMessage> {
  const isAttended = () => request.approver !== undefined;
  let record = new TurnRecord(request.runId);
  for (;;) {
    const turn = openTurnScope({ ...request, text: "", isAttended }, services, pin, record);
    const model = await services.models.resolve(request.model);
    joinModel(turn, model);
    const { tools, policyContext } = await openTurnTools(turn, model);
    turn.tools = tools;
    const scope = { turn, tools, policyContext, reconsidered: new Set<string>() };
    const called = await callTool(call, scope);
    if (called.status === "answered") return called.answer.message;
    await waitForAnswer(called.approval, request, services);
    record = await loadTurnRecord(request, services.store);
  }
}

/** An interrupt calls the question off, and the call is then answered as interrupted. */
async function waitForAnswer(
  approval: Approval,
  { runId, approver, signal }: ToolRunRequest,
  { approvals, logger }: TurnServices,
): Promise<void> {
  try {
    if (approver === undefined) await approvals.settled(approval.id, signal);
    else await putToApprover(approval, approver, approvals, signal, logger);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  if (signal.aborted) await approvals.cancelFor({ runId }, "interrupt");
}
