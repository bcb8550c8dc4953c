/**
 * Origins of skills in ascending priority: of two skills with the same name, the one from the later origin
 * wins (EXT-007).
 */
export const SKILL_ORIGINS = ["plugin", "workspace", "installed", "state", "config"] as const;

/** A folder that is searched for skills. */
export interface SkillOrigin {
  readonly kind: (typeof SKILL_ORIGINS)[number];
  /** Absolute path of a skill's folder, or of a folder of such folders; it need not exist. */
  readonly folder: string;
  /**
   * Absolute path of the folder that must contain the real path of every skill of the origin; undefined
   * allows symbolic links to any place.
   */
  readonly within?: string | undefined;
  /** The plugin whose manifest names the folder. */
  readonly pluginId?: string | undefined;
  /**
   * False if the skills may have been written by someone other than the operator: they are scanned first
   * (EXT-009).
   */
  readonly trusted: boolean;
  /** True for a bundle of another tool, whose skills without a usable name have that of their folder (EXT-531). */
  readonly namesByFolder?: boolean | undefined;
  /** Reason why no skill of the origin is used, for people; undefined when they are. */
  readonly closed?: string | undefined;
  /**
   * Returns the reason why a skill is not the one that was installed, as a part of a sentence after "it" (EXT-548).
   * @param folder - real path of its folder
   * @param name - name of its folder
   */
  readonly pinned?: ((folder: string, name: string) => Promise<string | undefined>) | undefined;
  /** Configuration of the plugin, which its skills may depend on. */
  readonly pluginConfig?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Returns the name of an origin for messages.
 * @param origin - origin of a skill
 */
export function describeOrigin({ kind, pluginId }: SkillOrigin): string {
  switch (kind) {
    case "plugin":
      return `plugin "${pluginId}"`;
    case "workspace":
      return "the workspace";
    case "installed":
      return "the installed skills";
    case "state":
      return "the state folder";
    case "config":
      return "the configuration";
  }
}

/**
 * Returns true if a plugin's skill is offered with the plugin's current configuration: its metadata can
 * list values that must be set, under `openclaw.whenConfig`.
 * @param origin - origin of the skill
 * @param metadata - metadata of the skill
 */
export function isOffered(
  { pluginConfig = {} }: SkillOrigin,
  metadata: Readonly<Record<string, unknown>> = {},
): boolean {
  const { openclaw } = metadata;
  if (typeof openclaw !== "object" || openclaw === null || !("whenConfig" in openclaw)) return true;
  const { whenConfig } = openclaw;
  // Read strictly: a condition that cannot be understood is not met.
  if (typeof whenConfig !== "object" || whenConfig === null) return false;
  return Object.entries(whenConfig).every(
    ([key, value]) => Object.hasOwn(pluginConfig, key) && pluginConfig[key] === value,
  );
}
