import type {
  ToolFactoryContext,
  ToolRequester,
  ToolSessionContext,
  ToolUpdate,
} from "@openclaw/plugin-sdk/tools";

/** Session in which a run takes place. */
export interface LobsterSession {
  readonly sessionKey: string;
  readonly agentId: string;
  /** Absolute path of the workspace. */
  readonly workspaceDir: string;
  readonly requester: ToolRequester;
  readonly callTool: NonNullable<ToolSessionContext["callTool"]>;
}

/** Call of the tool. */
export interface LobsterCall {
  readonly toolCallId: string;
  readonly signal: AbortSignal;
  readonly onUpdate: ToolUpdate;
}

/**
 * Returns the session of a tool; undefined on a host without nested calls.
 * @param context - context of the tool factory
 */
export function sessionOf(context: ToolFactoryContext): LobsterSession | undefined {
  const { sessionKey, agentId, workspaceDir, requester, callTool } = context;
  if (requester === undefined || callTool === undefined) return undefined;
  return { sessionKey, agentId, workspaceDir, requester, callTool };
}
