import { resolve } from "node:path";
import { defined } from "@openclaw/foundation";
import { type Gateway, type GatewayOptions, startGateway } from "@openclaw/gateway";
import { loadOperatorConfiguration } from "../configuration.js";
import {
  bundledExtensions,
  configurationFileOf,
  installation,
  sdkModules,
  stateDirOf,
} from "../installation.js";
import type { CommandContext } from "../shell/context.js";
import { notePlatform } from "../shell/platform.js";
import type { Terminal } from "../shell/terminal.js";
import type { HostOptions } from "./options.js";

/**
 * Starts a host in this process.
 * @param options - command-line options
 * @param context - terminal and environment
 * @param port - HTTP port; undefined serves no HTTP
 */
export async function startHost(
  options: HostOptions,
  { terminal, environment }: CommandContext,
  port: number | undefined | "configured",
): Promise<Gateway> {
  notePlatform(terminal);
  const configurationFile = configurationFileOf(environment);
  const configuration = await loadOperatorConfiguration(environment);
  const chosen = port === "configured" ? (configuration.value.gateway?.port ?? DEFAULT_PORT) : port;
  return startGateway({
    version: installation.version,
    stateDir: stateDirOf(environment),
    configuration,
    configurationFile,
    workspaceDir: process.cwd(),
    bundledExtensions: bundledExtensions(),
    sdkModules: sdkModules(),
    pluginPaths: (options.plugin ?? []).map((path) => resolve(path)),
    approvedTools: options.approveTool ?? [],
    environment,
    ...(terminal.isInteractive ? { findSurface: surfaceOf(terminal) } : {}),
    ...defined({ port: chosen }),
    inMemory: options.db === false,
    ...defined({ model: options.model }),
  });
}

const DEFAULT_PORT = 18_789;

/** Returns a surface that shows replies to messages from an earlier terminal session at this terminal. */
function surfaceOf({ print, colors }: Terminal): NonNullable<GatewayOptions["findSurface"]> {
  return ({ channel }) => {
    if (channel !== "terminal") return undefined;
    return {
      async send({ text = "" }) {
        print("");
        print(`${colors.dim("reply to an earlier message:")} ${text}`);
        return {};
      },
    };
  };
}
