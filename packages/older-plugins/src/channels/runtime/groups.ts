import { defined } from "@openclaw/foundation";
import { isSection } from "@openclaw/messaging";
import { channelSection } from "../text/settings.js";

/** A group of a channel. */
interface GroupPlace {
  readonly cfg?: unknown;
  readonly channel: string;
  readonly groupId?: string | null;
  readonly accountId?: string | null;
  /** Setting that applies when the configuration has none. */
  readonly requireMentionOverride?: boolean;
  readonly overrideOrder?: "before-config" | "after-config";
}

type Section = Readonly<Record<string, unknown>>;

/**
 * Returns the settings of a group, `channels.<channel>.groups`, and whether they admit it.
 * @param place - channel, account and group
 */
export function resolveGroupPolicy({ cfg, channel, groupId, accountId }: GroupPlace): {
  readonly allowlistEnabled: boolean;
  readonly allowed: boolean;
  readonly groupConfig?: Section;
  readonly defaultConfig?: Section;
} {
  const section = channelSection(cfg, channel, accountId);
  const groups = isSection(section.groups) ? section.groups : {};
  const own = sectionIn(groups, groupId ?? "");
  const others = sectionIn(groups, "*");
  const isListed = section.groupPolicy === "allowlist" || Object.keys(groups).length > 0;
  const isOff = section.groupPolicy === "disabled" || section.groupPolicy === "off";
  return {
    allowlistEnabled: isListed,
    allowed: !isOff && (!isListed || own !== undefined || others !== undefined),
    ...defined({ groupConfig: own }),
    ...defined({ defaultConfig: others }),
  };
}

/**
 * Returns true when the bot answers in a group only if it is mentioned: by `requireMention` of the group, of the group
 * `*`, or of the plugin; true by default.
 * @param place - channel, account and group
 */
export function resolveRequireMention(place: GroupPlace): boolean {
  const { groupConfig, defaultConfig } = resolveGroupPolicy(place);
  const configured = [groupConfig?.requireMention, defaultConfig?.requireMention];
  const { requireMentionOverride, overrideOrder } = place;
  const order =
    overrideOrder === "before-config"
      ? [requireMentionOverride, ...configured]
      : [...configured, requireMentionOverride];
  return order.find((value) => typeof value === "boolean") !== false;
}

function sectionIn(groups: Section, id: string): Section | undefined {
  const key = Object.keys(groups).find((name) => name.toLowerCase() === id.toLowerCase());
  const found = key === undefined ? undefined : groups[key];
  return isSection(found) ? found : undefined;
}
