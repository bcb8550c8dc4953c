import type { TurnServices } from "@openclaw/agent";
import type { PluginRuntime } from "@openclaw/plugin-runtime";
import type { Logger } from "@openclaw/plugin-sdk";
import type { Store } from "@openclaw/store";
import type { TurnQueue } from "./turn-queue.js";

/** What the way of a message through the host needs of it. */
export interface MessageHost {
  readonly store: Store;
  readonly plugins: PluginRuntime;
  readonly queue: TurnQueue;
  readonly services: TurnServices;
  readonly logger: Logger;
  /** `provider/model` of turns that ask for none. */
  readonly model: string;
  /** Replaces the built-in system prompt. */
  readonly instructions?: string;
  /** Aborts every turn. */
  readonly signal: AbortSignal;
  /**
   * Workspace of an agent.
   * @param agentId - for example `main`
   */
  workspaceDir(agentId: string): string;
}
