import { type Command, InvalidArgumentError, Option } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

/**
 * Adds `openclaw service`: the gateway as a service of this user (GW-012).
 * @param context - terminal and environment
 * @param end - called with the exit status
 */
export function describeServiceCommands(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  const service = program
    .command("service")
    .description("run the gateway as a service of this user, with systemd or launchd");
  const commands = () => import("./commands.js");
  const json = (command: Command) => command.option("--json", "print the outcome as JSON");
  json(service.command("install"))
    .description("write the service, start it now and at every login; also updates an older one")
    .addOption(
      new Option("-p, --port <number>", "port to listen on").argParser((text) => {
        const port = Number(text);
        if (Number.isInteger(port) && port > 0 && port <= 65_535) return port;
        throw new InvalidArgumentError("expected a port, an integer from 1 to 65535.");
      }),
    )
    .option(
      "--workspace <folder>",
      "workspace of the agent (default: workspace/ of the state folder)",
    )
    .option("--no-start", "do not start it now")
    .option("--print", "print the file instead of installing it")
    .option("--force", "replace a file that something else wrote")
    .action(async (options) => {
      end(await (await commands()).installServiceCommand(options, context));
    });
  json(service.command("uninstall"))
    .description("stop the service and remove it; data and configuration stay")
    .option("--force", "also remove a file that something else wrote")
    .action(async (options) => {
      end(await (await commands()).uninstallServiceCommand(options, context));
    });
  for (const verb of ["start", "stop", "restart"] as const) {
    json(service.command(verb))
      .description(`${verb} the installed service`)
      .action(async (options) => {
        end(await (await commands()).controlServiceCommand(verb, options, context));
      });
  }
  json(service.command("status"))
    .description("show whether the service is installed, up to date and running")
    .addHelpText("after", "\nExit codes: 0 it runs, 3 it does not or its file is out of date.")
    .action(async (options) => {
      end(await (await commands()).serviceStatusCommand(options, context));
    });
}
