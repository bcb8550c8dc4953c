import { isRecord } from "../string-coerce-runtime.js";

type Config = Readonly<Record<string, unknown>>;
type Entries = readonly (string | number)[];
type Warnings = string | readonly string[] | null | undefined | false;
type Collector<Given> = (given: Given) => string[] | Promise<string[]>;

/**
 * Joins functions that return warnings.
 * @param collectors - functions
 * @deprecated Log a warning in the channel.
 */
export function composeWarningCollectors<Given>(
  ...collectors: readonly (Collector<Given> | null | undefined)[]
): (given: Given) => Promise<string[]> {
  return async (given) => {
    const found = await Promise.all(
      collectors.map(async (collect) => (await collect?.(given)) ?? []),
    );
    return found.flat();
  };
}

/**
 * Creates a function that returns the warnings of several conditions.
 * @param collectors - functions that return a warning, or nothing
 * @deprecated Log a warning in the channel.
 */
export function createConditionalWarningCollector<Given>(
  ...collectors: readonly ((given: Given) => Warnings)[]
): (given: Given) => string[] {
  return (given) => collectors.flatMap((collect) => listOf(collect(given)));
}

/**
 * Passes the account of a check to a function that returns warnings.
 * @param collector - function for an account
 * @deprecated Log a warning in the channel.
 */
export function projectAccountWarningCollector<Account>(
  collector: Collector<Account>,
): Collector<{ readonly account: Account }> {
  return ({ account }) => collector(account);
}

/**
 * Passes the account of a check and a part of the configuration to a function that returns warnings.
 * @param project - returns the part of the configuration
 * @param collector - function for both
 * @deprecated Log a warning in the channel.
 */
export function projectAccountConfigWarningCollector<Account, Projected>(
  project: (cfg: Config) => Projected,
  collector: Collector<{ readonly account: Account; readonly cfg: Projected }>,
): Collector<{ readonly account: Account; readonly cfg: Config }> {
  return ({ account, cfg }) => collector({ account, cfg: project(cfg) });
}

/**
 * Joins a function that returns the warnings of a check with others for its account.
 * @param base - function for the check
 * @param collectors - functions for the account
 * @deprecated Log a warning in the channel.
 */
export function composeAccountWarningCollectors<
  Account,
  Given extends { readonly account: Account },
>(base: Collector<Given>, ...collectors: readonly ((account: Account) => Warnings)[]) {
  return async (given: Given): Promise<string[]> => [
    ...(await base(given)),
    ...collectors.flatMap((collect) => listOf(collect(given.account))),
  ];
}

/** Text of a warning about groups that everyone may use. */
interface OpenWarning {
  readonly surface: string;
  readonly openBehavior?: string;
  readonly openScope?: string;
  readonly remediation?: string;
  readonly groupPolicyPath?: string;
  readonly groupAllowFromPath?: string;
  readonly routeAllowlistPath?: string;
}

/** Policy of the groups of an account. */
interface GroupPolicyOptions<Account> {
  readonly providerConfigPresent: (cfg: Config) => boolean;
  readonly resolveGroupPolicy: (account: Account) => string | null | undefined;
}

/**
 * Creates a function that warns when an account answers in every group.
 * @param options - policy of the account, and text of the warning
 * @deprecated Log a warning in the channel.
 */
export function createAllowlistProviderOpenWarningCollector<Account>(
  options: GroupPolicyOptions<Account> & { readonly buildOpenWarning: OpenWarning },
) {
  return (given: { readonly account: Account; readonly cfg: Config }): string[] =>
    isOpen(options, given) ? [openWarning(options.buildOpenWarning)] : [];
}

/**
 * Creates a function that warns when an account answers in every group, by whether rooms are listed.
 * @param options - policy of the account, and the warnings
 * @deprecated Log a warning in the channel.
 */
export function createAllowlistProviderRouteAllowlistWarningCollector<Account>(
  options: GroupPolicyOptions<Account> & {
    readonly resolveRouteAllowlistConfigured: (account: Account) => boolean;
    readonly restrictSenders: OpenWarning;
    readonly noRouteAllowlist: OpenWarning;
  },
) {
  return (given: { readonly account: Account; readonly cfg: Config }): string[] => {
    if (!isOpen(options, given)) return [];
    const hasRooms = options.resolveRouteAllowlistConfigured(given.account);
    return [openWarning(hasRooms ? options.restrictSenders : options.noRouteAllowlist)];
  };
}

/**
 * Creates a function that warns about entries of access lists that a sender can take on, such as names.
 * @param options - channel, the test of an entry, and its lists
 * @deprecated Log a warning in the channel.
 */
export function createDangerousNameMatchingMutableAllowlistWarningCollector(options: {
  readonly channel: string;
  readonly detector: (entry: string) => boolean;
  readonly collectLists: (scope: {
    readonly prefix: string;
    readonly account: Record<string, unknown>;
    readonly dangerousFlagPath: string;
  }) => readonly { readonly pathLabel: string; readonly list: unknown }[];
}): (given: { readonly cfg: Config }) => string[] {
  const { channel, detector, collectLists } = options;
  return ({ cfg }) => {
    const section = isRecord(cfg.channels) ? cfg.channels[channel] : undefined;
    if (!isRecord(section)) return [];
    const accounts = isRecord(section.accounts) ? Object.entries(section.accounts) : [];
    const scopes = [
      { prefix: `channels.${channel}`, account: section },
      ...accounts.flatMap(([id, account]) =>
        isRecord(account) ? [{ prefix: `channels.${channel}.accounts.${id}`, account }] : [],
      ),
    ];
    return scopes
      .filter(({ account }) => account.dangerouslyAllowNameMatching !== true)
      .flatMap(({ prefix, account }) =>
        collectLists({
          prefix,
          account,
          dangerousFlagPath: `${prefix}.dangerouslyAllowNameMatching`,
        }).flatMap(({ pathLabel, list }) =>
          entriesIn(list)
            .filter(detector)
            .map(
              (entry) =>
                `- ${pathLabel}: "${entry}" is a name, which its owner can change; write the ID.`,
            ),
        ),
      );
  };
}

