import { type Command, Option } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

/**
 * The verbs of `openclaw plugins` with which an operator changes what is loaded (GW-043).
 * @param plugins - the command `plugins`
 * @param context - terminal and environment
 * @param end - takes the exit status
 */
export function describeAdministeringCommands(
  plugins: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  const commands = () => import("./change-commands.js");
  const json = () => new Option("--json", "print the result as JSON");
  const consent = (command: Command) =>
    command
      .option("--allow-conversation", "let its handlers see whole conversations")
      .option("--no-conversation", "keep its handlers from seeing whole conversations");

  plugins
    .command("inspect <id>")
    .description(
      "show what a plugin registered, how often its hooks fired, and what is wrong with it",
    )
    .addOption(json())
    .action(async (id, options) =>
      end(await (await commands()).inspectCommand(id, options, context)),
    );

  consent(plugins.command("install <specifier>"))
    .description("install a plugin from a folder, an archive, a file, npm or git")
    .option("--force", "install in spite of critical findings of the scan")
    .option("--accept", "accept permissions that it adds to those of the version installed before")
    .addOption(json())
    .action(async (specifier, options) =>
      end(await (await commands()).installCommand(specifier, decided(options), context)),
    );

  plugins
    .command("update <id>")
    .description("install the newest version of an installed plugin")
    .option("--accept", "accept permissions that it adds")
    .addOption(json())
    .action(async (id, options) =>
      end(await (await commands()).updateCommand(id, options, context)),
    );

  plugins
    .command("uninstall <id>")
    .description("remove an installed plugin with its files and settings")
    .option("--yes", "do not ask")
    .addOption(json())
    .action(async (id, options) =>
      end(await (await commands()).uninstallCommand(id, options, context)),
    );

  consent(plugins.command("enable <id>"))
    .description("turn a plugin on")
    .addOption(json())
    .action(async (id, options) =>
      end(await (await commands()).enableCommand(id, decided(options), context)),
    );

  plugins
    .command("disable <id>")
    .description("turn a plugin off")
    .addOption(json())
    .action(async (id, options) =>
      end(await (await commands()).disableCommand(id, options, context)),
    );

  plugins
    .command("reload [id]")
    .description("load a plugin, or all of them, anew; turns in flight finish on the old one")
    .addOption(json())
    .action(async (id, options) =>
      end(await (await commands()).reloadCommand(id, options, context)),
    );

  plugins
    .command("doctor [id]")
    .description("say what is wrong with plugins, each with its fix")
    .addOption(json())
    .addHelpText("after", "\nExit codes: 0 nothing fails, 3 something does.")
    .action(async (id, options) => {
      const { doctorCommand } = await import("./doctor-command.js");
      end(await doctorCommand(id, options, context));
    });

  plugins
    .command("dev <path>")
    .description("run the gateway with this plugin, and reload it when a file of it changes")
    .addOption(new Option("-p, --port <number>", "port on loopback").argParser(Number).default(0))
    .action(async (path, options) => {
      const { developCommand } = await import("./dev-command.js");
      end(await developCommand(path, options, context));
    });
}

/** The two flags are one word of the operator: yes, no, or not said. */
function decided<Options extends { allowConversation?: boolean; conversation?: boolean }>(
  options: Options,
): Options & { conversation?: boolean } {
  const { allowConversation, conversation, ...rest } = options;
  if (allowConversation === true)
    return { ...rest, conversation: true } as Options & { conversation: boolean };
  // Commander gives --no-conversation a positive default.
  return conversation === false
    ? ({ ...rest, conversation: false } as Options & { conversation: boolean })
    : (rest as Options);
}
