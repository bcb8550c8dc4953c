export { resolvePreferredOpenClawTmpDir } from "./temp-path.js";

const LEVELS = ["off", "minimal", "low", "medium", "high"] as const;

/** Other spellings of the levels, without spaces and signs between words. */
const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  low: ["on", "enable", "enabled", "thinkhard"],
  minimal: ["min"],
  medium: ["mid", "med", "thinkharder", "harder"],
  high: ["ultra", "ultrathink", "thinkhardest", "highest", "max"],
  xhigh: ["extrahigh"],
  adaptive: ["auto"],
};

/**
 * Returns the level of thinking that a text means.
 * @param text - level in any known spelling
 * @returns undefined for an unknown one
 * @deprecated Pass `reasoning` of the model's provider.
 */
export function normalizeThinkLevel(text: string | null | undefined): string | undefined {
  const key = (text ?? "")
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, "");
  const known: readonly string[] = [...LEVELS, "xhigh", "adaptive"];
  if (known.includes(key)) return key;
  return Object.keys(SPELLINGS).find((level) => SPELLINGS[level]?.includes(key));
}

/**
 * Returns false: this host does not know models that have the level `xhigh`.
 * @deprecated Ask the documentation of the model.
 */
export function supportsXHighThinking(_provider?: string | null, _model?: string | null): boolean {
  return false;
}

/**
 * Lists the levels of thinking.
 * @param separator - text between two levels
 * @deprecated Ask the documentation of the model.
 */
export function formatThinkingLevels(
  _provider?: string | null,
  _model?: string | null,
  separator = ", ",
): string {
  return [...LEVELS, "adaptive"].join(separator);
}

/**
 * Names the models that have the level `xhigh`, for a message.
 * @deprecated Ask the documentation of the model.
 */
export function formatXHighModelHint(): string {
  return "models that this host does not list";
}
