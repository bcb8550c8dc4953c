import { randomUUID } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { writePrivateFile } from "@openclaw/foundation/file-replacement";
import { mainSessionKey } from "@openclaw/messaging";

/** Number of conversations that are kept for one workspace. */
const MOST = 200;

/** Conversation of a workspace. */
export interface WorkspaceConversation {
  /** Full key of its session. */
  readonly sessionKey: string;
  /** Last use, in milliseconds since the epoch. */
  readonly usedAt: number;
}

/** Conversations of workspaces, in a file of the state folder; the file is read at each use, because chats share it. */
export class WorkspaceConversations {
  readonly #file: string;
  #parsed:
    | {
        readonly version: string;
        readonly content: ReadonlyMap<string, readonly WorkspaceConversation[]>;
      }
    | undefined;

  /** @param file - path of the file, which need not exist */
  constructor(file: string) {
    this.#file = file;
  }

  /**
   * Returns the conversations of a workspace with an agent, last used first.
   * @param workspaceDir - real path of the workspace
   * @param agentId - agent of the conversations
   */
  of(workspaceDir: string, agentId: string): readonly WorkspaceConversation[] {
    const prefix = `agent:${agentId}:`;
    const stored = this.#read().get(workspaceDir) ?? [];
    return stored.filter(({ sessionKey }) => sessionKey.startsWith(prefix));
  }

  /**
   * Returns the session in which a workspace continues: the one that it used last. The first workspace has the main
   * session of the agent, which other surfaces share, and every other one starts with a new session.
   * @param workspaceDir - real path of the workspace
   * @param agentId - agent of the conversation
   * @param hostDir - workspace of the gateway, which sessions without a workspace use
   */
  last(workspaceDir: string, agentId: string, hostDir: string): string {
    const [last] = this.of(workspaceDir, agentId);
    if (last !== undefined) return last.sessionKey;
    if (workspaceDir !== hostDir) return newConversation(agentId);
    const main = mainSessionKey(agentId);
    const isTaken = [...this.#read()].some(([folder, conversations]) => {
      return folder !== workspaceDir && conversations.some(({ sessionKey }) => sessionKey === main);
    });
    return isTaken ? newConversation(agentId) : main;
  }

  /**
   * Returns the workspace in which a session was used last.
   * @param sessionKey - full key of the session
   * @returns undefined for a session that no chat has opened
   */
  workspaceOf(sessionKey: string): string | undefined {
    let found: { readonly folder: string; readonly usedAt: number } | undefined;
    for (const [folder, conversations] of this.#read()) {
      const used = conversations.find((each) => each.sessionKey === sessionKey);
      if (used !== undefined && used.usedAt >= (found?.usedAt ?? 0)) {
        found = { folder, usedAt: used.usedAt };
      }
    }
    return found !== undefined && isFolder(found.folder) ? found.folder : undefined;
  }

  /**
   * Records the use of a session in a workspace.
   * @param workspaceDir - real path of the workspace
   * @param sessionKey - full key of the session
   * @param now - milliseconds since the epoch
   */
  use(workspaceDir: string, sessionKey: string, now: number): void {
    const all = this.#read();
    const others = (all.get(workspaceDir) ?? []).filter((each) => each.sessionKey !== sessionKey);
    all.set(workspaceDir, [{ sessionKey, usedAt: now }, ...others].slice(0, MOST));
    writePrivateFile(this.#file, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
  }

  /** Returns the file's content, which is parsed once for each version of the file. */
  #read(): Map<string, readonly WorkspaceConversation[]> {
    const stats = statSync(this.#file, { throwIfNoEntry: false });
    if (stats === undefined) return new Map();
    const version = `${stats.ino} ${stats.mtimeMs} ${stats.size}`;
    if (this.#parsed?.version !== version) {
      this.#parsed = { version, content: this.#parse() };
    }
    return new Map(this.#parsed.content);
  }

  #parse(): ReadonlyMap<string, readonly WorkspaceConversation[]> {
    let content: unknown;
    try {
      content = JSON.parse(readFileSync(this.#file, "utf8"));
    } catch {
      // Without the file, or with a damaged one, each workspace starts a conversation; the sessions still exist.
      return new Map();
    }
    if (typeof content !== "object" || content === null) return new Map();
    return new Map(
      Object.entries(content).map(([folder, list]) => [
        folder,
        Array.isArray(list) ? list.filter(isConversation) : [],
      ]),
    );
  }
}

/**
 * Returns the key of a new conversation.
 * @param agentId - agent of the conversation
 */
export function newConversation(agentId: string): string {
  return `agent:${agentId}:chat-${randomUUID().slice(0, 8)}`;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function isConversation(value: unknown): value is WorkspaceConversation {
  if (typeof value !== "object" || value === null) return false;
  const { sessionKey, usedAt } = value as Partial<Record<keyof WorkspaceConversation, unknown>>;
  return typeof sessionKey === "string" && typeof usedAt === "number";
}
