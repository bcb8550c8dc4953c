import { isRecord } from "../string-coerce-runtime.js";

export { isRecord } from "../string-coerce-runtime.js";

type Section = Readonly<Record<string, unknown>>;

/** Accounts of a channel, with whether they are enabled. */
export interface ChannelAccountSurface {
  readonly hasExplicitAccounts: boolean;
  readonly channelEnabled: boolean;
  readonly accounts: readonly {
    readonly accountId: string;
    readonly account: Section;
    readonly enabled: boolean;
  }[];
}

/**
 * Returns true unless a section is switched off.
 * @param value - section with `enabled`
 * @deprecated The host reads `enabled` of a channel.
 */
export function isEnabledFlag(value: unknown): boolean {
  return !isRecord(value) || value.enabled !== false;
}

const isOwnField: (value: object, key: string) => boolean = Object.hasOwn;

export { isOwnField as hasOwnProperty };

/**
 * Returns the section of a channel with its accounts; null when the configuration has none.
 * @param channelKey - key below `channels`
 * @deprecated A `Channel` receives the settings of its account.
 */
export function getChannelSurface(
  config: { readonly channels?: Section },
  channelKey: string,
): { readonly channel: Section; readonly surface: ChannelAccountSurface } | null {
  const channel = config.channels?.[channelKey];
  if (!isRecord(channel)) return null;
  const channelEnabled = isEnabledFlag(channel);
  const entries = isRecord(channel.accounts) ? Object.entries(channel.accounts) : [];
  const accounts = entries.flatMap(([accountId, account]) =>
    isRecord(account)
      ? [{ accountId, account, enabled: channelEnabled && isEnabledFlag(account) }]
      : [],
  );
  const hasExplicitAccounts = accounts.length > 0;
  const own = [{ accountId: "default", account: channel, enabled: channelEnabled }];
  return {
    channel,
    surface: {
      hasExplicitAccounts,
      channelEnabled,
      accounts: hasExplicitAccounts ? accounts : own,
    },
  };
}

/**
 * Returns true when an enabled account uses a setting of the channel.
 * @param rootKey - name of the setting
 * @deprecated A `Channel` receives the settings of its account.
 */
export function isBaseFieldActiveForChannelSurface(
  surface: ChannelAccountSurface,
  rootKey: string,
): boolean {
  if (!surface.channelEnabled) return false;
  if (!surface.hasExplicitAccounts) return true;
  return surface.accounts.some(
    ({ account, enabled }) => enabled && !Object.hasOwn(account, rootKey),
  );
}

/**
 * Accepts the declaration of a field with a secret. The host resolves `${secret:<name>}` in every field, so that nothing
 * is left to collect.
 * @param _field - field, and when it is used
 * @deprecated Write `${secret:<name>}` in the configuration.
 */
export function collectSimpleChannelFieldAssignments(_field: object): void {}

/**
 * Accepts the declaration of a nested field with a secret, like {@link collectSimpleChannelFieldAssignments}.
 * @param _field - field, and when it is used
 * @deprecated Write `${secret:<name>}` in the configuration.
 */
export function collectNestedChannelFieldAssignments(_field: object): void {}

/**
 * Accepts the declaration of a field with a secret, like {@link collectSimpleChannelFieldAssignments}.
 * @param _field - field, and when it is used
 * @deprecated Write `${secret:<name>}` in the configuration.
 */
export function collectConditionalChannelFieldAssignments(_field: object): void {}
