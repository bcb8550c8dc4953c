import type { ChannelCapabilities } from "../channel/channel.js";
import type { RecallResult } from "../hooks/recall.js";
import type { Origin } from "../message/attachment.js";
import type { ImagePart, TextPart, UsageCost } from "../message/message.js";
import type { JsonSchema, JsonValue } from "../schema/json.js";
import type { ToolInput, ToolInputRequest } from "./input.js";
import type { ToolJob } from "./job.js";
import type { JsonSchemaBeside, ParameterSchema, ParametersOf } from "./schema.js";

/** Result of a tool: content for the model, and optional details for clients. */
export interface ToolResult<Details = unknown> {
  content: (TextPart | ImagePart)[];
  /** Structured data for clients and hooks; never sent to a model (HCR-014). */
  details?: Details;
  /** Cost of the call, for example at the service that the tool calls; `openclaw usage --by tool` sums it. */
  cost?: UsageCost;
  /** True ends the model loop after this batch of calls (TURN-037). */
  terminate?: boolean;
  /** True marks a result that describes a failure. */
  isError?: boolean;
  /**
   * Asks the person for input before the call can end (EXT-360). The rest of the result is not used: the request waits like
   * an approval request, also over a restart, and the call is made once more with the answer.
   */
  input?: ToolInputRequest;
}

/** Legacy name of `ToolResult`. */
export type AgentToolResult<Details = unknown> = ToolResult<Details>;

/** Return value of a tool: a full result, or text or JSON, which the host wraps as text (TURN-037). */
export type ToolOutput<Details = unknown> = ToolResult<Details> | JsonValue | undefined;

/** Approval need of a call (TURN-070). */
export type ApprovalNeed = "never" | "unless-granted" | "always";

/** Approval of a call that a tool requires for one thing, for example one path (TURN-060). */
export type ScopedApproval =
  | {
      need: "always";
      /** Sentence for the person who decides: what the call would do. */
      description: string;
      /** True when no setting of the operator, such as `tools.approval`, replaces the approval. Default false. */
      asksEachTime?: boolean;
    }
  | {
      need: "unless-granted";
      /** Sentence for the person who decides: what the call would do. Absent when title and parameters say it. */
      description?: string;
      /** Identifies the calls of this tool that "always" allows: those with the same value. */
      grantKey: string;
      /**
       * Names these calls behind the name of the tool, in the sentence that says what "always" allows (APPR-056): for
       * example `of /etc/hosts`, or `in /srv/data and the folders below it`.
       */
      covers: string;
      /**
       * True for a `grantKey` that is the absolute path of a folder: "always" then also allows the calls whose `grantKey`
       * is a folder below it. Default false.
       */
      coversBelow?: boolean;
      /**
       * True when the call asks each time: no setting, elevated mode or wider approval replaces this one, only "always" for
       * exactly this `grantKey`. Default false.
       */
      asksEachTime?: boolean;
    };

/** Reports progress of a running call to subscribers; neither stored nor sent to a model (TURN-039). */
export type ToolUpdate = (partial: ToolOutput) => void;

/**
 * Tool that a model can call.
 * @typeParam Params - type of the validated arguments
 * @typeParam Details - type of `details` in the results
 */
