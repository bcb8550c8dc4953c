/** Values of the variable that switch every flag off. */
const OFF = /^(?:0|false|off|none)$/i;

/**
 * Returns true when a flag of diagnostics is set: in `diagnostics.flags` of the configuration, or in the variable
 * `OPENCLAW_DIAGNOSTICS`, which has precedence. `*` at the end of a flag stands for any text.
 * @param flag - name of the flag, for example `search.http`
 * @param config - host configuration
 * @param env - environment variables; those of the process when absent
 * @deprecated Write with `api.logger.debug`, whose level the operator sets.
 */
export function isDiagnosticFlagEnabled(
  flag: string,
  config?: Readonly<Record<string, unknown>>,
  env: NodeJS.ProcessEnv = process.env,
): boolean {
  const { OPENCLAW_DIAGNOSTICS: named = "" } = env;
  if (OFF.test(named.trim())) return false;
  const set = named.trim() === "" ? flagsOf(config) : named.split(/[\s,]+/);
  return set.some((each) => matches(each.trim().toLowerCase(), flag.trim().toLowerCase()));
}

function flagsOf(config: Readonly<Record<string, unknown>> | undefined): string[] {
  const section = config?.diagnostics;
  if (typeof section !== "object" || section === null || !("flags" in section)) return [];
  const { flags } = section;
  return Array.isArray(flags) ? flags.filter((each) => typeof each === "string") : [];
}

function matches(pattern: string, flag: string): boolean {
  if (/^(?:\*|all|1|true|on)$/.test(pattern)) return true;
  return pattern.endsWith("*") ? flag.startsWith(pattern.slice(0, -1)) : pattern === flag;
}
