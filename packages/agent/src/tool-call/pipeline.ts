import { MAXIMUM_ROUNDS } from "@openclaw/approval-broker";
import { defined, jsonCopy } from "@openclaw/foundation";
import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import type { AwaitedInput } from "@openclaw/store";
import type { Approval } from "@openclaw/store/decisions";
import type { AnsweredCall, RequestedCall } from "../context/call.js";
import type { ClientCall, ClientToolResult } from "../context/client.js";
import { isSuspended } from "../context/suspension.js";
import type { ToolCallScope } from "../context/tool-call-scope.js";
import type { RunningTurn, TurnState } from "../context/turn.js";
import { journalAnswer, journalDecision, journalIntent } from "../journal/journal.js";
import type { ResumeState } from "../journal/resume-state.js";
import type { StepOf } from "../journal/steps.js";
import type { RecordedCall } from "../journal/tool-calls.js";
import type { BrokenTools } from "../offer/broken-tools.js";
import { type AnswerDependencies, answerExecuted, answerRefused } from "./answer.js";
import type { Admitted } from "./authorization.js";
import { clientToolEntry } from "./client-tool.js";
import {
  type ExecutionDependencies,
  executeTool,
  outcomeUnknown,
  receiveResult,
} from "./execution.js";
import {
  type InputDependencies,
  type RequestedInput,
  receivedInput,
  requestInput,
  unusableInput,
} from "./input-request.js";
import {
  type AuthorizationDependencies,
  authorizeAgain,
  authorizeAndIntend,
} from "./intended-call.js";
import {
  type OutputReviewDependencies,
  type ReviewedOutput,
  reviewHeldOutput,
  reviewOutput,
} from "./output-review.js";
import { CallPolicy, type CallPolicyDependencies } from "./policy.js";
import { previewOf } from "./result.js";
import type { ToolEntry } from "./tool-entry.js";

/** Dependencies of {@link callTool}. */
export type ToolCallDependencies = AuthorizationDependencies &
  CallPolicyDependencies &
  ExecutionDependencies &
  OutputReviewDependencies &
  InputDependencies &
  AnswerDependencies & {
    /** Calls that the run answered or started before. */
    readonly resumeState: Pick<ResumeState, "takeCall">;
    readonly brokenTools?: Pick<BrokenTools, "note"> | undefined;
  };

/** Dependencies of {@link answerClientCall}. */
export type ClientResultDependencies = Pick<ToolCallDependencies, "resumeState"> &
  ExecutionDependencies &
  OutputReviewDependencies &
  AnswerDependencies;

type Scope = ToolCallScope<ToolCallDependencies>;

/** The state of a call: answered, to be run by the client, or waiting for an approval. */
export type CalledTool =
  | { readonly status: "answered"; readonly answer: AnsweredCall }
  | { readonly status: "returned"; readonly call: ClientCall }
  | { readonly status: "pending"; readonly approval: Approval };

/**
 * Takes a tool call through the pipeline that all calls take: authorize, run, answer (TURN-031). It does not
 * throw for errors of a model, tool or plugin; they are in the answer. Intent and answer are journaled before
 * the next step; a call that was answered before keeps its answer (TURN-054), and a call that waits for an
 * approval continues there (APPR-017).
 * @param call - as the model requested it
 * @param scope - turn, tools and policy context
 * @throws TurnSuspendedError when the host stops before the call has an answer
 */
export async function callTool(call: RequestedCall, scope: Scope): Promise<CalledTool> {
  const { turn } = scope;
  const { toolCallId, toolName } = call;
  const earlier = turn.dependencies.resumeState.takeCall(toolCallId);
  const ran = await answerRun(call, earlier, turn);
  if (ran !== undefined) return ran;
  if (earlier?.awaited !== undefined) return await continueWithInput(call, earlier.awaited, scope);
  const waiting = earlier?.waiting;
  if (waiting === undefined) {
    turn.request.onEvent({ type: "tool-started", toolCallId, toolName, params: call.params });
  }
  if (earlier?.params !== undefined && !runsAgain(call, scope)) {
    const { params, guidance } = earlier;
    return await finish(answerExecuted(call, { params, guidance }, outcomeUnknown(), turn), turn);
  }
  const policy = new CallPolicy(call, scope);
  const authorization =
    earlier?.params === undefined
      ? await authorizeAndIntend(call, waiting, scope, policy)
      : await authorizeAgain(call, earlier.params, earlier.guidance, scope, policy);
  if (authorization.verdict === "pending")
    return { status: "pending", approval: authorization.approval };
  if (authorization.verdict === "refused") {
    return await finish(
      await answerRefused(call, authorization, turn, policy.takeDecisions()),
      turn,
    );
  }
  if (authorization.entry.kind === "client") return returned(call, authorization);
  return await execute(call, authorization, scope);
}

