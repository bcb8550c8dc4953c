import { isRecord } from "../string-coerce-runtime.js";

/**
 * Names of the messages that a policy of groups rejects.
 * @deprecated Name them in the channel.
 */
export const GROUP_POLICY_BLOCKED_LABEL = {
  group: "group messages",
  guild: "guild messages",
  room: "room messages",
  channel: "channel messages",
  space: "space messages",
} as const;

/** Policy of groups in the words of older hosts. */
export type OlderGroupPolicy = "open" | "allowlist" | "disabled";

/**
 * Returns the policy of groups of every channel, `channels.defaults.groupPolicy`.
 * @deprecated Read `groupPolicy` of the channel.
 */
export function resolveDefaultGroupPolicy(cfg: {
  readonly channels?: unknown;
}): OlderGroupPolicy | undefined {
  const defaults = isRecord(cfg.channels) ? cfg.channels.defaults : undefined;
  const policy = isRecord(defaults) ? defaults.groupPolicy : undefined;
  return policy === "open" || policy === "allowlist" || policy === "disabled" ? policy : undefined;
}

/**
 * Returns the policy of groups of a channel; only named groups without a setting.
 * @param settings - policies of the channel and of every channel
 * @deprecated Read `groupPolicy` of the channel.
 */
export function resolveAllowlistProviderRuntimeGroupPolicy(settings: {
  readonly providerConfigPresent: boolean;
  readonly groupPolicy?: OlderGroupPolicy | null | undefined;
  readonly defaultGroupPolicy?: OlderGroupPolicy | null | undefined;
}): { readonly groupPolicy: OlderGroupPolicy; readonly providerMissingFallbackApplied: boolean } {
  const { providerConfigPresent, groupPolicy, defaultGroupPolicy } = settings;
  if (providerConfigPresent) {
    const policy = groupPolicy ?? defaultGroupPolicy ?? "allowlist";
    return { groupPolicy: policy, providerMissingFallbackApplied: false };
  }
  return { groupPolicy: groupPolicy ?? "allowlist", providerMissingFallbackApplied: !groupPolicy };
}

const warned = new Set<string>();

/**
 * Warns once that a channel without a section rejects messages of groups.
 * @param warning - channel, account, and receiver of the line
 * @returns true when it warned
 * @deprecated Log a warning in the channel.
 */
export function warnMissingProviderGroupPolicyFallbackOnce(warning: {
  readonly providerMissingFallbackApplied: boolean;
  readonly providerKey: string;
  readonly accountId?: string;
  readonly blockedLabel?: string;
  readonly log: (message: string) => void;
}): boolean {
  const { providerKey, accountId = "default", blockedLabel = "group messages" } = warning;
  const key = `${providerKey}:${accountId}`;
  if (!warning.providerMissingFallbackApplied || warned.has(key)) return false;
  warned.add(key);
  warning.log(
    `${providerKey}: channels.${providerKey} is missing, so ${blockedLabel} are not accepted; set channels.${providerKey}.groupPolicy`,
  );
  return true;
}
