import {
  type ChangeOptions,
  type ConfigurationChange,
  ConfigurationError,
  type ConfigurationProblem,
  checkChangedEntries,
  loadConfiguration,
  NOTHING_WRITTEN,
} from "@openclaw/configuration";
import type { Store } from "@openclaw/store";
import { changedSettings, type StoredValue, withSettings } from "./layer.js";

/**
 * Changes settings of the database. The configuration is checked as a whole with them, and they are written in one
 * transaction, so that a change that would not load is never written (GW-007).
 * @param changes - changes in the order in which they are made
 * @param source - command or file that makes them, which `config get --explain` names
 * @param place - store, main file of the configuration, checks and variables
 * @returns warnings about the change, and the function that puts the earlier settings back
 * @throws ConfigurationError when the configuration with the changes would not be valid
 */
export async function changeSettings(
  changes: readonly ConfigurationChange[],
  source: string,
  { store, file, options }: { store: Store; file: string; options: ChangeOptions },
): Promise<{
  readonly warnings: readonly ConfigurationProblem[];
  readonly putBack: () => Promise<void>;
}> {
  const { checks, checkEntries, environment } = options;
  // The file alone: the settings that are being replaced may be what is not valid.
  const ofFile = await loadConfiguration(file, { checks, environment });
  return store.transaction(async ({ settings }) => {
    const before = await settings.list();
    const after = changedSettings(before, changes, source);
    let warnings: readonly ConfigurationProblem[];
    try {
      const changed = await withSettings(ofFile, after, { checks, environment });
      const paths = changes.map(([path]) => path);
      warnings = await checkChangedEntries(checkEntries, {
        after: changed,
        before: () => withSettings(ofFile, before, { checks, environment }),
        changed: paths,
      });
    } catch (error) {
      if (!ConfigurationError.isInstance(error)) throw error;
      throw new ConfigurationError(error.problems, NOTHING_WRITTEN);
    }
    for (const [path, value] of changes) if (value === undefined) await settings.remove(path);
    for (const setting of after) {
      if (!before.some((earlier) => earlier === setting)) await settings.set(setting);
    }
    return { warnings, putBack: () => putBack(changes, before, store) };
  });
}

async function putBack(
  changes: readonly ConfigurationChange[],
  before: readonly StoredValue[],
  store: Store,
): Promise<void> {
  await store.transaction(async ({ settings }) => {
    for (const [path] of changes) await settings.remove(path);
    const now = await settings.list();
    const has = ({ path }: StoredValue) =>
      now.some((each) => each.path.join("\0") === path.join("\0"));
    for (const setting of before) if (!has(setting)) await settings.set(setting);
  });
}
