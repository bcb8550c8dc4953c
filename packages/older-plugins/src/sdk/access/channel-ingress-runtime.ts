import {
  decideIngress,
  type IngressEntry,
  type IngressRequest,
  type IngressRoute,
  type ResolvedIngress,
} from "../../access/ingress-decision.js";

type Entries = readonly (string | number)[];

/** Identifier of a sender in addition to the stable one, such as a user name. */
export interface IngressAlias {
  readonly key: string;
  readonly kind?: string;
  readonly normalizeEntry?: (entry: string) => string | null | undefined;
  readonly normalizeSubject?: (value: string) => string | null | undefined;
  /** True for an identifier that the sender can change, which counts only where the operator allows it. */
  readonly dangerous?: boolean;
}

/** Spelling in which the entries of access lists are compared with senders. */
export interface IngressIdentity {
  readonly key?: string;
  readonly normalize?: (value: string) => string | null | undefined;
  readonly normalizeEntry?: (entry: string) => string | null | undefined;
  readonly normalizeSubject?: (value: string) => string | null | undefined;
  readonly aliases?: readonly IngressAlias[];
  readonly isWildcardEntry?: (entry: string) => boolean;
  readonly resolveEntryId?: (place: {
    readonly entryIndex: number;
    readonly fieldKey: string;
  }) => string;
  readonly entryIdPrefix?: string;
}

/** Sender of a message: an ID, and further identifiers by their keys. */
export interface IngressSubject {
  readonly stableId?: string | null;
  readonly aliases?: Readonly<Record<string, string | null | undefined>>;
}

/** Access rules that are the same for every message. */
export interface IngressBase {
  readonly channelId: string;
  readonly accountId: string;
  readonly identity: IngressIdentity;
  readonly cfg?: Readonly<Record<string, unknown>>;
  readonly readStoreAllowFrom?: () => Promise<readonly string[]> | readonly string[];
}

/** A message, and the rules for it. */
export interface IngressMessage
  extends Pick<IngressRequest, "conversation" | "mentionFacts" | "policy" | "command"> {
  readonly subject: IngressSubject;
  readonly dmPolicy?: string | null | undefined;
  readonly groupPolicy?: string | null | undefined;
  readonly allowFrom?: Entries | null | undefined;
  readonly groupAllowFrom?: Entries | null | undefined;
  readonly route?: IngressRoute | readonly IngressRoute[] | null | undefined;
  readonly event?: { readonly mayPair?: boolean } | undefined;
}

/**
 * Returns the description of the identifiers of a channel.
 * @param identity - spelling of entries and senders
 * @deprecated The host decides about the senders of a `Channel`.
 */
export function defineStableChannelIngressIdentity(
  identity: IngressIdentity = {},
): IngressIdentity {
  return identity;
}

/**
 * Joins the rules of the rooms of a message, without those that are absent.
 * @param routes - rules
 * @deprecated The host decides about the senders of a `Channel`.
 */
export function channelIngressRoutes(
  ...routes: readonly (IngressRoute | false | null | undefined)[]
): IngressRoute[] {
  return routes.filter((route) => route !== false && route !== null && route !== undefined);
}

/**
 * Creates a function that decides about messages, in front of the decision of the host.
 * @param base - channel, account and identifiers
 * @deprecated The host decides about the senders of a `Channel`.
 */
export function createChannelIngressResolver(base: IngressBase) {
  const message = (given: IngressMessage): Promise<ResolvedIngress> => decide(base, given);
  return { message, command: message, event: message };
}

/**
 * Decides about a message, in front of the decision of the host.
 * @param message - channel, account, identifiers, sender and rules
 * @deprecated The host decides about the senders of a `Channel`.
 */
export async function resolveStableChannelMessageIngress(
  message: IngressBase & IngressMessage,
): Promise<ResolvedIngress> {
  return await decide(message, message);
}

async function decide(base: IngressBase, message: IngressMessage): Promise<ResolvedIngress> {
  const { identity } = base;
  const isNameAllowed = message.policy?.mutableIdentifierMatching === "enabled";
  const read = (entries: Entries | null | undefined) => entriesOf(identity, entries, isNameAllowed);
  const stored = message.dmPolicy === "open" ? [] : ((await base.readStoreAllowFrom?.()) ?? []);
  const routes =
    message.route === undefined || message.route === null ? [] : [message.route].flat();
  return decideIngress({
    ...message,
    sender: subjectOf(identity, message.subject, isNameAllowed),
    dmPolicy: message.dmPolicy ?? "pairing",
    groupPolicy: message.groupPolicy ?? "allowlist",
    allowFrom: read(message.allowFrom),
    stored: read(stored),
    groupAllowFrom: read(message.groupAllowFrom),
    routes: routes.map((route) => ({ ...route, senders: read(route.senderAllowFrom) })),
    mayPair: message.event?.mayPair !== false,
  });
}

function entriesOf(
  identity: IngressIdentity,
  entries: Entries | null | undefined,
  isNameAllowed: boolean,
): readonly IngressEntry[] {
  return (entries ?? []).flatMap((given): readonly IngressEntry[] => {
    const raw = String(given).trim();
    if (raw === "") return [];
    if (raw === "*" || identity.isWildcardEntry?.(raw) === true) return [{ raw, key: "*" }];
    const spelled = spell(raw, identity.normalizeEntry ?? identity.normalize);
    const aliases = (identity.aliases ?? [])
      .filter(({ dangerous }) => dangerous !== true || isNameAllowed)
      .flatMap((alias) => keyed(alias.key, raw, alias.normalizeEntry));
    const own = spelled === undefined ? [] : [`id:${spelled}`];
    return [...own, ...aliases].map((key) => ({ raw, key }));
  });
}

function subjectOf(
  identity: IngressIdentity,
  { stableId, aliases = {} }: IngressSubject,
  isNameAllowed: boolean,
): ReadonlySet<string> {
  const id = spell(stableId ?? "", identity.normalizeSubject ?? identity.normalize);
  const further = (identity.aliases ?? [])
    .filter(({ dangerous }) => dangerous !== true || isNameAllowed)
    .flatMap(({ key, dangerous, normalizeSubject }) => {
      const value = aliases[key];
      if (!value) return [];
      const spelled = spell(value, normalizeSubject);
      // A further stable form of the ID is compared with the entries for the ID, too.
      const own = spelled === undefined || dangerous === true ? [] : [`id:${spelled}`];
      return [...own, ...keyed(key, value, normalizeSubject)];
    });
  return new Set([...(id === undefined ? [] : [`id:${id}`]), ...further]);
}

function keyed(
  key: string,
  value: string,
  normalize: ((text: string) => string | null | undefined) | undefined,
): readonly string[] {
  const spelled = spell(value, normalize);
  return spelled === undefined ? [] : [`${key}:${spelled}`];
}

function spell(
  value: string,
  normalize: ((text: string) => string | null | undefined) | undefined,
): string | undefined {
  const text = value.trim();
  const spelled = normalize === undefined ? text : normalize(text);
  return spelled === undefined || spelled === null || spelled === "" ? undefined : spelled;
}