/** Counts the end of a call, and tells the model in its answer when the tool is broken (JOB-022). */
function withFailureNote(
  reviewed: ReviewedOutput,
  { name, kind }: ToolEntry,
  brokenTools: Pick<BrokenTools, "note"> | undefined,
): ReviewedOutput {
  if (reviewed.status === "pending") return reviewed;
  const { result, failure } = reviewed.execution;
  if (failure?.kind === "aborted" || failure?.kind === "result-error") return reviewed;
  const text = brokenTools?.note(name, kind, failure !== undefined);
  if (text === undefined) return reviewed;
  const noted = { ...result, content: [...result.content, { type: "text" as const, text }] };
  return { ...reviewed, execution: { ...reviewed.execution, result: noted } };
}

/** Runs an authorized call. One that asks for input waits for it; the loop ends where no person can be asked. */
async function execute(
  call: RequestedCall,
  admitted: Admitted,
  scope: Scope,
  given?: Extract<RequestedInput, { status: "given" }>,
): Promise<CalledTool> {
  const { turn } = scope;
  const execution = await executeTool(call, admitted.entry, admitted, turn, given?.input);
  if (execution.input === undefined) {
    const reviewed = await reviewOutput(call, admitted, execution, turn);
    const kept = withFailureNote(reviewed, admitted.entry, turn.dependencies.brokenTools);
    return await answerReviewed(call, admitted, kept, turn);
  }
  const round = given?.round ?? 0;
  const requested = await requestInput(call, admitted, execution.input, round, turn);
  if (requested.status === "pending") return requested;
  if (requested.round <= MAXIMUM_ROUNDS) return await execute(call, admitted, scope, requested);
  const problem = `it asked for input more than ${MAXIMUM_ROUNDS} times`;
  const result = unusableInput(call.toolName, problem);
  const failure = { kind: "result-error", message: previewOf(result) } as const;
  return await answerReviewed(
    call,
    admitted,
    { status: "reviewed", execution: { ...execution, result, failure } },
    turn,
  );
}

/**
 * Runs a call once more with the input that it waited for. The rules in force now are evaluated again, and the start is
 * journaled, so that a call which the process loses after this has an unknown outcome (TURN-055).
 */
async function continueWithInput(
  call: RequestedCall,
  awaited: AwaitedInput,
  scope: Scope,
): Promise<CalledTool> {
  const { turn } = scope;
  const received = await receivedInput(awaited, turn);
  if (received.status === "pending") return received;
  if (received.status === "changed") {
    await journalDecision(turn, call, awaited.approvalId);
    const denial = { verdict: "refused", text: received.text, guidance: awaited.guidance } as const;
    return await finish(await answerRefused(call, denial, turn, []), turn);
  }
  const policy = new CallPolicy(call, scope);
  const { params, guidance } = awaited;
  const authorization = await authorizeAgain(call, params, guidance, scope, policy);
  if (authorization.verdict === "pending") {
    return { status: "pending", approval: authorization.approval };
  }
  await journalDecision(turn, call, awaited.approvalId);
  if (authorization.verdict === "refused") {
    const decisions = policy.takeDecisions();
    return await finish(await answerRefused(call, authorization, turn, decisions), turn);
  }
  await journalIntent(turn, call, authorization, policy.takeDecisions());
  await turn.dependencies.store.decisions.approvals.forgetAnswer(awaited.approvalId);
  return await execute(call, authorization, scope, received);
}