/**
 * Returns the senders whom the operator admitted, unless the policy asks for others.
 * @param place - channel, account, policy and the function that reads them
 * @deprecated The host pairs the senders of a `Channel`.
 */
export async function readStoreAllowFromForDmPolicy(place: {
  readonly provider: string;
  readonly accountId: string;
  readonly dmPolicy?: string | null;
  readonly shouldRead?: boolean | null;
  readonly readStore?: (provider: string, accountId: string) => Promise<readonly string[]>;
}): Promise<readonly string[]> {
  const { provider, accountId, dmPolicy, shouldRead, readStore } = place;
  const isNeeded = shouldRead !== false && dmPolicy !== "allowlist" && dmPolicy !== "open";
  return isNeeded ? ((await readStore?.(provider, accountId)) ?? []) : [];
}

/**
 * Decides about the sender of a message by access lists, in front of the decision of the host.
 * @param sender - policies, lists, and the function that finds the sender in a list
 * @deprecated The host decides about the senders of a `Channel`.
 */
export function resolveDmGroupAccessWithLists(sender: {
  readonly isGroup: boolean;
  readonly dmPolicy?: string | null;
  readonly groupPolicy?: string | null;
  readonly allowFrom?: Entries | null;
  readonly groupAllowFrom?: Entries | null;
  readonly storeAllowFrom?: Entries | null;
  readonly groupAllowFromFallbackToAllowFrom?: boolean | null;
  readonly isSenderAllowed: (allowFrom: string[]) => boolean;
}): {
  readonly decision: "allow" | "block" | "pairing";
  readonly reasonCode: string;
  readonly reason: string;
  readonly effectiveAllowFrom: string[];
  readonly effectiveGroupAllowFrom: string[];
} {
  const dmPolicy = sender.dmPolicy ?? "pairing";
  const groupPolicy = sender.groupPolicy ?? "allowlist";
  const own = texts(sender.allowFrom);
  const stored = dmPolicy === "allowlist" ? [] : texts(sender.storeAllowFrom);
  const effectiveAllowFrom = [...new Set([...own, ...stored])];
  const group = texts(sender.groupAllowFrom);
  const usesDirect = sender.groupAllowFromFallbackToAllowFrom !== false;
  const effectiveGroupAllowFrom = group.length === 0 && usesDirect ? own : group;
  const lists = { effectiveAllowFrom, effectiveGroupAllowFrom };
  const end = (decision: "allow" | "block" | "pairing", reasonCode: string) => ({
    ...{ decision, reasonCode, reason: reasonCode.replaceAll("_", " ") },
    ...lists,
  });
  if (sender.isGroup) {
    if (groupPolicy === "disabled") return end("block", "group_policy_disabled");
    if (groupPolicy === "open") return end("allow", "group_policy_allowed");
    if (effectiveGroupAllowFrom.length === 0) return end("block", "group_policy_empty_allowlist");
    return sender.isSenderAllowed(effectiveGroupAllowFrom)
      ? end("allow", "group_policy_allowed")
      : end("block", "group_policy_not_allowlisted");
  }
  if (dmPolicy === "disabled") return end("block", "dm_policy_disabled");
  if (dmPolicy === "open" && own.length === 0) return end("allow", "dm_policy_open");
  if (sender.isSenderAllowed(effectiveAllowFrom)) return end("allow", "dm_policy_allowlisted");
  return dmPolicy === "pairing"
    ? end("pairing", "dm_policy_pairing_required")
    : end("block", "dm_policy_not_allowlisted");
}

function isOpen<Account>(
  options: GroupPolicyOptions<Account>,
  { account, cfg }: { readonly account: Account; readonly cfg: Config },
): boolean {
  const channels = isRecord(cfg.channels) ? cfg.channels : {};
  const defaults = isRecord(channels.defaults) ? channels.defaults.groupPolicy : undefined;
  const own = options.resolveGroupPolicy(account);
  return options.providerConfigPresent(cfg) && (own ?? defaults) === "open";
}

function openWarning(warning: OpenWarning): string {
  const { surface, openBehavior, openScope = "everyone", remediation, groupPolicyPath } = warning;
  const effect = openBehavior ?? `allows ${openScope} to trigger`;
  const advice = remediation ?? `Set ${groupPolicyPath ?? "groupPolicy"} to "allowlist"`;
  return `- ${surface}: groupPolicy="open" ${effect}. ${advice}.`;
}

function listOf(found: Warnings): readonly string[] {
  if (typeof found === "string") return found === "" ? [] : [found];
  return Array.isArray(found) ? found : [];
}

function entriesIn(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.map(String) : [];
}

function texts(entries: Entries | null | undefined): string[] {
  return (entries ?? []).map((entry) => String(entry).trim()).filter((entry) => entry !== "");
}
