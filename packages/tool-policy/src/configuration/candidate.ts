import type { Locate } from "./node.js";
import type { ToolPolicyConfig } from "./schema.js";

/** Configuration of a policy that is tried, and the locations of its values. */
export interface CandidateConfig {
  /** The configuration with the candidate instead of the rules of `tools`. */
  readonly config: ToolPolicyConfig;
  readonly locate: Locate;
  /** Returns the key in the file for a key of `config`, for messages. */
  keyOf(key: string): string;
}

/**
 * Returns the configuration of the policy that is tried in addition to the one in force (POL-035).
 * @param config - the parsed configuration as a whole
 * @param locate - locations of its values
 * @returns undefined unless `tools.mode` is `monitor` and `tools.candidate` has rules
 */
export function candidateConfig(
  config: ToolPolicyConfig,
  locate: Locate,
): CandidateConfig | undefined {
  const { mode, candidate } = config.tools ?? {};
  if (mode !== "monitor" || candidate === undefined) return undefined;
  return {
    config: { ...config, tools: candidate },
    locate: ([section = "", ...rest]) =>
      locate(section === "tools" ? ["tools", "candidate", ...rest] : [section, ...rest]),
    keyOf: (key) => key.replace(/^tools(?=$|[.[])/, "tools.candidate"),
  };
}
