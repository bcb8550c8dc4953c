const COMMAND = /^\s*\/[a-z][\w-]*(?=$|[\s:@])/i;

/**
 * Returns true when a text is a command, such as `/status`.
 * @param text - text of a message
 */
export function hasControlCommand(text: string | undefined): boolean {
  return text !== undefined && COMMAND.test(text);
}

/**
 * Returns true when a text is a command, or contains a word that could be one.
 * @param text - text of a message
 */
export function shouldComputeCommandAuthorized(text: string | undefined): boolean {
  return text !== undefined && /(?:^|\s)[/!][a-z]/i.test(text);
}

/**
 * Returns true when a sender may use commands, by what the access lists of a plugin say.
 * @param decision - lists that exist, and those that name the sender
 */
export function resolveCommandAuthorizedFromAuthorizers(decision: {
  readonly useAccessGroups: boolean;
  readonly authorizers: readonly { readonly configured: boolean; readonly allowed: boolean }[];
  readonly modeWhenAccessGroupsOff?: "allow" | "deny" | "configured";
}): boolean {
  const { useAccessGroups, authorizers, modeWhenAccessGroupsOff = "allow" } = decision;
  const isListed = authorizers.some(({ configured, allowed }) => configured && allowed);
  if (useAccessGroups) return isListed;
  if (modeWhenAccessGroupsOff === "configured") {
    return authorizers.some(({ configured }) => configured) ? isListed : true;
  }
  return modeWhenAccessGroupsOff === "allow";
}