export interface ToolDefinition<Params = Record<string, unknown>, Details = unknown> {
  /** Name of 1 to 64 characters of `A-Z a-z 0-9 _ -` (PLUG-029). */
  name: string;
  /** Display name; the name when absent. */
  label?: string;
  /**
   * Description for the model: purpose of the tool and when to use it. A function is called when a turn starts; the result is
   * fixed for the turn (EXT-004).
   */
  description: string | ((context: ToolSessionContext) => string);
  /** Schema of the arguments object, against which the host validates each call before hooks receive it. */
  parameters: ParameterSchema;
  /** JSON Schema for the model; needed when `parameters` is a Standard Schema that cannot convert itself. */
  jsonSchema?: JsonSchema;
  /**
   * Runs one call.
   * @param toolCallId - id of this call, unchanged when the turn resumes
   * @param params - the validated arguments, after transformations of the schema (SDK-010)
   * @param signal - aborts at the deadline and on interrupt
   * @param onUpdate - reports progress
   * @param input - answer to the input request that the call returned before; undefined for a call that asked for nothing
   */
  execute(
    toolCallId: string,
    params: Params,
    signal: AbortSignal,
    onUpdate: ToolUpdate,
    input?: ToolInput,
  ): ToolOutput<Details> | Promise<ToolOutput<Details>>;
  /**
   * Approval need; default `never`. A function decides by the validated params; a call for which it throws is denied.
   */
  approval?:
    | ApprovalNeed
    | ((params: Params) => ApprovalNeed | ScopedApproval | Promise<ApprovalNeed | ScopedApproval>);
  /**
   * Describes the change that a call would make, for the person who is asked to approve it. The host calls it before
   * it requests approval; the call fails without a request when it throws.
   * @param params - the validated arguments
   * @param signal - aborts on interrupt
   * @returns the change as a unified diff; undefined when there is nothing to show
   * @throws an error when the call could not succeed; its message is the result of the call
   */
  preview?(params: Params, signal: AbortSignal): Promise<string | undefined>;
  /** Timeout of one call in milliseconds, at most 600 000; default 60 000 (TURN-038). */
  timeoutMs?: number;
  /** True allows adjacent calls of such tools to run concurrently (TURN-040). */
  parallelSafe?: boolean;
  /** True allows the host to repeat a call whose outcome was lost (TURN-055). */
  idempotent?: boolean;
  /** True hides the tool from all senders except owners (POL-015). */
  ownerOnly?: boolean;
  /** True offers the tool only when an allow list names it (POL-023). */
  optional?: boolean;
  /**
   * Name of the MCP server that runs the tool. Hooks receive the tool with the kind `mcp`, and in policies the name of the
   * server stands for all its tools, unless it is the name of a core tool (EXT-011).
   */
  mcpServer?: string;
  /**
   * Name of the WebAssembly component that runs the tool. Hooks receive the tool with the kind `wasm`, and policies with the
   * origin `wasm` (WASM-504).
   */
  wasmComponent?: string;
  /** Permissions of the tool, one line each, for people who list tools. */
  capabilities?: readonly string[];
}

/** Tool with any parameters, as stored in a registry. */
export type AnyAgentTool = ToolDefinition<never>;

/** Search of a tool in a memory. */
export interface ToolRecall {
  readonly query: string;
  /** Maximum number of results. */
  readonly limit: number;
  /** Sections of the memory to search; all sections when absent. */
  readonly corpus?: readonly string[];
}

/** Call of a tool by another tool while it runs (TURN-090). */
export interface NestedToolCall {
  /** ID of the running call that makes this one; hooks receive it as `parentToolCallId`. */
  readonly parentToolCallId: string;
  /** Step of the running call, for example of a workflow; hooks receive it as `parentStepId`. */
  readonly parentStepId?: string;
  /** Name of the tool. */
  readonly tool: string;
  /** Arguments of the tool. */
  readonly params: Readonly<Record<string, JsonValue>>;
  /** Stops the call; the turn's own signal stops it in any case. */
  readonly signal?: AbortSignal;
  /**
   * Reports that the call waits for an approval.
   * @param approvalId - ID of the approval request
   */
  onApprovalPending?(approvalId: string): void;
  /** Reports that the approval request was settled; the call continues or is denied. */
  onApprovalSettled?(): void;
}

/** Result of a nested call, or of a call that a plugin makes outside a turn. */
export type NestedToolResult =
  | {
      /** `failed`: the tool ran and reported an error, or the call was not valid. */
      readonly status: "ok" | "failed";
      readonly toolCallId: string;
      readonly content: readonly (TextPart | ImagePart)[];
      readonly details?: JsonValue;
    }
  | {
      /** Policy, a hook, the safety engine or an approver denied the call, and it did not run. */
      readonly status: "denied";
      readonly toolCallId: string;
      readonly content: readonly (TextPart | ImagePart)[];
      /** For example `policy:agent`, `plugin:guard` or `approval`. */
      readonly decider: string;
      /** ID of the policy decision, for `openclaw policy explain`; absent when policy did not deny the call. */
      readonly decisionId?: string;
    };

