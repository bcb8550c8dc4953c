import { defined } from "@openclaw/foundation";
import { accountSections, type ChannelSection, isSection } from "@openclaw/messaging";
import type { AdapterChannel } from "@openclaw/plugin-sdk/channel-core";
import type { VisibleConfig } from "@openclaw/plugin-sdk/services";
import { adapterMethod } from "./method.js";
import { senderNormalizer } from "./sender.js";

/**
 * Returns the accounts of a channel of an older plugin with their sections. The plugin decides which accounts there
 * are; without a decision they are those of every channel.
 * @param section - section of the channel in the configuration
 * @param cfg - configuration as the plugin may see it
 */
export function adapterSections(
  channel: AdapterChannel,
  section: ChannelSection,
  cfg: VisibleConfig,
): ReadonlyMap<string, ChannelSection> {
  const own = accountSections(section);
  const { accounts: _accounts, ...common } = section;
  const listed = adapterMethod(channel, "config", "listAccountIds")?.(cfg);
  const ids = Array.isArray(listed)
    ? listed.filter((id) => typeof id === "string" && id !== "")
    : [];
  const accountIds = ids.length === 0 ? [...own.keys()] : [...new Set<string>(ids)];
  return new Map(
    accountIds.map((accountId) => [
      accountId,
      accessSection(channel, own.get(accountId) ?? common, { cfg, accountId }),
    ]),
  );
}

/**
 * Returns an account in the form of the plugin.
 * @param cfg - configuration as the plugin may see it
 */
export function resolveAccount(
  channel: AdapterChannel,
  cfg: VisibleConfig,
  accountId: string,
): unknown {
  const resolve = adapterMethod(channel, "config", "resolveAccount");
  if (resolve !== undefined) return resolve(cfg, accountId);
  const { channels } = cfg;
  const section = isSection(channels) ? channels[channel.id] : undefined;
  const sections = accountSections(isSection(section) ? section : {});
  return { accountId, config: sections.get(accountId) ?? {} };
}

/** Account of a channel. */
interface AccountPlace {
  readonly cfg: VisibleConfig;
  readonly accountId: string;
}

/**
 * Puts the senders whom a plugin admits under its own keys, and its spelling of IDs, into the section that the host
 * decides by. A policy that admits everyone is taken from the configuration only, never from the plugin.
 */
function accessSection(
  channel: AdapterChannel,
  section: ChannelSection,
  { cfg, accountId }: AccountPlace,
): ChannelSection {
  const normalize = senderNormalizer(channel);
  const account = resolveAccount(channel, cfg, accountId);
  const policy = adapterMethod(
    channel,
    "security",
    "resolveDmPolicy",
  )?.({
    ...{ cfg, accountId, account },
  });
  const ofPlugin = adapterMethod(channel, "config", "resolveAllowFrom")?.({ cfg, accountId });
  const entries = [
    ...listOf(section.allowFrom),
    ...listOf(ofPlugin),
    ...listOf(isSection(policy) ? policy.allowFrom : undefined),
  ];
  const owners = listOf(section.owners);
  return {
    ...section,
    ...defined({ dmPolicy: section.dmPolicy ?? closedPolicy(policy) }),
    ...(entries.length === 0 ? {} : { allowFrom: spellings(entries, normalize) }),
    ...(owners.length === 0 ? {} : { owners: spellings(owners, normalize) }),
    ...(section.groupPolicy === "mention" ? {} : { groupPolicy: groupPolicyOf(section) }),
    ...(section.groupPolicy === "open" ? { groups: { ...objectOf(section.groups), "*": {} } } : {}),
  };
}

/** The plugin decides about mentions, because it knows which of its rooms need one. */
function groupPolicyOf({ groupPolicy }: ChannelSection): unknown {
  if (groupPolicy === "disabled") return "off";
  const isOfPlugin = groupPolicy === undefined || groupPolicy === "open";
  return isOfPlugin || groupPolicy === "allowlist" ? "all" : groupPolicy;
}

function closedPolicy(policy: unknown): string | undefined {
  if (!isSection(policy)) return undefined;
  if (policy.policy === "disabled") return "off";
  return policy.policy === "allowlist" ? "allowlist" : undefined;
}

function spellings(entries: readonly string[], normalize: (id: string) => string): string[] {
  return [...new Set(entries.map((entry) => (entry === "*" ? entry : normalize(entry))))];
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function objectOf(value: unknown): ChannelSection {
  return isSection(value) ? value : {};
}
