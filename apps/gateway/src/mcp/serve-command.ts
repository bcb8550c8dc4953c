import { once } from "node:events";
import process from "node:process";
import { GatewayUnreachableError } from "@openclaw/client";
import { systemClock } from "@openclaw/foundation";
import { serveMcpOverStdio } from "@openclaw/server/mcp";
import { findRunningGateway } from "../host/running-gateway.js";
import { installation } from "../installation.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { UsageError } from "../shell/usage-error.js";
import { RemoteGateway } from "./remote-gateway.js";

/** Options of `openclaw mcp serve`. */
export interface ServeMcpOptions {
  readonly session: string;
  readonly url?: string;
  readonly approvals?: boolean;
}

const TOKEN_VARIABLE = "OPENCLAW_GATEWAY_TOKEN";

/**
 * Runs `openclaw mcp serve`: an MCP server over standard streams that passes every call to the running gateway (EXT-015).
 * @param options - session, and gateway if it is not that of the state folder
 * @param context - terminal and environment
 * @throws GatewayUnreachableError when no gateway is running; UsageError for a URL without a token
 */
export async function serveMcpCommand(
  { session, url, approvals = false }: ServeMcpOptions,
  { terminal, environment }: CommandContext,
): Promise<ExitCode> {
  const place = await placeOf(url, environment);
  const gateway = new RemoteGateway({
    ...place,
    client: { id: "openclaw-mcp", version: installation.version, mode: "automation" },
  });
  try {
    await gateway.ready();
    const { stdin: input, stdout: output } = process;
    const ended = Promise.race([once(input, "end"), once(input, "close"), once(output, "close")]);
    const stop = serveMcpOverStdio({
      ...{ gateway, input, output, timers: systemClock },
      version: installation.version,
      sessionKey: session,
      decidesApprovals: approvals,
      onError: ({ message }) => terminal.note(`openclaw: ${message}`),
    });
    await ended;
    await stop();
    return EXIT.ok;
  } finally {
    gateway.close();
  }
}

async function placeOf(
  url: string | undefined,
  environment: NodeJS.ProcessEnv,
): Promise<{ readonly url: string; readonly token: string }> {
  const token = environment[TOKEN_VARIABLE];
  if (url !== undefined) {
    if (token !== undefined && token !== "") return { url, token };
    throw new UsageError(`--url needs the token of the gateway in ${TOKEN_VARIABLE}`);
  }
  const running = await findRunningGateway(environment);
  if (running?.http === undefined) {
    throw new GatewayUnreachableError(
      "no gateway is running; start one with `openclaw run`, or install it as a service with `openclaw service install`",
    );
  }
  return { url: running.http.url, token: running.http.token };
}
