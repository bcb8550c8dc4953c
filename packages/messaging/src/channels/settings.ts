import type { ChannelCapabilities } from "@openclaw/plugin-sdk/channel-core";
import { Type } from "typebox";

const DM_POLICIES = ["pairing", "allowlist", "open", "off"] as const;
const GROUP_POLICIES = ["mention", "all", "off"] as const;

/** Words of older hosts for the policies of direct messages. */
const OLDER_DM_POLICIES: Readonly<Record<string, DirectPolicy>> = { disabled: "off" };
/** Words of older hosts for the policies of groups; `open` also admits the members of every group. */
const OLDER_GROUP_POLICIES: Readonly<Record<string, GroupPolicy>> = {
  allowlist: "mention",
  disabled: "off",
  open: "mention",
};

/** Account of a channel without `accounts`. */
export const DEFAULT_ACCOUNT = "default";

/** Senders of direct messages that a channel accepts (CHAN-042). */
export type DirectPolicy = (typeof DM_POLICIES)[number];

/** Messages of groups that a channel accepts (CHAN-043). */
export type GroupPolicy = (typeof GROUP_POLICIES)[number];

/** Settings that every channel has, of one account. */
export interface ChannelSettings {
  readonly enabled: boolean;
  readonly dmPolicy: DirectPolicy;
  readonly groupPolicy: GroupPolicy;
  /** IDs of senders who need no pairing. */
  readonly allowFrom: readonly string[];
  /** IDs of senders who have the rights of the operator. */
  readonly owners: readonly string[];
  /** IDs of groups whose members need no pairing; `*` for every group. */
  readonly groups: readonly string[];
  /** True when replies are shown while they are written. */
  readonly streaming: boolean;
  /** Parts of a turn that are its reply: all, or the last one. */
  readonly reply: ReplyExtent;
}

const REPLY_EXTENTS = ["all", "last"] as const;

/** Parts of a turn that are its reply: the text of every model call, or of the last one (TURN-201). */
export type ReplyExtent = (typeof REPLY_EXTENTS)[number];

const senders = (description: string) =>
  Type.Optional(
    Type.Array(Type.Union([Type.String({ minLength: 1 }), Type.Integer()]), { description }),
  );

const OWN_SETTINGS = {
  enabled: Type.Optional(
    Type.Boolean({ default: true, description: "False does not start the channel." }),
  ),
  dmPolicy: Type.Optional(
    Type.Enum([...DM_POLICIES, ...Object.keys(OLDER_DM_POLICIES)], {
      default: "pairing",
      description:
        "Accepted direct messages: of paired senders, of the senders in `allowFrom`, of everyone, or none. `disabled` is an older word for `off`.",
    }),
  ),
  groupPolicy: Type.Optional(
    Type.Enum([...GROUP_POLICIES, ...Object.keys(OLDER_GROUP_POLICIES)], {
      default: "mention",
      description:
        "Accepted messages in groups: messages that mention the bot, all, or none. `open`, `allowlist` and `disabled` are words of older hosts.",
    }),
  ),
  allowFrom: senders("IDs of senders who are accepted without pairing; `*` for everyone."),
  owners: senders("IDs of senders who have the rights of the operator."),
  streaming: Type.Optional(
    Type.Boolean({
      default: false,
      description: "True shows a reply while it is written, on channels that can edit messages.",
    }),
  ),
  reply: Type.Optional(
    Type.Enum([...REPLY_EXTENTS], {
      default: "all",
      description:
        "Text of the model that is its reply: `all` also has what it writes before it calls tools, `last` has only what follows the last call.",
    }),
  ),
};

/** Schemas of the settings of every channel, `channels.<channel>`; a channel may have further ones. */
export const channelSettingsSchemas = {
  ...OWN_SETTINGS,
  accounts: Type.Optional({
    type: "object",
    "x-key": "account",
    description: "Accounts of the channel by name; their settings replace those of the channel.",
    additionalProperties: { type: "object", properties: OWN_SETTINGS },
  }),
};

/** Section of the configuration for one account of a channel. */
export type ChannelSection = Readonly<Record<string, unknown>>;

/**
 * Returns the accounts of a channel with their sections: those of `accounts` over the section of the channel, or one
 * account `default`.
 * @param section - `channels.<channel>`
 */
export function accountSections(section: ChannelSection): ReadonlyMap<string, ChannelSection> {
  const { accounts, ...common } = section;
  const own = isSection(accounts) ? Object.entries(accounts) : [];
  if (own.length === 0) return new Map([[DEFAULT_ACCOUNT, common]]);
  return new Map(
    own.map(([accountId, settings]) => [
      accountId,
      { ...common, ...(isSection(settings) ? settings : {}) },
    ]),
  );
}

/**
 * Returns the settings that every channel has.
 * @param section - section of one account
 * @param capabilities - capabilities of the channel; one that checks its senders itself accepts them by default
 */
export function channelSettings(
  section: ChannelSection,
  { authenticates = false }: Pick<ChannelCapabilities, "authenticates"> = {},
): ChannelSettings {
  const { enabled, dmPolicy, groupPolicy, allowFrom, owners, groups, streaming } = section;
  const { reply } = section;
  const acceptsAll = authenticates && dmPolicy === undefined && allowFrom === undefined;
  return {
    enabled: enabled !== false,
    // An unknown policy of a configuration that was not checked must not admit anyone.
    dmPolicy: wordOf(
      newerWord(dmPolicy, OLDER_DM_POLICIES),
      DM_POLICIES,
      acceptsAll ? "open" : "pairing",
      "off",
    ),
    groupPolicy: wordOf(
      newerWord(groupPolicy, OLDER_GROUP_POLICIES),
      GROUP_POLICIES,
      "mention",
      "off",
    ),
    allowFrom: acceptsAll ? ["*"] : idsOf(allowFrom),
    owners: idsOf(owners),
    groups: [
      ...(isSection(groups) ? Object.keys(groups) : []),
      ...(groupPolicy === "open" ? ["*"] : []),
    ],
    streaming: streaming === true,
    reply: wordOf(reply, REPLY_EXTENTS, "all", "all"),
  };
}

/** Settings that apply to the next message; a change of any other one needs a new connection. */
const APPLIED_AT_ONCE: ReadonlySet<string> = new Set([
  ...["dmPolicy", "groupPolicy", "allowFrom", "owners", "groups", "senders", "streaming"],
  "reply",
]);

/**
 * Returns the settings of an account that its connection depends on.
 * @param section - section of one account
 */
export function connectionSettings(section: ChannelSection): ChannelSection {
  return Object.fromEntries(Object.entries(section).filter(([key]) => !APPLIED_AT_ONCE.has(key)));
}

/** Returns true for a section of a configuration. */
export function isSection(value: unknown): value is ChannelSection {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function newerWord(value: unknown, older: Readonly<Record<string, string>>): unknown {
  return typeof value === "string" && Object.hasOwn(older, value) ? older[value] : value;
}

function wordOf<Word extends string>(
  value: unknown,
  words: readonly Word[],
  absent: Word,
  unknown: Word,
): Word {
  if (value === undefined) return absent;
  return words.find((word) => word === value) ?? unknown;
}

function idsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
