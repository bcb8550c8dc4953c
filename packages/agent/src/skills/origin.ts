/** Where skills come from, weakest first: of two with one name the later origin's wins (EXT-007). */
export const SKILL_ORIGINS = ["plugin", "workspace", "state", "config"] as const;

/** A place in which skills are looked for. */
export interface SkillOrigin {
  readonly kind: (typeof SKILL_ORIGINS)[number];
  /** Absolute path of a skill's folder, or of a folder of such folders; it need not exist. */
  readonly folder: string;
  /**
   * Absolute path of a folder that every skill of the origin must really lie in; undefined lets
   * symbolic links lead anywhere.
   */
  readonly within?: string | undefined;
  /** The plugin whose manifest names the folder. */
  readonly pluginId?: string | undefined;
  /** False for what somebody else than the operator may have written: it is scanned first (EXT-009). */
  readonly trusted: boolean;
  /** Configuration of the plugin, which its skills may depend on. */
  readonly pluginConfig?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Who an origin is, for messages.
 * @param origin - of a skill
 */
export function describeOrigin({ kind, pluginId }: SkillOrigin): string {
  switch (kind) {
    case "plugin":
      return `plugin "${pluginId}"`;
    case "workspace":
      return "the workspace";
    case "state":
      return "the state folder";
    case "config":
      return "the configuration";
  }
}

/**
 * Whether a plugin's skill is offered with the plugin's configuration as it stands: its metadata may
 * name values that must be set, under `openclaw.whenConfig`.
 * @param origin - of the skill
 * @param metadata - of the skill
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
