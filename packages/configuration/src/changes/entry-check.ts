import type { LoadedConfiguration } from "../configuration.js";
import { ConfigurationError, type ConfigurationProblem } from "../errors.js";

/**
 * Returns problems of plugins and channels that a change of the configuration names (GW-441). Their settings are checked
 * only when they change, so that a plugin that is not installed any more does not stop the host.
 */
export type EntryCheck = (
  configuration: LoadedConfiguration,
  changed: readonly (readonly string[])[],
) => Promise<readonly EntryProblem[]>;

/** Problem that an {@link EntryCheck} finds; a warning does not reject the change. */
export interface EntryProblem extends ConfigurationProblem {
  readonly severity?: "error" | "warning" | undefined;
}

/** Change of a configuration that an {@link EntryCheck} evaluates. */
export interface CheckedChange {
  readonly after: LoadedConfiguration;
  /** Returns the configuration without the change; it throws a ConfigurationError when that one is not valid. */
  readonly before: () => Promise<LoadedConfiguration>;
  readonly changed: readonly (readonly string[])[];
}

/**
 * Checks the entries that a change names. A problem that was there before, outside the values that the change writes,
 * is a warning: one bad value must not prevent the correction of another one (GW-441).
 * @param check - check of the entries; none when absent
 * @returns warnings about the change
 * @throws ConfigurationError for what the change itself makes wrong
 */
export async function checkChangedEntries(
  check: EntryCheck | undefined,
  { after, before, changed }: CheckedChange,
): Promise<readonly ConfigurationProblem[]> {
  if (check === undefined || changed.length === 0) return [];
  const found = await check(after, changed);
  if (!found.some(isError)) return found.map(withoutSeverity);
  const earlier = new Set((await problemsBefore(check, before, changed)).map(identityOf));
  const errors = found.filter(
    (problem) =>
      isError(problem) && (isWritten(problem, changed) || !earlier.has(identityOf(problem))),
  );
  if (errors.length > 0) throw new ConfigurationError(errors.map(withoutSeverity));
  return found.map(withoutSeverity);
}

async function problemsBefore(
  check: EntryCheck,
  before: CheckedChange["before"],
  changed: readonly (readonly string[])[],
): Promise<readonly EntryProblem[]> {
  try {
    return await check(await before(), changed);
  } catch (error) {
    // Without a valid configuration before, every problem counts.
    if (!ConfigurationError.isInstance(error)) throw error;
    return [];
  }
}

/** Returns whether a problem is in a value that the change writes. */
function isWritten({ key }: EntryProblem, changed: readonly (readonly string[])[]): boolean {
  return changed.some((path) => {
    const written = path.join(".");
    return (
      written === "" ||
      key === written ||
      key.startsWith(`${written}.`) ||
      key.startsWith(`${written}[`)
    );
  });
}

function isError({ severity }: EntryProblem): boolean {
  return severity !== "warning";
}

function identityOf({ key, message }: EntryProblem): string {
  return `${key}: ${message}`;
}

function withoutSeverity({ severity: _severity, ...problem }: EntryProblem): ConfigurationProblem {
  return problem;
}
