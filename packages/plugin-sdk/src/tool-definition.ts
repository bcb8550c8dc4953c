import type { ImagePart, TextPart } from "./agent-message.js";
import type { JsonValue } from "./json.js";
import type { ParameterSchema, ParametersOf } from "./tool-schema.js";

/** What a tool gives back: content for the model, and optional details for clients. */
export interface ToolResult<Details = unknown> {
  content: (TextPart | ImagePart)[];
  /** Structured data for clients and hooks; it never reaches a model (HCR-014). */
  details?: Details;
  /** True ends the model loop after this batch of calls (TURN-037). */
  terminate?: boolean;
  /** True marks a result that describes a failure. */
  isError?: boolean;
}

/** A tool may return a full result, or plain text or JSON, which the host wraps as text (TURN-037). */
export type ToolOutput<Details = unknown> = ToolResult<Details> | JsonValue | undefined;

/** Whether a call must be granted by a person first (TURN-070). */
export type ApprovalNeed = "never" | "unless-granted" | "always";

/** Reports progress of a running call to subscribers; not persisted, not shown to a model (TURN-039). */
export type ToolUpdate = (partial: ToolOutput) => void;

/**
 * A tool that a model may call.
 * @typeParam Params - the validated arguments
 * @typeParam Details - the type of `details` in its results
 */
export interface ToolDefinition<Params = Record<string, unknown>, Details = unknown> {
  /** 1 to 64 characters of `A-Z a-z 0-9 _ -` (PLUG-029). */
  name: string;
  /** Shown to people; the name is used when absent. */
  label?: string;
  /** Tells the model what the tool does and when to use it. */
  description: string;
  /** A schema of an object; the host validates every call against it before hooks see the call. */
  parameters: ParameterSchema;
  /**
   * Runs one call.
   * @param toolCallId - id of this call; stable across a resume
   * @param params - the validated arguments
   * @param signal - aborts at the deadline and on interrupt
   * @param onUpdate - reports progress
   */
  execute(
    toolCallId: string,
    params: Params,
    signal: AbortSignal,
    onUpdate: ToolUpdate,
  ): ToolOutput<Details> | Promise<ToolOutput<Details>>;
  /** Default `never`; a function decides from the validated params. */
  approval?: ApprovalNeed | ((params: Params) => ApprovalNeed);
  /** Deadline of one call in milliseconds, at most 600 000; default 60 000 (TURN-038). */
  timeoutMs?: number;
  /** True lets neighbouring calls of such tools run together (TURN-040). */
  parallelSafe?: boolean;
  /** True allows the host to run a call again whose outcome was lost (TURN-055). */
  idempotent?: boolean;
  /** True hides the tool from everyone but owners (POL-015). */
  ownerOnly?: boolean;
}

/** A tool of any parameters, as a registry holds it. */
export type AnyAgentTool = ToolDefinition<never>;

/** What a tool factory is told of the session it builds tools for (PLUG-030). */
export interface ToolFactoryContext {
  readonly sessionKey: string;
  readonly sessionId: string;
  readonly agentId: string;
  /** The agent's workspace folder, absolute. */
  readonly workspaceDir: string;
  /** Surface of the message that started the turn, for example `telegram` or `terminal`. */
  readonly messageChannel: string;
  readonly agentAccountId?: string;
  readonly requesterSenderId?: string;
  readonly senderIsOwner: boolean;
  readonly sandboxed: boolean;
  /** `provider/model` of the turn. */
  readonly activeModel: string;
}

/** Makes the tools of one session when its tool set is built. */
export type ToolFactory = (
  context: ToolFactoryContext,
) => AnyAgentTool | AnyAgentTool[] | null | Promise<AnyAgentTool | AnyAgentTool[] | null>;

/** How a tool or factory is registered. */
export interface ToolRegistrationOptions {
  /** Name a factory's tool will have; lets policy decide before the factory runs. */
  name?: string;
  /** Names a factory's tools will have. */
  names?: readonly string[];
  /** True offers the tool only where an allow list names it (POL-023). */
  optional?: boolean;
}

/**
 * Types a tool: `params` in `execute` follow from the schema.
 * @param tool - the tool; `parameters` may be TypeBox, a Standard Schema or JSON Schema
 * @returns the same object
 * @example
 * ```ts
 * const greet = defineTool({
 *   name: "greet",
 *   description: "Greets a person by name.",
 *   parameters: Type.Object({ name: Type.String() }),
 *   execute: (_id, { name }) => `Hello, ${name}!`,
 * });
 * ```
 */
export function defineTool<const Schema extends ParameterSchema, Details = unknown>(
  tool: Omit<ToolDefinition<ParametersOf<Schema>, Details>, "parameters"> & { parameters: Schema },
): ToolDefinition<ParametersOf<Schema>, Details> {
  return tool;
}
