import type { AgentMessage } from "../message/message.js";
import type { JsonValue } from "../schema/json.js";
import type { NestedToolResult, ToolRequester } from "../tools/definition.js";

/** Call of a tool outside a turn. */
export interface ToolInvocation {
  /** Full key of the session. */
  readonly sessionKey: string;
  /** Name of the tool. */
  readonly tool: string;
  /** Arguments of the tool. */
  readonly params: Readonly<Record<string, JsonValue>>;
  /** Requester of the work that the call continues, from the context of the tool factory; it decides what policy allows. */
  readonly requester: ToolRequester;
  /** Stops the call. */
  readonly signal?: AbortSignal;
}

/** Turn of an agent that a plugin requests. */
export interface AgentRunRequest {
  readonly prompt: string;
  /** Session of the turn; one of the plugin for `sessionId` when absent. */
  readonly sessionKey?: string;
  readonly sessionId?: string;
  /** Provider of `model`. */
  readonly provider?: string;
  /** Model as `provider/model`, or a model of `provider`; the agent's model when absent. */
  readonly model?: string;
  readonly extraSystemPrompt?: string;
  /** True asks the model once, without tools and without a session. */
  readonly disableTools?: boolean;
  /** Time limit in milliseconds. */
  readonly timeoutMs?: number;
}

/** Outcome of an agent's turn. */
export interface AgentRunAnswer {
  /** Parts of the reply. */
  readonly payloads: readonly { readonly text: string; readonly isError?: boolean }[];
  readonly meta: { readonly durationMs: number; readonly aborted?: boolean };
}

/** Folders, turns and tools of agents. */
export interface RuntimeAgents {
  /**
   * Runs a turn of an agent and returns its reply. Policy, hooks and approvals apply as for a message.
   * @param request - prompt and session
   */
  runEmbeddedPiAgent?(request: AgentRunRequest): Promise<AgentRunAnswer>;
  /**
   * Calls a tool in a session without a model, for example to continue work after an approval. The call takes the path of
   * a model's call with the rights of the requester, and waits for an approval where one is needed (PLUG-130).
   * @param invocation - session, tool and requester
   * @returns the result; a denied or failing call does not throw
   * @throws SessionNotFoundError when the session does not exist
   */
  callTool?(invocation: ToolInvocation): Promise<NestedToolResult>;
  /**
   * Returns the folder in which the host stores the data of an agent.
   * @param config - ignored; older plugins pass it
   * @param agentId - default `main`
   */
  resolveAgentDir?(config?: unknown, agentId?: string): string;
  /**
   * Returns the workspace of an agent.
   * @param config - ignored; older plugins pass it
   * @param agentId - default `main`
   */
  resolveAgentWorkspaceDir?(config?: unknown, agentId?: string): string;
  /** Returns true when the user trusts the workspace of the host, so that its files may change what the host does. */
  isWorkspaceTrusted?(): boolean;
}

/** Task for a subagent. */
export interface SubagentRequest {
  readonly task: string;
  /** Session of the turn. */
  readonly sessionKey: string;
  readonly agentId?: string;
  readonly label?: string;
  readonly timeoutMs?: number;
}

/** Outcome of a subagent's run. */
export interface SubagentAnswer {
  readonly runId: string;
  readonly sessionKey: string;
  readonly status: "completed" | "failed" | "timed-out";
  readonly text?: string;
}

/** Message for an agent in a session; the form of older versions of the API. */
export interface SubagentStart {
  readonly message: string;
  readonly sessionKey: string;
  /** Model as `provider/model`. */
  readonly model?: string;
}

/** Runs turns of agents for the plugin. */
export interface RuntimeSubagents {
  /**
   * Starts a turn without waiting for it.
   * @param request - message and session
   */
  run(request: SubagentStart): Promise<{ readonly runId: string }>;
  /**
   * Runs a turn and waits for its reply.
   * @param request - task and session
   */
  run(request: SubagentRequest): Promise<SubagentAnswer>;
  /** @param wait - the run, and the time to wait in milliseconds */
  waitForRun(wait: {
    readonly runId: string;
    readonly timeoutMs?: number;
  }): Promise<{ readonly status: "ok" | "error" | "timeout"; readonly error?: string }>;
  /** @param session - the session, and the maximum number of messages */
  getSessionMessages(session: {
    readonly sessionKey: string;
    readonly limit?: number;
  }): Promise<{ readonly messages: readonly AgentMessage[] }>;
  /**
   * Deletes a session that the plugin started, with its messages.
   * @throws an error with code `PLUGIN_SESSION_DENIED` for a session that the plugin did not start
   */
  deleteSession(session: { readonly sessionKey: string }): Promise<void>;
}
