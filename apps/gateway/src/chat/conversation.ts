import {
  newConversation,
  stateFolderAt,
  type WorkspaceConversation,
  WorkspaceConversations,
} from "@openclaw/gateway";
import { agentOfCallerKey, expandSessionKey } from "@openclaw/messaging";
import { stateDirOf } from "../installation.js";
import { UsageError } from "../shell/usage-error.js";

/** Options that choose the conversation of a chat. */
export interface ConversationOptions {
  /** Starts a new conversation. */
  new?: boolean;
  /** Continues an earlier conversation of the workspace: its ID, or `true` for the list of them. */
  resume?: string | true;
  /** Key of a session, full or short. */
  session?: string;
  agent?: string;
}

/** Conversation of a chat. */
export type ChosenConversation =
  | { readonly kind: "session"; readonly sessionKey: string }
  | { readonly kind: "list"; readonly conversations: readonly WorkspaceConversation[] };

/** Folders that determine the conversation of a chat. */
export interface ConversationPlace {
  readonly environment: NodeJS.ProcessEnv;
  /** Workspace of the chat. */
  readonly workspaceDir: string;
  /** Workspace of the gateway that hosts the chat. */
  readonly hostDir: string;
}

/** Agent of a chat for which no option names another. */
export const DEFAULT_AGENT = "main";

/**
 * Chooses the conversation of a chat: the last one of its workspace, unless an option names another.
 * @param options - command-line options
 * @param place - workspaces of the chat and of its gateway
 * @throws UsageError when options exclude each other, or name a conversation that does not exist
 */
export function chooseConversation(
  { new: isNew = false, resume, session, agent = DEFAULT_AGENT }: ConversationOptions,
  { environment, workspaceDir, hostDir }: ConversationPlace,
): ChosenConversation {
  const given = [
    isNew && "--new",
    resume !== undefined && "--resume",
    session !== undefined && "--session",
  ];
  const named = given.filter((name) => name !== false);
  if (named.length > 1)
    throw new UsageError(`${named.join(" and ")} exclude each other; give one of them`);
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(agent)) {
    throw new UsageError(
      `--agent ${JSON.stringify(agent)} is not the ID of an agent, for example \`main\``,
    );
  }
  const all = new WorkspaceConversations(stateFolderAt(stateDirOf(environment)).workspacesFile);
  if (session !== undefined) return { kind: "session", sessionKey: fullKey(session, agent) };
  if (isNew) return { kind: "session", sessionKey: newConversation(agent) };
  if (resume === true) return { kind: "list", conversations: all.of(workspaceDir, agent) };
  if (resume === undefined) {
    const place = { environment, workspaceDir, hostDir };
    return { kind: "session", sessionKey: lastConversation(place, agent) };
  }
  const found = all.of(workspaceDir, agent).filter(({ sessionKey }) => {
    return sessionKey === resume || conversationId(sessionKey).startsWith(resume);
  });
  const [only] = found;
  if (only === undefined || found.length > 1) {
    const problem = only === undefined ? "not found" : "matches several conversations";
    throw new UsageError(
      `conversation ${JSON.stringify(resume)} ${problem} in ${workspaceDir}; \`openclaw chat --resume\` lists them`,
    );
  }
  return { kind: "session", sessionKey: only.sessionKey };
}

/**
 * Returns the agent of a chat.
 * @param options - command-line options
 */
export function agentOfOptions({ session = "", agent }: ConversationOptions): string {
  return agentOfCallerKey(session) ?? agent ?? DEFAULT_AGENT;
}

/**
 * Returns the session in which a workspace continues.
 * @param place - workspaces of the chat and of its gateway
 */
export function lastConversation(
  { environment, workspaceDir, hostDir }: ConversationPlace,
  agent: string = DEFAULT_AGENT,
): string {
  const { workspacesFile } = stateFolderAt(stateDirOf(environment));
  return new WorkspaceConversations(workspacesFile).last(workspaceDir, agent, hostDir);
}

/**
 * Records that a chat uses a session in its workspace, so that later chats there continue it.
 * @param sessionKey - full key of the session
 * @param place - workspace of the chat
 */
export function recordConversation(
  sessionKey: string,
  { environment, workspaceDir }: Pick<ConversationPlace, "environment" | "workspaceDir">,
): void {
  const { workspacesFile } = stateFolderAt(stateDirOf(environment));
  new WorkspaceConversations(workspacesFile).use(workspaceDir, sessionKey, Date.now());
}

/**
 * Returns the part of a session key that identifies a conversation of an agent.
 * @param sessionKey - full key
 */
export function conversationId(sessionKey: string): string {
  return sessionKey.split(":").slice(2).join(":");
}

function fullKey(session: string, agent: string): string {
  const key = expandSessionKey(session, agent);
  const full = key.startsWith("agent:") ? key : `agent:${agent}:${key}`;
  if (agentOfCallerKey(full) !== undefined) return full;
  throw new UsageError(
    `--session ${JSON.stringify(session)} is not the key of a session; expected for example \`main\` or \`agent:main:main\``,
  );
}
