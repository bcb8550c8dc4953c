import type { WorkerEvent } from "../../workers/api/requests.js";
import type { AgentTurn } from "../external-agent.js";

/** Length of a report, in characters. */
const MOST_REPORT = 4096;

type Json = Readonly<Record<string, unknown>>;

/** Request of Claude Code that the bridge answers. */
export type ControlRequest =
  | { readonly kind: "hook"; readonly id: string; readonly call: ClaudeCall | undefined }
  | { readonly kind: "permission"; readonly id: string; readonly call: ClaudeCall }
  | { readonly kind: "other"; readonly id: string; readonly subtype: string };

/** Call of a tool of Claude Code. */
export interface ClaudeCall {
  readonly id: string;
  readonly tool: string;
  readonly input: Json;
}

/** Result of a call that Claude Code made. */
export interface ClaudeResult {
  readonly id: string;
  readonly isError: boolean;
}

/** A line of Claude Code, as far as the bridge needs it. */
export type ClaudeLine =
  | { readonly kind: "request"; readonly request: ControlRequest }
  | { readonly kind: "response"; readonly id: string; readonly error: string | undefined }
  | { readonly kind: "session"; readonly session: string }
  | { readonly kind: "said"; readonly events: readonly WorkerEvent[] }
  | {
      readonly kind: "results";
      readonly events: readonly WorkerEvent[];
      readonly results: readonly ClaudeResult[];
    }
  | { readonly kind: "turn"; readonly turn: AgentTurn }
  | { readonly kind: "ignored" }
  | { readonly kind: "unknown"; readonly event: WorkerEvent };

/** Types of lines that carry nothing for the host. */
const IGNORED: ReadonlySet<unknown> = new Set([
  ...["control_cancel_request", "keep_alive", "stream_event", "rate_limit_event"],
]);

/**
 * Reads a line of the output of Claude Code. Every line that it does not know is kept as an event, and is never an error
 * (JOB-534).
 * @param line - line without its end
 */
export function readLine(line: string): ClaudeLine {
  const message = parse(line);
  if (message === undefined) return unknown(line);
  switch (message.type) {
    case "control_request":
      return readRequest(message) ?? unknown(line);
    case "control_response": {
      const { request_id: id, error } = recordOf(message.response);
      return {
        kind: "response",
        id: textOf(id),
        error: typeof error === "string" ? error : undefined,
      };
    }
    case "system":
      if (message.subtype !== "init") return { kind: "ignored" };
      return { kind: "session", session: textOf(message.session_id) };
    case "assistant":
      return { kind: "said", events: blocksOf(message).flatMap(eventsOfReply) };
    case "user":
      return readResults(message);
    case "result":
      return { kind: "turn", turn: readTurn(message) };
    default:
      return IGNORED.has(message.type) ? { kind: "ignored" } : unknown(line);
  }
}

function readRequest({ request_id: given, request: asked }: Json): ClaudeLine | undefined {
  const id = textOf(given);
  const request = recordOf(asked);
  const subtype = textOf(request.subtype);
  if (id === "") return undefined;
  if (subtype === "hook_callback") {
    const { hook_event_name: event, tool_name: tool, tool_input: input } = recordOf(request.input);
    const callId = textOf(recordOf(request.input).tool_use_id) || textOf(request.tool_use_id);
    const isCall = event === "PreToolUse" && typeof tool === "string" && callId !== "";
    const call = isCall ? { id: callId, tool, input: recordOf(input) } : undefined;
    return { kind: "request", request: { kind: "hook", id, call } };
  }
  if (subtype !== "can_use_tool") {
    return { kind: "request", request: { kind: "other", id, subtype } };
  }
  const { tool_name: tool, input, tool_use_id: callId } = request;
  const call = { id: textOf(callId) || id, tool: textOf(tool), input: recordOf(input) };
  return { kind: "request", request: { kind: "permission", id, call } };
}

function eventsOfReply(block: Json): WorkerEvent[] {
  if (block.type === "text") {
    const text = textOf(block.text);
    return text === "" ? [] : [{ event_type: "message", data: { text } }];
  }
  if (block.type !== "tool_use") return [];
  const text = JSON.stringify(recordOf(block.input)).slice(0, MOST_REPORT);
  return [{ event_type: "tool_use", data: { tool: textOf(block.name), text } }];
}

function readResults(message: Json): ClaudeLine {
  const found = blocksOf(message).filter(({ type }) => type === "tool_result");
  return {
    kind: "results",
    events: found.map(({ content }) => ({
      event_type: "tool_result",
      data: { text: shown(content).slice(0, MOST_REPORT) },
    })),
    results: found.map(({ tool_use_id: id, is_error: isError }) => ({
      id: textOf(id),
      isError: isError === true,
    })),
  };
}

function readTurn({
  subtype,
  is_error: isError,
  result,
  num_turns: turns,
  errors,
}: Json): AgentTurn {
  const iterations = typeof turns === "number" && turns >= 0 ? Math.floor(turns) : 0;
  const success = subtype === "success" && isError !== true;
  const answer = textOf(result);
  if (success) return { success, text: answer, iterations };
  const reasons = Array.isArray(errors) ? errors.map(textOf).filter((text) => text !== "") : [];
  const reason = answer || reasons.join("; ");
  return { success, text: `${textOf(subtype)}${reason === "" ? "" : `: ${reason}`}`, iterations };
}

function shown(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => textOf(recordOf(part).text)).join("\n");
}

function blocksOf(message: Json): readonly Json[] {
  const { content } = recordOf(message.message);
  return Array.isArray(content) ? content.map(recordOf) : [];
}

function unknown(line: string): ClaudeLine {
  const text = `unknown line: ${line.slice(0, MOST_REPORT)}`;
  return { kind: "unknown", event: { event_type: "status", data: { text } } };
}

function parse(line: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function recordOf(value: unknown): Json {
  return isRecord(value) ? value : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
