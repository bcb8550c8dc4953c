import type { AgentMessage, AssistantMessage, JsonSchema, Usage } from "@openclaw/plugin-sdk/tools";
import type { Job } from "@openclaw/store";
import type { Context } from "hono";

/** Model call of a worker. */
export interface WorkerModelCall {
  readonly job: Job;
  readonly sessionId: string;
  /** `provider/model`. */
  readonly model: string;
  readonly system: string;
  readonly messages: readonly AgentMessage[];
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly parameters: JsonSchema;
  }[];
  readonly toolChoice?: "auto" | "required" | "none" | undefined;
  readonly temperature?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly signal: AbortSignal;
}

/** Reply of a model to a worker. */
export interface WorkerModelReply {
  readonly message: AssistantMessage;
  /** With its cost. */
  readonly usage: Usage;
}

/** Services of the host for workers. */
export interface WorkerHostPort {
  /**
   * Calls a model with the failover, the budgets and the accounting of the host (JOB-041).
   * @throws ModelRequestError, and ModelBudgetError when the call does not fit into a budget
   */
  callModel(call: WorkerModelCall): Promise<WorkerModelReply>;
  /**
   * Returns the result of a tool in a container after the safety pipeline of the host (JOB-042).
   * @param text - text of the result
   */
  guard(toolName: string, text: string): string;
}

/** Failed model call, in the form in which the wires of the host answer. */
export interface WorkerModelFailure {
  readonly status: 502;
  readonly type: "server_error";
  readonly code: string;
  readonly message: string;
  /** The host has repeated the call and tried its other models. */
  readonly shouldRetry: false;
}

/**
 * Answers a request of Anthropic's Messages API with one model call.
 * @param context - the request
 * @param complete - calls the model
 */
export type MessagesWire = (
  context: Context,
  complete: (
    call: Omit<WorkerModelCall, "job" | "model" | "sessionId" | "signal">,
  ) => Promise<WorkerModelReply | WorkerModelFailure>,
) => Promise<Response>;
