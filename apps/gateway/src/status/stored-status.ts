import { configuredModel, variablesInUse } from "@openclaw/configuration";
import { errorMessage } from "@openclaw/foundation";
import { inspectPlugins, inspectSkills } from "@openclaw/gateway";
import { inspectConfiguration } from "@openclaw/gateway/configuration";
import { hostDatabaseStatus } from "@openclaw/gateway/upkeep";
import { EXTENSION_CHECKS, loadOperatorConfiguration, settingsOverlay } from "../configuration.js";
import { databaseOwner } from "../database/owner.js";
import {
  bundledExtensions,
  configurationFileOf,
  installation,
  stateDirOf,
} from "../installation.js";
import { workspaceFolderOf } from "../workspaces/folder.js";

type DatabaseStatus = Awaited<ReturnType<typeof hostDatabaseStatus>>;

/** State of a gateway that is not running, as its files show it. */
export interface StoredStatus {
  readonly configuration: Awaited<ReturnType<typeof inspectConfiguration>> & {
    readonly file: string;
    /** Environment variables that give settings. */
    readonly variables: readonly string[];
  };
  /** Undefined while the configuration is not valid. */
  readonly database: DatabaseStatus | { readonly problem: string } | undefined;
  /** Number of plugins that are on and off, by their manifests. */
  readonly plugins: { readonly on: number; readonly off: number } | undefined;
  /** Skills of workspace, state folder and configuration that a start would leave out. */
  readonly skillsLeftOut: Awaited<ReturnType<typeof inspectSkills>>;
  /** Configured model. */
  readonly model: string | undefined;
}

/**
 * Reads the state of a gateway that is not running; nothing is started, created or locked.
 * @param environment - environment variables
 */
export async function storedStatus(environment: NodeJS.ProcessEnv): Promise<StoredStatus> {
  const file = configurationFileOf(environment);
  const overlay = settingsOverlay(environment);
  const options = { checks: EXTENSION_CHECKS, environment, overlay };
  const report = await inspectConfiguration(file, options);
  const configuration = { ...report, file, variables: variablesInUse(environment) };
  if (report.errors.length > 0) {
    return {
      ...{ configuration, database: undefined, plugins: undefined },
      ...{ skillsLeftOut: [], model: undefined },
    };
  }
  const loaded = await loadOperatorConfiguration(environment);
  const places = {
    configuration: loaded,
    stateDir: stateDirOf(environment),
    workspaceDir: workspaceFolderOf(environment, loaded).dir,
  };
  const { plugins } = await inspectPlugins({
    ...places,
    version: installation.version,
    bundledExtensions: bundledExtensions(),
  });
  const on = plugins.filter(({ enabled }) => enabled).length;
  return {
    configuration,
    database: await databaseOf(environment),
    plugins: { on, off: plugins.length - on },
    skillsLeftOut: await inspectSkills(places),
    model: configuredModel({ configuration: loaded, environment })?.ref,
  };
}

async function databaseOf(environment: NodeJS.ProcessEnv): Promise<StoredStatus["database"]> {
  try {
    return await hostDatabaseStatus(await databaseOwner({ environment }));
  } catch (error) {
    return { problem: errorMessage(error) };
  }
}