/** Identifies who wrote the message that led to a tool call; a plugin keeps it to continue the work later. */
export interface ToolRequester {
  readonly channel: string;
  /** Conversation on the channel. */
  readonly channelId: string;
  readonly senderId: string;
  readonly senderIsOwner: boolean;
  readonly senderName?: string;
  readonly accountId?: string;
  readonly threadId?: string;
  readonly groupId?: string;
}

/** Session for which tools are created. */
export interface ToolSessionContext {
  readonly sessionKey: string;
  readonly sessionId: string;
  readonly agentId: string;
  /** Absolute path of the agent's workspace. */
  readonly workspaceDir: string;
  /** Channel of the message that started the turn, for example `telegram` or `terminal`. */
  readonly messageChannel: string;
  readonly agentAccountId?: string;
  readonly requesterSenderId?: string;
  readonly senderIsOwner: boolean;
  readonly sandboxed: boolean;
  /** Model of the turn, as `provider/model`. */
  readonly activeModel: string;
  /** Capabilities of the channel; absent where it declares none. */
  readonly channelCapabilities?: ChannelCapabilities;
  /** Conversation that receives the replies of the turn. */
  readonly deliveryContext?: Origin;
  /** Group or room of the message; absent in direct conversations. */
  readonly groupId?: string;
  /** True when an operator or a client calls the tool outside turns: its arguments are theirs, not those of a model. */
  readonly isDirect?: boolean;
  /**
   * Runs a search of a tool with the hooks `before_recall` and `after_recall` around it, with source `tool` (TURN-017).
   * @param asked - the search of the model
   * @param search - searches as changed by the handlers of `before_recall`; not called when they skip the search
   * @returns the results that the handlers of `after_recall` keep
   */
  readonly recall?: (
    asked: ToolRecall,
    search: (changed: ToolRecall) => Promise<readonly RecallResult[]>,
  ) => Promise<readonly RecallResult[]>;
  /** Identifies who wrote the message of the turn, for `runtime.agent.callTool`. */
  readonly requester?: ToolRequester;
  /**
   * Calls another tool of the session while a tool runs. The call takes the path of a model's call: policy, schema, hooks,
   * rate limit, approval, execution, safety engine (TURN-090). A call that needs an approval waits for it. Calls can be
   * nested four deep.
   * @param call - the tool, its arguments, and the running call
   * @returns the result; a denied or failing call does not throw
   * @throws the reason of the signal when the host stops
   */
  readonly callTool?: (call: NestedToolCall) => Promise<NestedToolResult>;
  /** The background job in whose turn the tool runs; absent in other turns (JOB-981). */
  readonly job?: ToolJob;
}

/** Argument of a tool factory: the session and the host (PLUG-030). */
export interface ToolFactoryContext extends ToolSessionContext {
  /** Folder in which the host stores the agent's data; absent on a host without files. */
  readonly agentDir?: string;
  /** Configuration of the host, frozen, secrets redacted. */
  readonly config: Readonly<Record<string, unknown>>;
}

type MadeTools = AnyAgentTool | AnyAgentTool[] | null;

/** Creates the tools of a session when its tool set is built. */
export type ToolFactory = (context: ToolFactoryContext) => MadeTools | Promise<MadeTools>;

/** Tool factory as called by a host, with the fields of its plugin already bound. */
export type SessionToolFactory = (context: ToolSessionContext) => ReturnType<ToolFactory>;

/** Tool factory in the form of plugins from 2026.9. */
export interface ToolFactoryV2 {
  readonly contextVersion: 2;
  create: ToolFactory;
}

/** Options of a tool or tool factory. */
export interface ToolRegistrationOptions {
  /** Name of the factory's tool, with which policy decides before the factory runs. */
  name?: string;
  /** Names of the factory's tools. */
  names?: readonly string[];
  /** True offers the tool only when an allow list names it (POL-023). */
  optional?: boolean;
}

/**
 * Argument of `defineTool`.
 * @typeParam Schema - schema of the arguments
 * @typeParam Details - type of `details` in the results
 */
export type ToolOf<Schema, Details = unknown> = Omit<
  ToolDefinition<ParametersOf<Schema>, Details>,
  "parameters" | "jsonSchema"
> & { parameters: Schema } & JsonSchemaBeside<Schema>;

/**
 * Defines a tool whose `params` in `execute` are typed by the schema.
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
