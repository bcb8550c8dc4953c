import { errorMessage } from "@openclaw/foundation";
import { listenAddressOf, stateFolderAt } from "@openclaw/gateway";
import { invokerOf, withGatewayMethods } from "../host/methods.js";
import { findRunningGateway, type RunningGateway } from "../host/running-gateway.js";
import { portOf } from "../host/start.js";
import { configurationFileOf, stateDirOf } from "../installation.js";
import type { CommandContext } from "../shell/context.js";
import { checkChannels } from "./checks/channels.js";
import type { CheckResult } from "./checks/check.js";
import { checkConfigurationFile, checkSecrets } from "./checks/configuration.js";
import { checkDatabase } from "./checks/database.js";
import { checkClock, checkDiskSpace, checkFiles } from "./checks/files.js";
import { checkPort, checkProxy, checkRuntime, checkSandbox } from "./checks/machine.js";
import { checkMcpServers } from "./checks/mcp.js";
import { checkNodes } from "./checks/nodes.js";
import { checkPlugins } from "./checks/plugins.js";
import { checkQueues } from "./checks/queues.js";

/**
 * Checks this installation and its gateway (HOST-036), for `openclaw doctor` and for the methods of the gateway.
 * @param context - terminal and environment
 * @param isDeep - true also connects to each MCP server, and calls the default model once
 */
export async function examineInstallation(
  context: CommandContext,
  isDeep: boolean,
): Promise<CheckResult[]> {
  const { environment } = context;
  const state = stateFolderAt(stateDirOf(environment));
  const { results, configuration } = await checkConfigurationFile(environment);
  const always = [
    checkRuntime(),
    checkProxy(environment),
    ...checkFiles(state, configurationFileOf(environment)),
    checkDiskSpace(state),
    checkClock(state),
    ...results,
  ];
  // Everything else depends on the configuration.
  if (configuration === undefined) return always;
  const running: RunningGateway | undefined = await findRunningGateway(environment);
  const { gateway = {} } = configuration.value;
  const port = portOf(configuration.value, environment);
  const secrets = await checkSecrets(state, configuration, environment);
  return [
    ...always,
    ...(await checkDatabase(environment)),
    secrets.result,
    await checkPort(port, listenAddressOf(gateway.bind).hostname, running),
    await checkSandbox(configuration, state, environment),
    ...(await checkChannels(running)),
    ...(await checkNodes(running)),
    ...(await checkQueues(running)),
    ...(secrets.configuration === undefined
      ? []
      : await checkPlugins({
          ...{ running, state, environment, isDeep },
          configuration: secrets.configuration,
        })),
    ...(await checkServers(context, running, isDeep)),
  ];
}

/** Without a running gateway only a deep check starts MCP servers, in a host for the command. */
async function checkServers(
  context: CommandContext,
  running: RunningGateway | undefined,
  isDeep: boolean,
): Promise<readonly CheckResult[]> {
  if (running?.http === undefined && !isDeep) return [];
  try {
    return await withGatewayMethods(context, (_call, host) =>
      checkMcpServers(invokerOf(host), isDeep),
    );
  } catch (error) {
    return [{ name: "mcp", status: "fail", message: errorMessage(error) }];
  }
}
