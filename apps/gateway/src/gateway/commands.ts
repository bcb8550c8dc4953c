import { defined } from "@openclaw/foundation";
import { findRunningGateway } from "../host/running-gateway.js";
import { stopRunningGateway } from "../host/stop-gateway.js";
import { printNodes } from "../nodes/list.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { GatewayNotStoppedError } from "./not-stopped-error.js";

/**
 * Runs `openclaw gateway stop`: stops the gateway that uses the state folder, and waits until it has ended.
 * @param options - format
 * @param context - terminal and environment
 * @throws GatewayNotStoppedError when it has not ended after 25 s
 */
export async function stopCommand(
  { json = false }: { json?: boolean },
  { terminal, environment }: CommandContext,
): Promise<ExitCode> {
  const stopped = await stopRunningGateway(environment);
  if (stopped === undefined) {
    terminal.print(
      json ? JSON.stringify({ stopped: false, running: false }) : "No gateway is running.",
    );
    return EXIT.ok;
  }
  const { pid, waitedMs } = stopped;
  if (stopped.hasEnded) {
    terminal.print(
      json ? JSON.stringify({ stopped: true, pid }) : `The gateway (process ${pid}) has stopped.`,
    );
    return EXIT.ok;
  }
  throw new GatewayNotStoppedError(pid, waitedMs);
}

/**
 * Runs `openclaw gateway status`: prints whether a gateway uses the state folder, and whether it is ready.
 * @param options - format, and whether the other nodes of its database are shown
 * @param context - terminal and environment
 */
export async function statusCommand(
  { json = false, cluster = false }: { json?: boolean; cluster?: boolean },
  { terminal, environment }: CommandContext,
): Promise<ExitCode> {
  const running = await findRunningGateway(environment);
  if (running === undefined) {
    terminal.print(json ? JSON.stringify({ running: false }) : "No gateway is running.");
    return EXIT.negative;
  }
  const { pid, http } = running;
  if (http === undefined) {
    const text = `Process ${pid} is using the state folder but does not serve HTTP (a chat, or a gateway that is starting).`;
    terminal.print(json ? JSON.stringify({ running: true, pid }) : text);
    // A health check must not take a gateway that is starting for one that is ready.
    return EXIT.negative;
  }
  const { url, client } = http;
  const { ready, checks } = await client.readiness();
  const nodes = cluster ? await client.call("nodes.list", {}) : undefined;
  if (json) {
    const status = { running: true, pid, url, ready, checks, ...defined({ cluster: nodes }) };
    terminal.print(JSON.stringify(status));
  } else {
    terminal.print(
      `The gateway (process ${pid}) is listening at ${url} and is ${ready ? "ready" : "not ready"}.`,
    );
    for (const { name, ok, detail } of checks) {
      terminal.print(`  ${ok ? "✓" : "✗"} ${name}${detail === undefined ? "" : `: ${detail}`}`);
    }
    if (nodes !== undefined) printNodes(nodes, terminal);
  }
  return ready ? EXIT.ok : EXIT.negative;
}
