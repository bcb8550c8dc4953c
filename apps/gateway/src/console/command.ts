import { GatewayUnreachableError } from "@openclaw/client";
import { findRunningGateway } from "../host/running-gateway.js";
import { installation } from "../installation.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { openInBrowser } from "./browser.js";

/**
 * Runs `openclaw console`: opens the web console with a one-time ticket. Where there is no browser, for example over
 * SSH, it prints the link.
 * @param options - choice of a browser or a printed link, and the format
 * @param context - terminal and environment
 * @throws GatewayUnreachableError when no gateway runs
 */
export async function consoleCommand(
  { open = true, json = false }: { open?: boolean; json?: boolean },
  { terminal, environment }: CommandContext,
): Promise<ExitCode> {
  const running = await findRunningGateway(environment);
  if (running?.http === undefined) {
    throw new GatewayUnreachableError(
      `no gateway serves this state folder; start one with \`${installation.command} gateway run\``,
    );
  }
  const { url, client } = running.http;
  const { ticket, expiresInMs } = await client.call("auth.ticket", {});
  // A fragment is not sent to any server, and so it is in no log.
  const link = `${url}/#ticket=${ticket}`;
  const seconds = Math.floor(expiresInMs / 1000);
  if (json) {
    terminal.print(JSON.stringify({ url: link, expiresInMs }));
  } else if (open && (await openInBrowser(link, environment))) {
    terminal.print(`The web console at ${url} opens in your browser.`);
  } else {
    terminal.print(link);
    terminal.note(`Open the link in a browser within ${seconds} s; it signs in once.`);
    const { hostname, port } = new URL(url);
    if (environment.SSH_CONNECTION) {
      terminal.note(
        `On another machine, forward the port first: \`ssh -L ${port}:${hostname}:${port} <this machine>\`.`,
      );
    }
  }
  return EXIT.ok;
}
