import type { ApprovalBroker } from "@openclaw/approval-broker";
import type { RoutedMessage } from "../messages/routed-message.js";
import type { SessionCommand } from "../sessions/command.js";
import { setElevatedMode } from "../sessions/elevated-mode.js";
import { interruptSession } from "../sessions/interrupt.js";
import type { SessionLifecycle } from "../sessions/lifecycle.js";
import type { SubagentManager } from "../subagents/manager.js";
import type { SessionTurnQueues } from "../turns/session-queues.js";

/** Dependencies of {@link SessionCommands}. */
export interface SessionCommandsDependencies {
  readonly turnQueues: Pick<SessionTurnQueues, "of" | "interrupt" | "exclusive">;
  readonly sessions: Pick<SessionLifecycle, "reset">;
  readonly subagents: Pick<SubagentManager, "stopSubagentsOf">;
  readonly approvals: Pick<ApprovalBroker, "cancelFor" | "elevate" | "lower">;
}

/** Executes the commands that people write to a session, such as `/reset`. */
export class SessionCommands {
  readonly #dependencies: SessionCommandsDependencies;

  /** @param dependencies - turns, sessions, subagents and approvals */
  constructor(dependencies: SessionCommandsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Executes a command on the session of a message.
   * @param command - the command
   * @param routed - the message that contains it
   * @returns the text for its sender
   */
  async execute(command: SessionCommand, { admitted, route }: RoutedMessage): Promise<string> {
    const { turnQueues, sessions, approvals } = this.#dependencies;
    const { sessionKey } = route;
    switch (command.kind) {
      case "interrupt":
        return (await interruptSession(sessionKey, this.#dependencies))
          ? "Interrupted."
          : "No turn is running.";
      case "reset": {
        const { reason } = command;
        await approvals.cancelFor({ sessionKey }, "reset");
        // Queued among the turns of the session, because turns of earlier messages belong to the old
        // conversation.
        await turnQueues.exclusive(sessionKey, () =>
          sessions.reset(sessionKey, { by: "command", reason }),
        );
        return "Started a new conversation.";
      }
      case "elevate":
        return await setElevatedMode(command, { ...admitted, ...route }, approvals);
    }
  }
}