/**
 * Answers a call with the result that its client sent: like the output of every tool, the result passes the
 * safety engine, and hooks are told that the call has run (GW-036).
 * @param result - the call and its result
 * @param turn - the turn that begins with the result
 */
export async function answerClientCall(
  { content, isError, guidance = [], ...call }: ClientToolResult,
  turn: RunningTurn<ClientResultDependencies>,
): Promise<Exclude<CalledTool, { status: "returned" }>> {
  const earlier = turn.dependencies.resumeState.takeCall(call.toolCallId);
  const ran = await answerRun(call, earlier, turn);
  if (ran !== undefined) return ran;
  const { toolName: name, params } = call;
  const entry = clientToolEntry({ name, description: "", parameters: { type: "object" } });
  const execution = receiveResult(call, { content: [...content], isError }, turn);
  const admitted = { entry, params, guidance };
  return await answerReviewed(
    call,
    admitted,
    await reviewOutput(call, admitted, execution, turn),
    turn,
  );
}

/** Returns the answer of a call that has run before; undefined for any other call. */
async function answerRun(
  call: RequestedCall,
  earlier: RecordedCall | undefined,
  turn: RunningTurn<ClientResultDependencies>,
): Promise<Exclude<CalledTool, { status: "returned" }> | undefined> {
  if (earlier?.answer !== undefined) {
    const { message, isSynthetic } = earlier.answer;
    const { toolName, params } = call;
    if (!isSynthetic) {
      const same = { toolName, params: earlier.params ?? params };
      turn.state.failedCalls.note(same, message.isError);
    }
    return answered(restoreAnswer(earlier.answer, turn.state));
  }
  if (earlier?.held !== undefined) {
    const reviewed = await reviewHeldOutput(call, earlier.held, turn);
    return await answerReviewed(call, earlier.held, reviewed, turn);
  }
  return undefined;
}

function returned(
  { toolCallId, toolName }: RequestedCall,
  { params, guidance }: Pick<Admitted, "params" | "guidance">,
): CalledTool {
  // Admitted arguments are plain JSON already; the copy says so to the compiler too.
  const call = { toolCallId, toolName, params: jsonCopy(params) as JsonObject };
  return {
    status: "returned",
    call: { ...call, ...defined({ guidance: guidance.length === 0 ? undefined : guidance }) },
  };
}

async function answerReviewed(
  call: RequestedCall,
  admitted: Pick<Admitted, "params" | "guidance">,
  reviewed: ReviewedOutput,
  turn: RunningTurn<ExecutionDependencies & AnswerDependencies>,
): Promise<Exclude<CalledTool, { status: "returned" }>> {
  if (reviewed.status === "pending") return reviewed;
  const { failure } = reviewed.execution;
  if (failure?.kind !== "aborted") {
    const { toolName } = call;
    turn.state.failedCalls.note({ toolName, params: admitted.params }, failure !== undefined);
  }
  return await finish(answerExecuted(call, admitted, reviewed.execution, turn), turn);
}

async function finish(
  answer: AnsweredCall,
  turn: RunningTurn<Pick<AnswerDependencies, "store">>,
): Promise<Extract<CalledTool, { status: "answered" }>> {
  // A result caused by the stop of the host is not an answer: the call is processed again when the turn
  // resumes.
  if (answer.isSynthetic && isSuspended(turn.request.signal)) throw turn.request.signal.reason;
  await journalAnswer(turn, answer);
  return answered(answer);
}

function answered(answer: AnsweredCall): Extract<CalledTool, { status: "answered" }> {
  return { status: "answered", answer };
}

/** Returns true for a call that may already have run and may run once more: only idempotent tools do (TURN-055). */
function runsAgain({ toolName }: RequestedCall, { tools }: Pick<Scope, "tools">): boolean {
  return tools.get(toolName)?.tool.idempotent === true;
}

function restoreAnswer(
  { message, isSynthetic, terminate, skillTools }: StepOf<"tool-answered">,
  state: Pick<TurnState, "skillTools">,
): AnsweredCall {
  if (skillTools !== undefined) state.skillTools = new Set(skillTools);
  return { message, isSynthetic, terminate };
}
