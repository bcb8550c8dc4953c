import { isRecord } from "@openclaw/plugin-sdk/kit";
import type { HostRuntime } from "@openclaw/plugin-sdk/services";
import type { JsonObject, JsonValue, ToolRequester } from "@openclaw/plugin-sdk/tools";
import { HookActionError } from "../errors.js";

/** Call of a tool by a hook. */
export interface HookToolCall {
  readonly hook: string;
  /** Name of the tool here. */
  readonly tool: string;
  /** Arguments, in which `${tool_input.file_path}` stands for a field of the event. */
  readonly input: JsonObject;
  /** Input of the hook. */
  readonly event: Readonly<Record<string, unknown>>;
  readonly session: string | undefined;
  /** Sender of the message of the turn. */
  readonly requester: ToolRequester | undefined;
  readonly signal: AbortSignal;
}

/**
 * Calls the tool of a handler of type `mcp_tool` with the rights of the sender of the message, so that policy, guards and
 * approvals decide about the call as about one of the model (EXT-559).
 * @param call - tool, arguments and event
 * @param agent - calls tools
 * @returns the text of the result
 * @throws HookActionError when the call is denied or fails
 */
export async function callHookTool(
  { hook, tool, input, event, session, requester, signal }: HookToolCall,
  { callTool }: Pick<HostRuntime["agent"], "callTool">,
): Promise<string> {
  if (callTool === undefined) throw new HookActionError(hook, "this host calls no tools for hooks");
  if (session === undefined || requester === undefined) {
    throw new HookActionError(hook, "its event belongs to no message, so that it calls no tool");
  }
  const params = filled(input, event);
  const result = await callTool({ sessionKey: session, tool, params, requester, signal });
  const text = result.content
    .map((part) => (part.type === "text" ? part.text : `[${part.type}]`))
    .join("\n");
  if (result.status === "ok") return text;
  throw new HookActionError(hook, `its call of ${tool} ${result.status}: ${text.slice(0, 200)}`);
}

function filled(input: JsonObject, event: HookToolCall["event"]): JsonObject {
  const fill = (value: JsonValue): JsonValue => {
    if (typeof value === "string") {
      return value.replaceAll(/\$\{([\w.]+)\}/g, (_found, path: string) => fieldOf(event, path));
    }
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fill(each)]));
  };
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [key, fill(value)]));
}

function fieldOf(event: HookToolCall["event"], path: string): string {
  let value: unknown = event;
  for (const name of path.split(".")) {
    value = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
