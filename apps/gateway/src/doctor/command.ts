import { errorMessage } from "@openclaw/foundation";
import { listenAddressOf, stateFolderAt } from "@openclaw/gateway";
import { invokerOf, withGatewayMethods } from "../host/methods.js";
import { findRunningGateway, type RunningGateway } from "../host/running-gateway.js";
import { portOf } from "../host/start.js";
import { configurationFileOf, stateDirOf } from "../installation.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { withProgress } from "../shell/progress.js";
import { widthOf, wrapped } from "../shell/table.js";
import type { Terminal } from "../shell/terminal.js";
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

/** Options of `openclaw doctor`. */
export interface DoctorOptions {
  readonly fix?: boolean;
  readonly deep?: boolean;
  readonly json?: boolean;
}

/**
 * Runs `openclaw doctor`: checks this installation and its gateway (HOST-036).
 * @param options - repairs, model call and format
 * @param context - terminal and environment
 */
export async function doctorCommand(
  { fix = false, deep = false, json = false }: DoctorOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const check = () => withProgress("Checking", terminal, () => checkEverything(context, deep));
  let checks = await check();
  const repairs = fix ? checks.flatMap(({ repair }) => repair ?? []) : [];
  for (const repair of repairs) repair.apply();
  if (repairs.length > 0) checks = await check();
  const repaired = repairs.map(({ description }) => description);
  const isHealthy = !checks.some(({ status }) => status === "fail");
  if (json) {
    const results = checks.map(({ repair, ...result }) => ({
      ...result,
      isRepairable: repair !== undefined,
    }));
    terminal.print(JSON.stringify({ passed: isHealthy, repaired, checks: results }));
  } else {
    for (const description of repaired) terminal.print(`fixed: ${description}`);
    for (const result of checks) printResult(result, terminal);
    printConclusion(checks, terminal);
  }
  return isHealthy ? EXIT.ok : EXIT.negative;
}

async function checkEverything(context: CommandContext, isDeep: boolean): Promise<CheckResult[]> {
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

function printResult({ name, status, message, hint }: CheckResult, terminal: Terminal): void {
  const { colors, print } = terminal;
  const colour = { ok: colors.green, warn: colors.yellow, fail: colors.red }[status];
  const [first = "", ...more] = wrapped(`${name}: ${message}`, widthOf(terminal) - INDENT);
  print(`${colour(status.padEnd(INDENT))}${first}`);
  const fixes = hint === undefined ? [] : wrapped(`fix: ${hint}`, widthOf(terminal) - INDENT);
  for (const line of more) print(`${" ".repeat(INDENT)}${line}`);
  for (const line of fixes) print(`${" ".repeat(INDENT)}${colors.dim(line)}`);
}

const INDENT = 5;

function printConclusion(checks: readonly CheckResult[], { print }: Terminal): void {
  const count = (wanted: string) => checks.filter(({ status }) => status === wanted).length;
  const repairable = checks.filter(({ repair }) => repair !== undefined).length;
  const more = repairable === 0 ? "" : `; ${repairable} can be fixed with --fix`;
  print(`${count("ok")} ok, ${count("warn")} warnings, ${count("fail")} failures${more}`);
}
