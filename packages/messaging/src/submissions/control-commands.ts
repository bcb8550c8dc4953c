import type { ApprovalBroker } from "@openclaw/approval-broker";
import type { Store } from "@openclaw/store";
import type { RoutedMessage } from "../messages/routed-message.js";
import { type ElevateCommand, setElevatedMode } from "../sessions/elevated-mode.js";
import type { SessionInterrupts } from "../sessions/interrupt.js";
import { type CommandReply, ReplyWriter } from "./command-reply.js";

/** Dependencies of {@link ControlCommands}. */
export interface ControlCommandsDependencies {
  readonly interrupts: Pick<SessionInterrupts, "interrupt">;
  readonly store: Store;
  readonly approvals: Pick<ApprovalBroker, "elevate" | "lower">;
  /** Stops the host once the reply is delivered; absent when messages cannot stop it. */
  readonly quit?: (() => void) | undefined;
}

/** Commands that control the running turn and the host. */
export class ControlCommands {
  readonly #dependencies: ControlCommandsDependencies;

  /** @param dependencies - store, interrupts, approvals, and the stop of the host */
  constructor(dependencies: ControlCommandsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Interrupts the running turn (SUB-021).
   * @param routed - message that is the command
   */
  async interrupt({ route }: RoutedMessage): Promise<string> {
    const wasRunning = await this.#dependencies.interrupts.interrupt(route);
    return wasRunning ? "Interrupted." : "No turn is running.";
  }

  /**
   * Stops the host at the request of an owner (SUB-020).
   * @param routed - message that is the command
   */
  async quit(routed: RoutedMessage): Promise<CommandReply> {
    const { store, quit } = this.#dependencies;
    if (!routed.admitted.senderIsOwner) return { text: "Only an owner can stop the host." };
    if (quit === undefined) return { text: "This host cannot be stopped by a message." };
    const writer = new ReplyWriter(routed);
    // Stored first, because the next start would otherwise process the message again.
    await store.transaction((unit) => writer.store(unit, "Stopping."));
    quit();
    return writer.reply("Stopping.");
  }

  /**
   * Turns elevated mode on or off (SAFE-054).
   * @param command - duration, or off
   * @param routed - message that is the command
   */
  elevate(command: ElevateCommand, { admitted, route }: RoutedMessage): Promise<string> {
    return setElevatedMode(command, { ...admitted, ...route }, this.#dependencies.approvals);
  }
}
