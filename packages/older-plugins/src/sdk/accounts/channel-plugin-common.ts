import { isRecord } from "../string-coerce-runtime.js";
import { hasConfiguredAccountValue } from "./account-helpers.js";

export { DEFAULT_ACCOUNT_ID, normalizeAccountId } from "../account-id.js";
export { buildChannelConfigSchema, emptyChannelConfigSchema } from "../channel-config-schema.js";
export {
  applyAccountNameToChannelSection,
  type ChannelPlugin,
  deleteAccountFromConfigSection,
  formatPairingApproveHint,
  migrateBaseNameToDefaultAccount,
  PAIRING_APPROVED_MESSAGE,
  setAccountEnabledInConfigSection,
} from "../channel-core.js";

/**
 * Removes settings from one account.
 * @param edit - accounts, the account, and its settings to remove
 * @returns the accounts without them, and whether a setting was removed
 * @deprecated Call `api.runtime.config.mutateConfigFile`.
 */
export function clearAccountEntryFields(edit: {
  readonly accounts?: Readonly<Record<string, object>>;
  readonly accountId: string;
  readonly fields: readonly string[];
  readonly isValueSet?: (value: unknown) => boolean;
  readonly markClearedOnFieldPresence?: boolean;
}): {
  readonly nextAccounts?: Record<string, object>;
  readonly changed: boolean;
  readonly cleared: boolean;
} {
  const { accounts, accountId, fields, isValueSet = hasConfiguredAccountValue } = edit;
  const entry = accounts?.[accountId];
  if (accounts === undefined || !isRecord(entry)) return { changed: false, cleared: false };
  const present = fields.filter((field) => Object.hasOwn(entry, field));
  if (present.length === 0)
    return { nextAccounts: { ...accounts }, changed: false, cleared: false };
  const cleared =
    edit.markClearedOnFieldPresence === true || present.some((field) => isValueSet(entry[field]));
  const rest = Object.fromEntries(
    Object.entries(entry).filter(([field]) => !fields.includes(field)),
  );
  const { [accountId]: _cleared, ...others } = accounts;
  const nextAccounts = Object.keys(rest).length === 0 ? others : { ...others, [accountId]: rest };
  return {
    ...(Object.keys(nextAccounts).length === 0 ? {} : { nextAccounts }),
    changed: true,
    cleared,
  };
}
