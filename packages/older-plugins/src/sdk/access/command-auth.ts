import {
  resolveCommandAuthorizedFromAuthorizers as authorize,
  hasControlCommand as isCommand,
} from "../../channels/text/commands.js";

/** Access list of a plugin: whether it exists, and whether it names the sender. */
export interface CommandAuthorizer {
  readonly configured: boolean;
  readonly allowed: boolean;
}

/** Mode of commands when access groups are switched off. */
export type CommandMode = "allow" | "deny" | "configured";

/**
 * Returns true when a sender may use commands. The host decides again, by the owners of the channel.
 * @param decision - lists, and whether they are used
 * @deprecated The host decides about commands.
 */
export function resolveCommandAuthorizedFromAuthorizers(decision: {
  readonly useAccessGroups: boolean;
  readonly authorizers: readonly CommandAuthorizer[];
  readonly modeWhenAccessGroupsOff?: CommandMode;
}): boolean {
  return authorize(decision);
}

/**
 * Returns whether a sender may use commands, and whether a command must be ignored.
 * @param decision - lists, and whether the message is a command
 * @deprecated The host decides about commands.
 */
export function resolveControlCommandGate(decision: {
  readonly useAccessGroups: boolean;
  readonly authorizers: readonly CommandAuthorizer[];
  readonly allowTextCommands: boolean;
  readonly hasControlCommand: boolean;
  readonly modeWhenAccessGroupsOff?: CommandMode;
}): { readonly commandAuthorized: boolean; readonly shouldBlock: boolean } {
  const { allowTextCommands, hasControlCommand } = decision;
  const commandAuthorized = authorize(decision);
  const shouldBlock = allowTextCommands && hasControlCommand && !commandAuthorized;
  return { commandAuthorized, shouldBlock };
}

/**
 * Returns whether a direct message is accepted.
 * @param message - policy, and whether the sender is named
 * @deprecated The host decides about the senders of a `Channel`.
 */
export function resolveDirectDmAuthorizationOutcome(message: {
  readonly isGroup: boolean;
  readonly dmPolicy: string;
  readonly senderAllowedForCommands: boolean;
}): "disabled" | "unauthorized" | "allowed" {
  if (message.isGroup) return "allowed";
  if (message.dmPolicy === "disabled") return "disabled";
  const isAllowed = message.dmPolicy === "open" || message.senderAllowedForCommands;
  return isAllowed ? "allowed" : "unauthorized";
}

/** Sender of a message, with the policy, the lists, and the functions that read and compare them. */
export interface SenderCommandRequest {
  readonly cfg: Readonly<Record<string, unknown>>;
  readonly rawBody: string;
  readonly isGroup: boolean;
  readonly dmPolicy: string;
  readonly configuredAllowFrom: readonly string[];
  readonly configuredGroupAllowFrom?: readonly string[];
  readonly senderId: string;
  readonly isSenderAllowed: (senderId: string, allowFrom: string[]) => boolean;
  readonly readAllowFromStore: () => Promise<readonly string[]>;
  /** Returns true for a text that is a command; by default the host decides. */
  readonly shouldComputeCommandAuthorized?: (
    rawBody: string,
    cfg: Readonly<Record<string, unknown>>,
  ) => boolean;
  /** Decides by the lists; by default the host does. */
  readonly resolveCommandAuthorizedFromAuthorizers?: (decision: {
    readonly useAccessGroups: boolean;
    readonly authorizers: { configured: boolean; allowed: boolean }[];
  }) => boolean;
}

/** Decision about a sender: admission, and use of commands. */
export interface SenderCommandAuthorization {
  readonly shouldComputeAuth: boolean;
  readonly effectiveAllowFrom: string[];
  readonly effectiveGroupAllowFrom: string[];
  readonly senderAllowedForCommands: boolean;
  readonly commandAuthorized: boolean | undefined;
}

/**
 * Returns whether the sender of a message is admitted and may use commands.
 * @param message - sender, policy, lists, and the functions of the runtime
 * @deprecated The host decides about the senders of a `Channel`.
 */
export async function resolveSenderCommandAuthorizationWithRuntime(
  message: Omit<SenderCommandRequest, "shouldComputeCommandAuthorized"> & {
    readonly runtime?: Pick<
      SenderCommandRequest,
      "shouldComputeCommandAuthorized" | "resolveCommandAuthorizedFromAuthorizers"
    >;
  },
): Promise<SenderCommandAuthorization> {
  return await resolveSenderCommandAuthorization({ ...message, ...message.runtime });
}

/**
 * Returns whether the sender of a message is admitted and may use commands.
 * @param message - sender, policy, lists, and the functions that read and compare them
 * @deprecated The host decides about the senders of a `Channel`.
 */
export async function resolveSenderCommandAuthorization(
  message: SenderCommandRequest,
): Promise<SenderCommandAuthorization> {
  const { cfg, isGroup, dmPolicy, senderId, isSenderAllowed, readAllowFromStore } = message;
  const decide = message.resolveCommandAuthorizedFromAuthorizers ?? authorize;
  const shouldComputeAuth =
    message.shouldComputeCommandAuthorized?.(message.rawBody, cfg) ?? isCommand(message.rawBody);
  const readsStore =
    !isGroup && dmPolicy !== "allowlist" && (dmPolicy !== "open" || shouldComputeAuth);
  const stored = readsStore ? await readAllowFromStore() : [];
  const effectiveAllowFrom = [...new Set([...message.configuredAllowFrom, ...stored])];
  const effectiveGroupAllowFrom = [...(message.configuredGroupAllowFrom ?? [])];
  const list = isGroup ? effectiveGroupAllowFrom : effectiveAllowFrom;
  const senderAllowedForCommands = isSenderAllowed(senderId, list);
  const authorizers = [
    {
      configured: effectiveAllowFrom.length > 0,
      allowed: isSenderAllowed(senderId, effectiveAllowFrom),
    },
    { configured: isGroup && list.length > 0, allowed: senderAllowedForCommands },
  ];
  const { commands } = cfg;
  const useAccessGroups = Reflect.get(Object(commands), "useAccessGroups") !== false;
  return {
    shouldComputeAuth,
    effectiveAllowFrom,
    effectiveGroupAllowFrom,
    senderAllowedForCommands,
    commandAuthorized: shouldComputeAuth ? decide({ useAccessGroups, authorizers }) : undefined,
  };
}
