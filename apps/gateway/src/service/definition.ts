import { join, resolve } from "node:path";
import { openclawScript } from "../installation.js";

/** Format of the files that this version writes. A change that needs a new file raises it. */
export const SERVICE_FORMAT = 1;

/** Command, folders and variables of the service; paths are absolute. */
export interface ServiceDefinition {
  readonly version: string;
  /** Node.js that runs the gateway. */
  readonly node: string;
  /** `bin/openclaw.cjs` of this installation. */
  readonly script: string;
  /** Arguments of `openclaw`. */
  readonly args: readonly string[];
  /** Working directory, which is the agent's workspace. */
  readonly workspaceDir: string;
  /** Variables of the process; none of them is a secret, because other users may read the file. */
  readonly variables: Readonly<Record<string, string>>;
  /** File for what the process prints before its log is open; systemd keeps it in its journal. */
  readonly outputFile: string;
}

/** Options of `service install`. */
export interface ServiceOptions {
  readonly version: string;
  readonly stateDir: string;
  /** Path of the configuration file when it is not the one of the state folder. */
  readonly configurationFile: string;
  /** Agent's workspace; the folder `workspace` of the state folder when absent. */
  readonly workspaceDir?: string | undefined;
  readonly port?: number | undefined;
}

/** Variables of the shell that the service gets; none of them is a secret. */
const KEPT = ["PATH", "OPENCLAW_KEYCHAIN"];

function kept(environment: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  return Object.fromEntries(
    KEPT.flatMap((name) => {
      const value = environment[name];
      return value ? [[name, value]] : [];
    }),
  );
}

/**
 * Returns what the service runs. Of the environment it takes `PATH`, because tools run programs, and the
 * folders; keys stay out, since the file of a service is not a place for secrets (GW-012).
 * @param options - folders and port
 * @param environment - environment variables of the command
 */
export function serviceDefinition(
  options: ServiceOptions,
  environment: NodeJS.ProcessEnv,
): ServiceDefinition {
  const { version, stateDir, configurationFile, workspaceDir, port } = options;
  const isOwnFile = configurationFile === join(stateDir, "openclaw.json");
  return {
    version,
    node: process.execPath,
    script: openclawScript(),
    args: ["gateway", "run", ...(port === undefined ? [] : ["--port", String(port)])],
    workspaceDir: resolve(workspaceDir ?? join(stateDir, "workspace")),
    variables: {
      OPENCLAW_STATE_DIR: stateDir,
      ...(isOwnFile ? {} : { OPENCLAW_CONFIG_PATH: configurationFile }),
      ...kept(environment),
    },
    outputFile: join(stateDir, "logs", "service.log"),
  };
}
