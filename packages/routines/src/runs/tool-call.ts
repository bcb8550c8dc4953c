import { defined, endOfText, startOfText } from "@openclaw/foundation";
import { readCreator } from "@openclaw/jobs";
import type { JsonObject, NestedToolResult, ToolRequester } from "@openclaw/plugin-sdk/tools";
import type { Routine } from "@openclaw/store";
import { type Static, Type } from "typebox";
import { Check } from "typebox/value";
import { RoutineRefusedError } from "../errors.js";
import { ROUTINE_OK, type RunEnd } from "./verdict.js";

/** Tool that runs workflows. */
const WORKFLOW_TOOL = "lobster";
/** Tool that runs shell commands, whose exit code says whether they succeeded. */
const COMMAND_TOOL = "exec";
const MOST_PARAMETER_BYTES = 16 * 1024;
/** Characters of a result that a run keeps. */
const MOST_RESULT = 16_000;

/** Answers to the call of a tool that the agent does not have, or that has to be allowed first. */
const UNKNOWN_TOOL = /^Unknown tool/;
const NOT_ALLOWED = /^Tool .* is not allowed here/;

/** The tool call of a routine. */
export const toolCallSchema = Type.Object({
  tool: Type.String(),
  params: Type.Record(Type.String(), Type.Unknown()),
});

/** The tool call of a routine. */
export type RoutineToolCall = Static<typeof toolCallSchema>;

