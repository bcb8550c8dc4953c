import { errorMessage } from "@openclaw/foundation";
import type { InvokeMethod } from "../../host/methods.js";
import { type McpServerState, mcpServers, testMcpServer } from "../../mcp/servers.js";
import { type CheckResult, passed } from "./check.js";

/**
 * Checks the MCP servers of a gateway. A deep check connects to each of them and lists its tools; another one reads the
 * states of the servers.
 * @param invoke - calls a method of the gateway
 * @param isDeep - true connects
 */
export async function checkMcpServers(
  invoke: InvokeMethod,
  isDeep: boolean,
): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  for (const server of await mcpServers(invoke)) {
    results.push(isDeep && server.state !== "refused" ? await test(server, invoke) : read(server));
  }
  return results;
}

async function test({ name }: McpServerState, invoke: InvokeMethod): Promise<CheckResult> {
  try {
    return read(await testMcpServer(name, invoke));
  } catch (error) {
    const hint = `\`openclaw mcp logs ${name}\` shows what it wrote`;
    return { name: `mcp:${name}`, status: "fail", message: errorMessage(error), hint };
  }
}

function read({
  name: server,
  state,
  reason,
  isUndecided,
  isOutsideSandbox,
  tools,
}: McpServerState): CheckResult {
  const name = `mcp:${server}`;
  const place = isOutsideSandbox === true ? ", outside a sandbox" : "";
  const count = `${tools === undefined ? "" : `, ${tools.length} tools`}${place}`;
  if (state === "failing" || state === "refused") {
    const isWarning = isUndecided === true || reason?.startsWith("is disabled") === true;
    const hint = isWarning ? undefined : `openclaw mcp test ${server}`;
    return { name, status: isWarning ? "warn" : "fail", message: `${state}: ${reason}`, hint };
  }
  const lost = (tools ?? []).filter(({ problem }) => problem !== undefined);
  if (lost.length === 0) return passed(name, `${state}${count}`);
  const names = lost.map(({ tool, problem }) => `${tool} (${problem})`).join(", ");
  const hint = `openclaw mcp accept ${server}`;
  return { name, status: "warn", message: `${state}${count}; not offered: ${names}`, hint };
}
