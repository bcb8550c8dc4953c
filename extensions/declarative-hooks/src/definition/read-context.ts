import type { LinearPattern, PatternOptions } from "@openclaw/plugin-sdk/services";
import type { Fields } from "./fields.js";

/** Context of reading a source. */
export interface ReadContext {
  /** `api.runtime.patterns.compile`. */
  readonly compile: (source: string, options?: PatternOptions) => LinearPattern;
  /** `api.runtime.checkUrl`. */
  readonly checkUrl: (url: string) => URL;
  /** Secrets by the name that `${secrets.NAME}` refers to. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Permissions of the source; a source of the operator has all. */
  readonly permissions?:
    | { readonly programs: readonly string[]; readonly hosts: readonly string[] }
    | undefined;
}

/**
 * Compiles a pattern, or reports why it cannot be used, with its position (DHOOK-013).
 * @param source - pattern as written
 * @param fields - reports the mistake
 * @param context - compiler of patterns
 */
export function readPattern(
  source: string,
  field: string,
  fields: Fields,
  { compile }: ReadContext,
): LinearPattern | undefined {
  try {
    return compile(source);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "PATTERN_INVALID"))
      throw error;
    fields.report("InvalidPattern", field, error.message);
    return undefined;
  }
}
