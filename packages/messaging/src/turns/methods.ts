import { chatMethods } from "@openclaw/protocol";
import { MethodRegistry } from "@openclaw/protocol/registry";
import { type HistoryDependencies, readHistory, readImage } from "./history.js";
import { type MessageSendDependencies, sendMessage } from "./send.js";

/** Dependencies of {@link createChatMethods}. */
export interface ChatMethodDependencies extends MessageSendDependencies, HistoryDependencies {
  readonly store: MessageSendDependencies["store"] & HistoryDependencies["store"];
  /**
   * Interrupts turns.
   * @param target - session, turn, or both
   * @returns true when a turn or a subagent was interrupted
   */
  interrupt(target: {
    readonly sessionKey?: string | undefined;
    readonly runId?: string | undefined;
  }): Promise<boolean>;
}

/**
 * Creates the chat methods.
 * @param dependencies - inbound messages, stored conversations, and the function that interrupts turns
 */
export function createChatMethods(
  dependencies: ChatMethodDependencies,
): MethodRegistry<typeof chatMethods> {
  return MethodRegistry.of(chatMethods, {
    "chat.send": (parameters, call) => sendMessage(parameters, call, dependencies),
    "chat.history": (parameters) => readHistory(parameters, dependencies),
    "chat.image": (parameters) => readImage(parameters, dependencies),
    "chat.abort": async (target) => ({ aborted: await dependencies.interrupt(target) }),
  });
}
