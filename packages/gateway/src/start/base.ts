import { mkdirSync } from "node:fs";
import type { OpenClawConfiguration } from "@openclaw/configuration";
import { errorMessage } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import { acquireStateLock } from "@openclaw/store";
import type { GatewayOptions } from "../gateway-options.js";
import type { StartSequence, StartStep } from "../host/start-sequence.js";
import type { LiveConfiguration } from "../reload/live-configuration.js";
import { COMMAND_WAIT_MS, openStateFolder, type StateFolder } from "../state/folder.js";
import { type Log, logLevels, openLog } from "../state/log.js";
import { openHostStore } from "../state/store.js";
import { takeRestore } from "../upkeep/staged-restore.js";
import { assertWorkspacePlace } from "../workspaces/workspace-place.js";

/** State of a host on disk: everything that exists before its plugins. */
export interface HostBase {
  readonly state: StateFolder;
  /** Undefined for a host that only reads. */
  readonly lock: Awaited<ReturnType<typeof acquireStateLock>> | undefined;
  readonly log: Log;
  /** Logger of the host itself. */
  readonly logger: Logger;
  readonly hostStore: Awaited<ReturnType<typeof openHostStore>>;
  /** Changes the levels of the log to those of a configuration. */
  setLogLevels(configuration: OpenClawConfiguration): void;
}

/**
 * Opens the state folder, the lock, the log and the store, in this order.
 * @param options - location of the state
 * @param sequence - steps of the start
 * @param failed - returns the step that failed
 * @throws StateFolderError, StateLockedError, SchemaTooNewError
 */
export async function openBase(
  options: GatewayOptions,
  configuration: LiveConfiguration,
  sequence: StartSequence,
  failed: () => StartStep | undefined,
): Promise<HostBase> {
  const { step } = sequence;
  const state = await step("state folder", () => {
    assertWorkspacePlace(options.workspaceDir, options.stateDir);
    const folder = openStateFolder(options.stateDir);
    mkdirSync(options.workspaceDir, { recursive: true });
    return folder;
  });
  const { isReading = false } = options;
  const lock = await step("lock", async () =>
    isReading
      ? undefined
      : await acquireStateLock(
          state.lockFile,
          { pid: process.pid, startedAt: Date.now() },
          options.isForCommand === true ? COMMAND_WAIT_MS : 0,
        ),
  );
  sequence.add(() => lock?.release());
  const levelsOf = ({ logging }: OpenClawConfiguration) => logLevels(logging, options.logLevel);
  const log = await step("log", () =>
    openLog(state.logFile, levelsOf(configuration.value), { output: options.logOutput }),
  );
  sequence.add(() => log.close());
  const logger = log.logger("gateway");
  sequence.add(() => {
    const { name, error } = failed() ?? {};
    if (name === undefined) return;
    logger.error(`the start failed at the step ${name}: ${errorMessage(error)}`, { step: name });
  });
  for (const warning of configuration.warnings) logger.warn(warning.message, { key: warning.key });
  const { isForCommand = false, inMemory = false } = options;
  const takesRestore = !isReading && !isForCommand && !inMemory;
  const hostStore = await step("store", async () => {
    const owner = { state, configuration: configuration.value.store };
    const restored = takesRestore ? await takeRestore(owner, logger) : undefined;
    const opened = await openHostStore({
      state,
      configuration: configuration.value.store,
      inMemory,
      isReading,
      environment: options.environment,
    });
    await restored?.record(opened.store);
    return opened;
  });
  sequence.add(() => hostStore.close());
  for (const notice of hostStore.notices) logger.warn(notice);
  const setLogLevels = (changed: OpenClawConfiguration) => log.setLevels(levelsOf(changed));
  return { state, lock, log, logger, hostStore, setLogLevels };
}
