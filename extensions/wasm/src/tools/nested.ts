import { isRecord } from "@openclaw/plugin-sdk/kit";
import type { ToolFactoryContext } from "@openclaw/plugin-sdk/tools";

/** Call of another tool by a component. */
export interface ComponentInvocation {
  /** ID of the call of the component. */
  readonly toolCallId: string;
  readonly tool: string;
  /** Arguments as JSON. */
  readonly params: string;
  readonly signal: AbortSignal;
}

/** A call that a component may not make. */
class InvocationDenied extends Error {}

/**
 * Calls another tool on the path of all calls: policy, hooks, approvals and safety (WASM-025).
 * @param turn - session of the component
 * @returns the output of the tool
 * @throws an error whose message is for the component, also for a tool that needs an approval
 */
export async function invokeTool(
  turn: ToolFactoryContext,
  { toolCallId, tool, params, signal }: ComponentInvocation,
): Promise<string> {
  const { callTool } = turn;
  if (callTool === undefined) throw new InvocationDenied("tools cannot be called here");
  const args = parametersOf(params);
  const approval = new AbortController();
  const denied = new InvocationDenied(`the tool ${tool} needs an approval`);
  const result = await callTool({
    ...{ parentToolCallId: toolCallId, tool, params: args },
    signal: AbortSignal.any([signal, approval.signal]),
    onApprovalPending: () => approval.abort(denied),
  });
  if (approval.signal.aborted) throw denied;
  const text = result.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  if (result.status === "ok") return text;
  throw new InvocationDenied(`the tool ${tool} was ${result.status}: ${text}`);
}

function parametersOf(
  text: string,
): NonNullable<Parameters<NonNullable<ToolFactoryContext["callTool"]>>[0]["params"]> {
  let value: unknown;
  try {
    value = JSON.parse(text === "" ? "{}" : text);
  } catch {
    value = undefined;
  }
  if (!isRecord(value)) throw new InvocationDenied("the parameters are not a JSON object");
  // What was parsed from JSON is JSON.
  return value as ReturnType<typeof parametersOf>;
}
