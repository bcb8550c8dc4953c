import { existsSync, readFileSync } from "node:fs";

/** Guide in the configuration: its text, a file with its text, or false for no guide. */
export type GuideSetting = string | false | { file: string };

/** Guides by channel name. */
export type GuideSettings = Readonly<Record<string, GuideSetting>>;

/** Configuration of the extension. */
export interface ChannelGuidanceConfig {
  /** Guides for every agent. */
  readonly guides?: GuideSettings;
  /** Guides by agent ID, which override those for every agent. */
  readonly agents?: Readonly<Record<string, GuideSettings>>;
  /**
   * Way in which the model receives the guide of the turn's channel: before each turn, as a skill on demand, or in the
   * description of the sending tools. Default: turn.
   */
  readonly mode?: "turn" | "skill" | "description";
  /** Tools that send to the channel in their argument `channel`. */
  readonly sendingTools?: readonly string[];
  /** True returns a call whose text the channel cannot show to the model, once (EXT-003). */
  readonly reconsider?: boolean;
}

/** Finds the guide of a channel. */
export interface Guides {
  /**
   * Returns the text of a guide, with the same bytes each time, so that prompt caches stay valid
   * (EXT-002).
   * @param channel - for example `telegram`; letter case does not matter
   * @param agentId - agent whose own guides take precedence
   * @returns undefined for a channel without a guide
   */
  find(channel: string, agentId?: string): string | undefined;
}

/** Locations of guide files. */
export interface GuideFiles {
  /** Folder of the bundled guides, each a skill `channel-format-<channel>`. */
  readonly bundledDir: string;
  /** Resolves a path from the configuration to an absolute path. */
  resolvePath(path: string): string;
}

const CHANNEL_NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/**
 * Creates the guides from the configuration, and otherwise from the bundled files; each file is
 * read once.
 * @param config - configuration of the extension
 * @param files - locations of guide files
 * @throws Error when a configured file cannot be read, with channel and path
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
      `the guide for channel "${channel}" cannot be read from ${file}; make the file readable, or put the text into the configuration`,
      { cause },
    );
  }
}

function readBundled(channel: string, dir: string): string | undefined {
  if (!CHANNEL_NAME.test(channel)) return undefined;
  const file = `${dir}/channel-format-${channel}/SKILL.md`;
  return existsSync(file) ? instructionsOf(readFileSync(file, "utf8")) : undefined;
}

/** Returns the text of a skill after its front matter. */
function instructionsOf(skill: string): string {
  return skill.replace(/^---\n[\s\S]*?\n---\n/, "").trim();
}
