import type { RoutedMessage } from "../messages/routed-message.js";

/** A message about routines, and the conversation in which it was written. */
export type RoutineMessage = Pick<RoutedMessage, "admitted" | "route">;

/** Commands about routines, which the layer above has. */
export interface RoutineCommands {
  /**
   * Answers `/cron`.
   * @param text - text after the name of the command
   * @param message - the sender and the conversation
   */
  answer(text: string, message: RoutineMessage): Promise<string>;
  /**
   * Answers `/heartbeat`, which runs a heartbeat, with its outcome.
   * @param message - the sender and the conversation
   */
  heartbeat(message: RoutineMessage): Promise<string>;
}
