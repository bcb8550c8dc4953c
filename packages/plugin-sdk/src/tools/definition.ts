import type { Origin } from "../message/attachment.js";
import type { ImagePart, TextPart } from "../message/message.js";
import type { JsonSchema, JsonValue } from "../schema/json.js";
import type { JsonSchemaBeside, ParameterSchema, ParametersOf } from "./schema.js";

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

/** The same as `ToolResult`, under its older name. */
export type AgentToolResult<Details = unknown> = ToolResult<Details>;

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
  /** What a model is shown, where `parameters` is a Standard Schema that cannot say itself as JSON Schema. */
  jsonSchema?: JsonSchema;
  /**
   * Runs one call.
   * @param toolCallId - id of this call; stable across a resume
   * @param params - the validated arguments; what a transforming schema made of them (SDK-010)
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
  /** True offers the tool only where an allow list names it (POL-023). */
  optional?: boolean;
}

/** A tool of any parameters, as a registry holds it. */
export type AnyAgentTool = ToolDefinition<never>;

/** The session that tools are made for, as the host knows it. */
export interface ToolSessionContext {
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
  /** Where replies of the turn go. */
  readonly deliveryContext?: Origin;
}

/** What a tool factory is told of the session it builds tools for (PLUG-030). */
export interface ToolFactoryContext extends ToolSessionContext {
  /** The folder in which the host keeps what belongs to the agent; absent on a host without files. */
  readonly agentDir?: string;
  /** The host's configuration, frozen, secrets redacted. */
  readonly config: Readonly<Record<string, unknown>>;
}

type MadeTools = AnyAgentTool | AnyAgentTool[] | null;

/** Makes the tools of one session when its tool set is built. */
export type ToolFactory = (context: ToolFactoryContext) => MadeTools | Promise<MadeTools>;

/** A tool factory as a host calls it: what it is told of its plugin is filled in already. */
export type SessionToolFactory = (context: ToolSessionContext) => ReturnType<ToolFactory>;

/** A tool factory as plugins of the 2026.9 vintage write it. */
export interface ToolFactoryV2 {
  readonly contextVersion: 2;
  create: ToolFactory;
}

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
 * What `defineTool` takes.
 * @typeParam Schema - the schema of the arguments
 * @typeParam Details - the type of `details` in its results
 */
export type ToolOf<Schema, Details = unknown> = Omit<
  ToolDefinition<ParametersOf<Schema>, Details>,
  "parameters" | "jsonSchema"
> & { parameters: Schema } & JsonSchemaBeside<Schema>;

/**
 * Types a tool: `params` in `execute` follow from the schema.
 * @param tool - the tool; `parameters` may be TypeBox, a Standard Schema or JSON Schema
 * @returns the same object
 * @example
 * ```ts
 * import { defineTool } from "@openclaw/plugin-sdk/tools";
 * import { Type } from "typebox";
 *
 * export const greet = defineTool({
 *   name: "greet",
 *   description: "Greets a person by name.",
 *   parameters: Type.Object({ name: Type.String() }),
 *   execute: (_toolCallId, { name }) => `Hello, ${name}!`,
 * });
 * ```
 */
export function defineTool<const Schema extends ParameterSchema, Details = unknown>(
  tool: ToolOf<Schema, Details>,
): ToolDefinition<ParametersOf<Schema>, Details> {
  return tool;
}