/** Request for a call: a tool or a workflow, and its parameters. */
export interface ToolActionRequest {
  readonly tool?: string | undefined;
  /** Workflow file in the workspace. */
  readonly workflow?: string | undefined;
  /** Parameters of the tool, or arguments of the workflow. */
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Calls a tool in the session of a routine on the path of all calls: policy, hooks, approval and execution.
 * @param call - session, tool, parameters, and the sender whose rights the call has
 */
export type CallTool = (call: {
  readonly sessionKey: string;
  readonly agentId: string;
  readonly tool: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly requester: ToolRequester;
  /** Stops the call. */
  readonly signal: AbortSignal;
}) => Promise<NestedToolResult>;

/**
 * Returns the kind and the call of an action that calls a tool; undefined when the request names none.
 * @param before - call that is changed; undefined when there is none
 * @throws RoutineRefusedError for both, and for parameters that are too long or belong to nothing
 */
export function readToolAction(
  before: { readonly kind: string; readonly call?: RoutineToolCall | undefined } | undefined,
  { tool, workflow, params }: ToolActionRequest,
): { readonly kind: "tool" | "workflow"; readonly call: RoutineToolCall } | undefined {
  if (tool !== undefined && workflow !== undefined) {
    throw new RoutineRefusedError("it has a tool and a workflow; leave one of them out");
  }
  assertParameters(params);
  if (workflow !== undefined) return { kind: "workflow", call: workflowCall(workflow, params) };
  if (tool !== undefined) return { kind: "tool", call: { tool, params: { ...params } } };
  if (params === undefined) return undefined;
  const call = before?.call;
  if (call === undefined) {
    throw new RoutineRefusedError("params: they belong to a tool or a workflow; name one");
  }
  if (before?.kind !== "workflow")
    return { kind: "tool", call: { ...call, params: { ...params } } };
  return { kind: "workflow", call: workflowCall(String(call.params.filePath), params) };
}

/** Returns the call of a routine in words. */
export function callText({ tool, params }: RoutineToolCall): string {
  return `${tool} ${JSON.stringify(params)}`;
}

/** Returns the sender for whom a routine works, whose rights its calls have. */
export function requesterOf(routine: Pick<Routine, "creator">): ToolRequester {
  const { channel, conversationId, senderId, senderIsOwner, userName, accountId, ...more } =
    readCreator(routine);
  return {
    ...{ channel, channelId: conversationId, senderId, senderIsOwner },
    ...defined({
      ...{ senderName: userName, accountId, threadId: more.threadId },
      groupId: more.room?.id,
    }),
  };
}

/**
 * Returns how a run ended whose call has ended.
 * @param action - kind of the action, and its tool
 * @param result - result of the call
 * @param reason - delay of the run in words
 */
export function callEnd(
  { kind, tool }: { readonly kind: string; readonly tool: string },
  result: NestedToolResult,
  reason: string | undefined,
): RunEnd {
  const { status, content } = result;
  const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  if (kind === "workflow" && status !== "denied" && Check(envelopeSchema, result.details)) {
    return workflowEnd(result.details, reason);
  }
  if (status === "ok" && tool === COMMAND_TOOL && Check(commandSchema, result.details)) {
    return commandEnd(result.details, text, reason);
  }
  if (status === "ok") return found(text, reason);
  const problem = startOfText(text.trim() || `its call is ${status}`, MOST_RESULT);
  return { state: "failed", reason: `${problem}${nextStep(text, tool)}` };
}

function nextStep(text: string, tool: string): string {
  const explain = `\`openclaw policy explain ${tool}\``;
  if (UNKNOWN_TOOL.test(text)) return `; it does not exist or is not offered, see ${explain}`;
  return NOT_ALLOWED.test(text)
    ? `; allow it with tools.alsoAllow, or see ${explain} for the rule`
    : "";
}

/** Result of the tool for shell commands; the exit code is null when a signal ended the command. */
const commandSchema = Type.Object({ exitCode: Type.Union([Type.Integer(), Type.Null()]) });

function commandEnd(
  { exitCode }: Static<typeof commandSchema>,
  text: string,
  reason: string | undefined,
): RunEnd {
  // The notice after the output says only that the command succeeded.
  if (exitCode === 0) return found(text.replace(/\n?\[Exit code 0 [^\n]*\]$/, ""), reason);
  const how = exitCode === null ? "a signal ended it" : `it ended with exit code ${exitCode}`;
  // The end of the output is what says why.
  return { state: "failed", reason: `${how}\n${endOfText(text.trim(), MOST_RESULT)}` };
}

const gateSchema = Type.Object({ prompt: Type.String(), approvalId: Type.String() });

/** Result of the tool for workflows (LOB-007, LOB-008). */
const envelopeSchema = Type.Union([
  Type.Object({
    protocolVersion: Type.Literal(1),
    ok: Type.Literal(true),
    status: Type.Enum(["ok", "needs_approval", "needs_input", "cancelled"]),
    output: Type.Array(Type.Unknown()),
    requiresApproval: Type.Union([
      Type.Null(),
      Type.Object({ ...gateSchema.properties, decideWith: Type.String() }),
    ]),
    requiresInput: Type.Union([Type.Null(), gateSchema]),
  }),
  Type.Object({
    protocolVersion: Type.Literal(1),
    ok: Type.Literal(false),
    error: Type.Object({ type: Type.String(), message: Type.String() }),
  }),
]);

function workflowEnd(result: Static<typeof envelopeSchema>, reason: string | undefined): RunEnd {
  if (!result.ok) {
    const { type, message } = result.error;
    return { state: "failed", reason: startOfText(`${type}: ${message}`, MOST_RESULT) };
  }
  const { status, output, requiresApproval, requiresInput } = result;
  if (status === "cancelled") return { state: "failed", reason: "its workflow was cancelled" };
  const lines = output.map((item) => (typeof item === "string" ? item : JSON.stringify(item)));
  if (requiresApproval !== null) {
    const { prompt, decideWith, approvalId } = requiresApproval;
    lines.push(
      `The workflow waits for an approval: ${prompt}`,
      `/approve ${decideWith} continues it, and \`openclaw lobster show ${approvalId}\` shows its result.`,
    );
  } else if (requiresInput !== null) {
    const { prompt, approvalId } = requiresInput;
    lines.push(
      `The workflow waits for an answer: ${prompt}`,
      `\`openclaw lobster resume ${approvalId} --response-json <answer>\` continues it.`,
    );
  }
  return found(lines.join("\n"), reason);
}

/** A result without text, or with the word for it, is nothing to tell. */
function found(text: string, reason: string | undefined): RunEnd {
  const answer = startOfText(text.trim(), MOST_RESULT);
  const isSilent = answer === "" || answer.includes(ROUTINE_OK);
  return { state: isSilent ? "ok" : "attention", reason, answer };
}

function workflowCall(filePath: string, args: ToolActionRequest["params"]): RoutineToolCall {
  const params: JsonObject = { action: "run", filePath };
  return { tool: WORKFLOW_TOOL, params: { ...params, ...defined({ args: args && { ...args } }) } };
}

function assertParameters(params: ToolActionRequest["params"]): void {
  const bytes = Buffer.byteLength(JSON.stringify(params ?? {}));
  if (bytes <= MOST_PARAMETER_BYTES) return;
  throw new RoutineRefusedError(
    `params: they have ${bytes} bytes, and at most ${MOST_PARAMETER_BYTES} are allowed; put them into a file and name the file`,
  );
}
