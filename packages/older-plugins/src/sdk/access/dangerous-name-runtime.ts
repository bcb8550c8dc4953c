/** Section that can allow to compare names instead of IDs. */
interface NameMatching {
  readonly dangerouslyAllowNameMatching?: boolean | null | undefined;
}

/**
 * Returns true when the operator allows to compare names of senders, which their owners can change.
 * @param section - section of a channel or account
 * @deprecated Compare IDs.
 */
export function isDangerousNameMatchingEnabled(section: NameMatching | null | undefined): boolean {
  return section?.dangerouslyAllowNameMatching === true;
}

/**
 * Returns true like {@link isDangerousNameMatchingEnabled}, for an account within its channel.
 * @param sections - sections of the channel and the account
 * @deprecated Compare IDs.
 */
export function resolveDangerousNameMatchingEnabled(sections: {
  readonly providerConfig?: NameMatching | null | undefined;
  readonly accountConfig?: NameMatching | null | undefined;
}): boolean {
  const { providerConfig, accountConfig } = sections;
  return (
    accountConfig?.dangerouslyAllowNameMatching ?? isDangerousNameMatchingEnabled(providerConfig)
  );
}
