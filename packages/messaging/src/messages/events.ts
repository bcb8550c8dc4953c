import { logRejection } from "@openclaw/agent";
import type { PluginRuntime } from "@openclaw/plugin-runtime";
import type { Logger } from "@openclaw/plugin-sdk";
import type { HookMap, MessageContext } from "@openclaw/plugin-sdk/hooks";

/** Outcome of a message as reported to plugins. */
export type MessageOutcome = Omit<HookMap["request_post"]["event"], "messageId" | "durationMs">;

/** Dependencies of {@link MessageEvents}. */
export interface MessageEventsDependencies {
  readonly plugins: Pick<PluginRuntime, "hooks">;
  readonly logger: Logger;
}

/** Notifies plugins of the outcomes of messages. */
export class MessageEvents {
  readonly #dependencies: MessageEventsDependencies;

  /** @param dependencies - hooks and log */
  constructor(dependencies: MessageEventsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Fires `request_post` without waiting for its handlers.
   * @param message - ID of its row in the inbox, and its arrival on the monotonic clock
   * @param context - context of the hook
   */
  announce(
    { messageId, startedAt }: { readonly messageId: string; readonly startedAt: number },
    outcome: MessageOutcome,
    context: MessageContext,
  ): void {
    const { plugins, logger } = this.#dependencies;
    const durationMs = Math.round(performance.now() - startedAt);
    const event = { ...outcome, messageId, durationMs };
    logRejection(plugins.hooks.observe("request_post", event, context), logger);
  }
}
