import { type Command, Option } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

/**
 * Returns true for the arguments of `openclaw mcp serve`.
 * @param args - arguments without the name of the program
 */
export function isMcpServe([first, second]: readonly string[]): boolean {
  return first === "mcp" && second === "serve";
}

/**
 * Adds `openclaw mcp serve`, the MCP server over standard streams (EXT-015), to the commands of MCP.
 * @param program - parent command, with the commands of the extension for MCP unless it is switched off
 * @param context - terminal and environment
 * @param end - called with the exit status
 */
export function describeMcpServeCommand(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  const group =
    program.commands.find((command) => command.name() === "mcp") ??
    program.command("mcp").description("MCP servers, and the MCP server of the gateway");
  group
    .command("serve")
    .description("serve the tools, sessions and memory of the running gateway to an MCP client")
    .addOption(new Option("--session <key>", "session of the calls").default("main"))
    .option("--url <url>", "URL of a gateway, with its token in OPENCLAW_GATEWAY_TOKEN")
    .option("--approvals", "let the model at the client decide approval requests")
    .addHelpText("after", HELP)
    .action(async (options) => {
      const { serveMcpCommand } = await import("./serve-command.js");
      end(await serveMcpCommand(options, context));
    });
}

const HELP = `
An MCP client starts this command and talks to it over standard input and output:
  claude mcp add openclaw -- openclaw mcp serve
Over HTTP the gateway serves the same at /mcp, with its token as bearer token.
Exit codes: 0 the client ended the connection, 69 no gateway is running.`;
