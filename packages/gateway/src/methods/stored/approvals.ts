import type { LoadedConfiguration } from "@openclaw/configuration";
import { createApprovalMethods } from "@openclaw/messaging";
import { acquireStateLock } from "@openclaw/store";
import { createHostApprovals } from "../../host/approvals.js";
import { StartSequence } from "../../host/start-sequence.js";
import { COMMAND_WAIT_MS, openStateFolder } from "../../state/folder.js";
import { logLevels, openLog } from "../../state/log.js";
import { openHostStore } from "../../state/store.js";

/** Approval methods on the data that a gateway left. */
export interface StoredApprovals {
  readonly methods: ReturnType<typeof createApprovalMethods>;
  close(): Promise<void>;
}

/**
 * Opens the approval requests of a state folder that no process uses. Plugins are notified of decisions, and
 * turns resume, when a gateway starts.
 * @param options - state folder, configuration and environment
 * @throws StateFolderError, StateLockedError, StoreUnavailableError, SchemaTooNewError
 */
export async function openStoredApprovals(options: {
  readonly stateDir: string;
  readonly configuration: LoadedConfiguration;
  readonly environment: NodeJS.ProcessEnv;
  /** True for calls that change nothing, which need no lock. */
  readonly isReading?: boolean | undefined;
}): Promise<StoredApprovals> {
  const { stateDir, configuration, environment } = options;
  const undo = new StartSequence();
  try {
    const state = openStateFolder(stateDir);
    const { isReading = false } = options;
    const holder = { pid: process.pid, startedAt: Date.now() };
    const lock = isReading
      ? undefined
      : await acquireStateLock(state.lockFile, holder, COMMAND_WAIT_MS);
    undo.add(() => lock?.release());
    const log = openLog(state.logFile, logLevels(configuration.value.logging));
    undo.add(() => log.close());
    const { store, close } = await openHostStore({
      state,
      configuration: configuration.value.store,
      isReading,
    });
    undo.add(close);
    const approvals = createHostApprovals({
      configuration,
      store,
      environment,
      workspaceDir: state.workspaceDir,
      logger: log.logger("approvals"),
    });
    undo.add(() => approvals.close());
    const methods = createApprovalMethods({ store, approvals });
    return { methods, close: () => undo.run() };
  } catch (error) {
    await undo.run();
    throw error;
  }
}
