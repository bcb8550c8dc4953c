import type { ReplyPayload } from "../message/attachment.js";

/** Sender, conversation and arguments of a command. */
export interface PluginCommandContext {
  /** Channel of the command, for example `telegram` or `terminal`. */
  readonly channel: string;
  /** Conversation on that channel. */
  readonly channelId?: string;
  readonly accountId?: string;
  readonly senderId?: string;
  readonly senderIsOwner: boolean;
  /** True for owners and for senders whom the operator allows to use commands. */
  readonly isAuthorizedSender: boolean;
  /** Text after the name, trimmed; absent when empty. */
  readonly args?: string;
  /** Whole text, beginning with the slash. */
  readonly commandBody: string;
  readonly agentId?: string;
  readonly sessionKey?: string;
  readonly sessionId?: string;
  readonly from?: string;
  readonly to?: string;
  readonly messageThreadId?: string | number;
  /** Configuration of the host, frozen, secrets redacted. */
  readonly config: Readonly<Record<string, unknown>>;
}

/** Result of a command. */
export interface PluginCommandReply extends ReplyPayload {
  /** True passes the message to the agent after the reply. */
  continueAgent?: boolean;
  /** True sends no reply. */
  suppressReply?: boolean;
}

/** Slash command that is answered without a model (PLUG-033). */
export interface PluginCommand {
  /** Name without the slash, 1 to 32 characters: first a lower-case letter, then also digits, `_` and `-`. */
  name: string;
  /** Description for the list of commands. */
  description: string;
  /** True allows arguments after the name. */
  acceptsArgs?: boolean;
  /** True accepts only authorised senders, false accepts every sender; default true. */
  requireAuth?: boolean;
  /**
   * Runs the command.
   * @param context - sender, conversation and arguments
   */
  handler(context: PluginCommandContext): PluginCommandReply | Promise<PluginCommandReply>;
}

/**
 * Defines a typed command outside the plugin that registers it.
 * @param command - the command
 * @returns the same object, for `api.registerCommand`
 */
export function defineCommand(command: PluginCommand): PluginCommand {
  return command;
}
