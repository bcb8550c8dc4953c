import type { LoadedConfiguration } from "@openclaw/configuration";
import { acquireStateLock } from "@openclaw/store";
import { StartSequence } from "../../host/start-sequence.js";
import { MasterKeys } from "../../secrets/master-keys.js";
import { SecretVault } from "../../secrets/vault.js";
import { COMMAND_WAIT_MS, openStateFolder } from "../../state/folder.js";
import { openHostStore } from "../../state/store.js";
import { createSecretMethods } from "../secrets.js";

/** Secret methods on the data of a state folder. */
export interface StoredSecrets {
  readonly methods: ReturnType<typeof createSecretMethods>;
  close(): Promise<void>;
}

/**
 * Opens the secrets of a state folder that no process uses, without starting a host: a start may need a secret
 * that is about to be stored.
 * @param options - state folder, `store` section and environment
 * @throws StateFolderError, StateLockedError, StoreUnavailableError, SchemaTooNewError
 */
export async function openStoredSecrets(options: {
  readonly stateDir: string;
  readonly store: LoadedConfiguration["value"]["store"];
  readonly environment: NodeJS.ProcessEnv;
  /** True for calls that change nothing, which need no lock. */
  readonly isReading?: boolean | undefined;
}): Promise<StoredSecrets> {
  const undo = new StartSequence();
  try {
    const state = openStateFolder(options.stateDir);
    const { isReading = false } = options;
    const holder = { pid: process.pid, startedAt: Date.now() };
    const lock = isReading
      ? undefined
      : await acquireStateLock(state.lockFile, holder, COMMAND_WAIT_MS);
    undo.add(() => lock?.release());
    const { store, close } = await openHostStore({
      state,
      configuration: options.store,
      isReading,
      environment: options.environment,
    });
    undo.add(close);
    const vault = new SecretVault(store, new MasterKeys(state, options.environment));
    return { methods: createSecretMethods({ vault }), close: () => undo.run() };
  } catch (error) {
    await undo.run();
    throw error;
  }
}
