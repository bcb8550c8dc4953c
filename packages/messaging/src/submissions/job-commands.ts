import type { RoutedMessage } from "../messages/routed-message.js";
import type { JobIntent } from "./intent.js";

/** A message about jobs, and the conversation in which it was written. */
export type JobMessage = Pick<RoutedMessage, "admitted" | "route" | "row">;

/** Commands about jobs, which the layer above has. */
export interface JobCommands {
  /**
   * Answers a command about jobs.
   * @param intent - command of the sender
   * @param message - the sender and the conversation
   * @returns the reply; undefined when the ID of `HelpJob` is of no job that the sender may see
   */
  answer(intent: JobIntent, message: JobMessage): Promise<string | undefined>;
}
