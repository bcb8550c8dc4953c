import { createServer } from "node:net";
import type { LoadedConfiguration } from "@openclaw/configuration";
import { errorMessage } from "@openclaw/foundation";
import { probeSandbox, type StateFolder } from "@openclaw/gateway";
import { ProxyRules } from "@openclaw/safety";
import type { RunningGateway } from "../../host/running-gateway.js";
import { platformNotice } from "../../shell/platform.js";
import { workspaceFolderOf } from "../../workspaces/folder.js";
import { type CheckResult, passed } from "./check.js";

/** Checks the runtime; a version of Node.js that is not supported ends before this. */
export function checkRuntime(): CheckResult {
  const message = `Node.js ${process.versions.node} on ${process.platform} ${process.arch}`;
  const notice = platformNotice(process.platform);
  return notice === undefined
    ? passed("runtime", message)
    : { name: "runtime", status: "warn", message: `${message}: ${notice}` };
}

/**
 * Checks the proxies of the environment; their credentials are not shown.
 * @param environment - environment variables
 */
export function checkProxy(environment: NodeJS.ProcessEnv): CheckResult {
  const rules = new ProxyRules(environment);
  const shown = rules.describe().join("; ");
  const [problem] = rules.problems;
  if (problem === undefined) return passed("proxy", rules.isEmpty ? "none" : shown);
  return {
    name: "proxy",
    status: "warn",
    message: `${problem.variable} ${problem.problem}, so requests that would use it fail`,
    hint: "give the URL of a proxy, for example http://proxy.example:3128 or socks5://proxy.example:1080, or unset the variable",
  };
}

/**
 * Checks that the port is free, or that the running gateway answers on it.
 * @param port - port of the next start
 * @param hostname - IP address of the next start
 * @param running - gateway that uses the state folder
 */
export async function checkPort(
  port: number,
  hostname: string,
  running: RunningGateway | undefined,
): Promise<CheckResult> {
  if (running?.http !== undefined) {
    const { ready, checks } = await running.http.client.readiness();
    const failed = checks.filter(({ ok }) => !ok).map(({ name, detail }) => `${name} ${detail}`);
    if (ready) return passed("gateway", `running at ${running.http.url}, ready`);
    return {
      name: "gateway",
      status: "fail",
      message: `running at ${running.http.url}, not ready: ${failed.join(", ")}`,
      hint: "`openclaw logs --level warn` shows why",
    };
  }
  if (running !== undefined)
    return passed("gateway", `process ${running.pid} uses the state folder`);
  try {
    await listenOnce(port, hostname);
    return passed("port", `${hostname}:${port} is free`);
  } catch (error) {
    return {
      name: "port",
      status: "fail",
      message: `the gateway could not listen on ${hostname}:${port} (${errorMessage(error)})`,
      hint: "stop the program that uses it, or set gateway.port or gateway.bind",
    };
  }
}

function listenOnce(port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve()));
  });
}

/**
 * Checks the sandbox of shell commands.
 * @param configuration - valid configuration
 * @param state - state folder
 * @param environment - environment variables
 */
export async function checkSandbox(
  configuration: LoadedConfiguration,
  { dir }: StateFolder,
  environment: NodeJS.ProcessEnv,
): Promise<CheckResult> {
  const state = await probeSandbox(
    configuration,
    workspaceFolderOf(environment, configuration).dir,
    dir,
  );
  if (state.active) {
    if (state.notice === undefined) return passed("sandbox", "works");
    return { name: "sandbox", status: "warn", message: `works, but ${state.notice}` };
  }
  const isRequired = configuration.value.tools?.exec?.sandbox === "required";
  return {
    name: "sandbox",
    status: isRequired ? "fail" : "warn",
    message: `not active: ${state.cause}`,
    hint: state.remedy,
  };
}
