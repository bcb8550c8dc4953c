import type { ReplyPayload } from "../message/attachment.js";

/** Who gave a command, where, and with what. */
export interface PluginCommandContext {
  /** Surface the command came in on, for example `telegram` or `terminal`. */
  readonly channel: string;
  /** Conversation on that surface. */
  readonly channelId?: string;
  readonly accountId?: string;
  readonly senderId?: string;
  readonly senderIsOwner: boolean;
  /** True for owners, and for senders the operator lets give commands. */
  readonly isAuthorizedSender: boolean;
  /** What followed the name, trimmed; absent when nothing did. */
  readonly args?: string;
  /** The whole text, beginning with the slash. */
  readonly commandBody: string;
  readonly agentId?: string;
  readonly sessionKey?: string;
  readonly sessionId?: string;
  readonly from?: string;
  readonly to?: string;
  readonly messageThreadId?: string | number;
  /** The host's configuration, frozen, secrets redacted. */
  readonly config: Readonly<Record<string, unknown>>;
}

/** What a command answers. */
export interface PluginCommandReply extends ReplyPayload {
  /** True hands the message on to the agent after the reply. */
  continueAgent?: boolean;
  /** True sends nothing. */
  suppressReply?: boolean;
}

/** A slash command that is answered without a model (PLUG-033). */
export interface PluginCommand {
  /** Without the slash: 1 to 32 characters, a lower-case letter first, then also digits, `_` and `-`. */
  name: string;
  /** Shown in the list of commands. */
  description: string;
  /** True lets text follow the name. */
  acceptsArgs?: boolean;
  /** False answers anybody; true, the default, only authorised senders. */
  requireAuth?: boolean;
  /**
   * Answers one use of the command.
   * @param context - who gave it, where, and with what
   */
  handler(context: PluginCommandContext): PluginCommandReply | Promise<PluginCommandReply>;
}

/**
 * Types a command apart from the plugin that registers it.
 * @param command - the command
 * @returns the same object, for `api.registerCommand`
 */
export function defineCommand(command: PluginCommand): PluginCommand {
  return command;
}
