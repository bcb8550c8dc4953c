import { existsSync, readFileSync } from "node:fs";

/** A guide as configuration gives it: its text, a file with its text, or none for this channel. */
export type GuideSetting = string | false | { file: string };

/** Guides by channel name. */
export type GuideSettings = Readonly<Record<string, GuideSetting>>;

/** The extension's configuration. */
export interface ChannelGuidanceConfig {
  /** For every agent. */
  readonly guides?: GuideSettings;
  /** By agent id; these win over those for every agent. */
  readonly agents?: Readonly<Record<string, GuideSettings>>;
  /** How the model gets a guide: before each turn, or as a skill when it is needed. Default: turn. */
  readonly mode?: "turn" | "skill";
  /** In mode `skill`: tools that send to the channel that their argument `channel` names. */
  readonly sendingTools?: readonly string[];
}

/** Finds the guide of a channel. */
export interface Guides {
  /**
   * The guide's text; the same bytes each time, so that prompt caches keep working (EXT-002).
   * @param channel - for example `telegram`; letter case does not matter
   * @param agentId - whose own guides come first
   * @returns undefined for a channel without a guide
   */
  find(channel: string, agentId?: string): string | undefined;
}

/** Where files lie. */
export interface GuideFiles {
  /** Folder of the bundled guides, each a skill `channel-format-<channel>`. */
  readonly bundledDir: string;
  /** Makes a path from the configuration absolute. */
  resolvePath(path: string): string;
}

const CHANNEL_NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/**
 * Looks guides up in configuration first, then among the bundled files; each file is read once.
 * @param config - the extension's configuration
 * @param files - where files lie
 * @throws Error when a configured file cannot be read, naming channel and path
 */
export function createGuides(config: ChannelGuidanceConfig, files: GuideFiles): Guides {
  const forAll = readSettings(config.guides ?? {}, files);
  const forAgents = new Map(
    Object.entries(config.agents ?? {}).map(([id, guides]) => [id, readSettings(guides, files)]),
  );
  const bundled = new Map<string, string | undefined>();

  const findBundled = (channel: string): string | undefined => {
    if (!bundled.has(channel)) bundled.set(channel, readBundled(channel, files.bundledDir));
    return bundled.get(channel);
  };

  return {
    find(name, agentId) {
      const channel = name.toLowerCase();
      for (const settings of [agentId === undefined ? undefined : forAgents.get(agentId), forAll]) {
        const setting = settings?.get(channel);
        if (setting !== undefined) return setting === false ? undefined : setting;
      }
      return findBundled(channel);
    },
  };
}

function readSettings(guides: GuideSettings, files: GuideFiles): Map<string, string | false> {
  const texts = new Map<string, string | false>();
  for (const [channel, setting] of Object.entries(guides)) {
    const text =
      typeof setting === "object" ? readConfigured(channel, setting.file, files) : setting;
    texts.set(channel.toLowerCase(), text === false ? false : text.trim());
  }
  return texts;
}

function readConfigured(channel: string, path: string, { resolvePath }: GuideFiles): string {
  const file = resolvePath(path);
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new Error(
      `the guide for channel "${channel}" cannot be read from ${file}; make the file readable, or give the text itself`,
      { cause },
    );
  }
}

function readBundled(channel: string, dir: string): string | undefined {
  if (!CHANNEL_NAME.test(channel)) return undefined;
  const file = `${dir}/channel-format-${channel}/SKILL.md`;
  return existsSync(file) ? instructionsOf(readFileSync(file, "utf8")) : undefined;
}

/** A skill's text behind its front matter. */
function instructionsOf(skill: string): string {
  return skill.replace(/^---\n[\s\S]*?\n---\n/, "").trim();
}
