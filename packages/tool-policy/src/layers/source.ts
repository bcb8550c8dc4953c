/** Steps from the root of a configuration document to a value. */
export type KeyPath = readonly (string | number)[];

/** A location in a configuration file; line and column count from 1. */
export interface PolicyLocation {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Location of a rule in the configuration. */
export interface PolicySource {
  readonly file?: string;
  /** Configuration key, for example `tools.deny`. */
  readonly key: string;
  readonly line?: number;
  readonly column?: number;
  /** True for a built-in rule; `key` is then the key that overrides it. */
  readonly builtIn?: true;
}

const PLAIN_STEP = /^[A-Za-z0-9_-]+$/;

/**
 * Formats a path as one key: `tools.byProvider["openai/gpt-5"].deny`.
 * @param path - steps from the root
 */
export function formatKeyPath(path: KeyPath): string {
  let key = "";
  for (const step of path) {
    if (typeof step === "string" && PLAIN_STEP.test(step)) key += key === "" ? step : `.${step}`;
    else key += `[${JSON.stringify(step)}]`;
  }
  return key;
}

/**
 * Formats a source as `file:line key`, omitting unknown parts.
 * @param source - location of a rule
 */
export function formatSource(source: PolicySource): string {
  if (source.builtIn === true) return `built-in, overridden by ${source.key}`;
  if (source.file === undefined) return source.key;
  const line = source.line === undefined ? "" : `:${source.line}`;
  return `${source.file}${line} ${source.key}`;
}
