import type { ChangeOptions, LoadedConfiguration, LoadOptions } from "@openclaw/configuration";
import { acquireStateLock } from "@openclaw/store";
import { StartSequence } from "../host/start-sequence.js";
import { createSettingMethods } from "../methods/settings.js";
import { COMMAND_WAIT_MS, openStateFolder } from "../state/folder.js";
import { openHostStore } from "../state/store.js";
import { changeSettings } from "./change.js";

/** Methods of the settings in the database of a state folder. */
export interface StoredSettings {
  readonly methods: ReturnType<typeof createSettingMethods>;
  close(): Promise<void>;
}

/**
 * Opens the settings of a state folder that no process uses, without starting a host: a setting may be what prevents the
 * start.
 * @param options - state folder, `store` section, configuration file, checks and environment
 * @throws StateFolderError, StateLockedError, StoreUnavailableError, SchemaTooNewError
 */
export async function openStoredSettings(options: {
  readonly stateDir: string;
  readonly store: LoadedConfiguration["value"]["store"];
  readonly configurationFile: string;
  readonly checks?: LoadOptions["checks"];
  /** Check of the plugins and channels that a change names. */
  readonly checkEntries?: ChangeOptions["checkEntries"];
  readonly environment: NodeJS.ProcessEnv;
}): Promise<StoredSettings> {
  const { configurationFile: file, checks, checkEntries, environment } = options;
  const undo = new StartSequence();
  try {
    const state = openStateFolder(options.stateDir);
    const holder = { pid: process.pid, startedAt: Date.now() };
    const lock = await acquireStateLock(state.lockFile, holder, COMMAND_WAIT_MS);
    undo.add(() => lock.release());
    const { store, close } = await openHostStore({
      state,
      configuration: options.store,
      environment,
    });
    undo.add(close);
    const methods = createSettingMethods({
      store,
      async changeSettings(changes, source) {
        const place = { store, file, options: { checks, checkEntries, environment } };
        const { warnings } = await changeSettings(changes, source, place);
        return {
          applied: [],
          pending: changes.map(([path]) => path.join(".")),
          failures: [],
          secrets: [],
          warnings,
        };
      },
    });
    return { methods, close: () => undo.run() };
  } catch (error) {
    await undo.run();
    throw error;
  }
}
