import type { ApprovalBroker } from "@openclaw/approval-broker";
import type { BackgroundProcesses } from "@openclaw/core-tools";
import type { PluginRuntime } from "@openclaw/plugin-runtime";
import type { Logger } from "@openclaw/plugin-sdk";
import { failureRecord } from "../messages/failure-record.js";
import type { SessionStates } from "./states.js";

/** Dependencies of {@link SessionResources}. */
export interface SessionResourcesDependencies {
  readonly sessionStates: Pick<SessionStates, "end">;
  readonly plugins: Pick<PluginRuntime, "cleanUp">;
  readonly processes: Pick<BackgroundProcesses, "endSession">;
  readonly approvals: Pick<ApprovalBroker, "revoke">;
}

/** Releases the resources of a session other than its conversation: plugin values, grants and processes. */
export class SessionResources {
  readonly #dependencies: SessionResourcesDependencies;
  readonly #logger: Logger;

  /**
   * @param dependencies - plugin values, plugins, background processes and grants
   * @param logger - receives failures of plugins
   */
  constructor(dependencies: SessionResourcesDependencies, logger: Logger) {
    this.#dependencies = dependencies;
    this.#logger = logger;
  }

  /** Revokes the grants of a session (APPR-023). */
  async revokeGrants(sessionKey: string): Promise<void> {
    await this.#dependencies.approvals.revoke({ endedSession: sessionKey });
  }

  /**
   * Deletes the values that plugins keep with a session. A failure is logged; it does not prevent a new
   * conversation.
   * @param reason - reason for the plugins' cleanup
   */
  async dropPluginValues(sessionKey: string, reason: "reset" | "delete"): Promise<void> {
    const { sessionStates, plugins } = this.#dependencies;
    try {
      await sessionStates.end(sessionKey, reason, plugins);
    } catch (error) {
      const { code, message } = failureRecord(error);
      const problem = `the plugin values of a session could not be deleted: ${message}`;
      this.#logger.error(problem, { code, sessionKey });
    }
  }

  /**
   * Stops the background processes of a session without waiting, because one that ignores the signal takes
   * seconds.
   */
  stopProcesses(sessionId: string): void {
    void this.#dependencies.processes.endSession(sessionId);
  }
}
