/**
 * A vintage of the public plugin API that a plugin was written for, as far as its calls show
 * (PLUG-026).
 */
export type ApiVintage = "2026.2" | "2026.5" | "2026.9";

/** The vintage of a plugin that requires a calendar version and calls nothing that older ones alone have. */
export const NEWEST_VINTAGE: ApiVintage = "2026.9";

/** API that a plugin was written for: an older vintage, or this version. */
export type ApiProfile = ApiVintage | "1.0";

/** Members of the `api` that only older plugins use, and the newest vintage that has them. */
const TELLING_MEMBERS: Readonly<Record<string, ApiVintage>> = {
  registerHttpHandler: "2026.2",
  "registerHttpRoute(path, handler)": "2026.2",
  "runtime.config.loadConfig": "2026.2",
  registerMemoryPromptSection: "2026.5",
  registerMemoryFlushPlan: "2026.5",
  registerMemoryRuntime: "2026.5",
  registerMemoryEmbeddingProvider: "2026.5",
  "on(before_agent_start)": "2026.5",
  "on(subagent_spawning)": "2026.5",
  "on(matcher)": "2026.9",
  "registerTool(contextVersion)": "2026.9",
};

/**
 * Returns the vintage that the use of a member indicates; undefined for a member of every vintage.
 * @param member - member of the `api`, spelled as in the table above
 */
export function vintageOf(member: string): ApiVintage | undefined {
  return Object.hasOwn(TELLING_MEMBERS, member) ? TELLING_MEMBERS[member] : undefined;
}

/**
 * Returns the later of two vintages: its members did not exist in the earlier one.
 * @param one - a vintage, or none
 */
export function laterVintage(one: ApiVintage | undefined, other: ApiVintage): ApiVintage {
  return one !== undefined && one > other ? one : other;
}
