import type { ReplyPayload } from "../message/attachment.js";
import type { ToolInput, ToolInputRequest } from "../tools/input.js";

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
  /** Name of the variant of the command; absent for the command itself. */
  readonly variant?: string;
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
  /** Answer to the input request with which the command answered before; absent at first. */
  readonly input?: ToolInput;
  /** Configuration of the host, frozen, secrets redacted. */
  readonly config: Readonly<Record<string, unknown>>;
}

/** Result of a command. */
export interface PluginCommandReply extends ReplyPayload {
  /** True passes the message to the agent after the reply. */
  continueAgent?: boolean;
  /** Text that the agent receives with `continueAgent` instead of the message; the message when absent. */
  agentText?: string;
  /**
   * True deletes the text of the command from the host, for arguments that only the plugin may keep. With `continueAgent`,
   * give the agent another text in `agentText`.
   */
  forgetsMessage?: boolean;
  /** True sends no reply. */
  suppressReply?: boolean;
  /**
   * Input of a person that the command needs, instead of a reply. The command runs once more with it, also after a
   * restart, and at most ten times (EXT-505).
   */
  input?: ToolInputRequest;
}

/** Variant of a command that exists while the plugin offers it, for example `/linear:triage` (PLUG-862). */
export interface PluginCommandVariant {
  /** Whole name without the slash: two parts of `a-z 0-9 _ -` with a colon between them, together at most 96 characters. */
  readonly name: string;
  /** Description for the list of commands. */
  readonly description: string;
  /** Arguments for the list of commands, for example `<team> [state]`. */
  readonly usage?: string;
}

/** Arguments of a command that a person is writing. */
export interface PluginCommandCompletion {
  /** Name of the variant; absent for the command itself. */
  readonly variant?: string;
  /** Text after the name, with the last word as far as it is written. */
  readonly args: string;
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
  /** Returns the variants that the plugin offers now; each of them accepts arguments. */
  variants?(): readonly PluginCommandVariant[];
  /**
   * Returns values for the word that a person is writing.
   * @param completion - arguments as far as they are written
   */
  complete?(completion: PluginCommandCompletion): readonly string[] | Promise<readonly string[]>;
  /**
   * Runs the command.
   * @param context - sender, conversation and arguments
   */
  handler(context: PluginCommandContext): PluginCommandReply | Promise<PluginCommandReply>;
}

/**
 * Defines a typed command outside the plugin that registers it.
 * @returns the same object, for `api.registerCommand`
 */
export function defineCommand(command: PluginCommand): PluginCommand {
  return command;
}
