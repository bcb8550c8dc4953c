import { type Command, Option } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

const YES =
  "do not ask: use a free slot, allow conversation access, and accept the permissions that it requests";

/**
 * Adds the commands of `openclaw plugins` that change the set of loaded plugins (GW-043).
 * @param plugins - parent command `plugins`
 * @param context - terminal and environment
 * @param end - called with the exit status
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
      .option("--allow-conversation", "allow its handlers to read whole conversations")
      .option("--no-conversation", "do not allow its handlers to read whole conversations");

  plugins
    .command("inspect")
    .argument("<id>", "ID of the plugin")
    .description("show a plugin's registrations, hook counts and problems")
    .addOption(json())
    .action(async (id, options) =>
      end(await (await commands()).inspectCommand(id, options, context)),
    );

  consent(plugins.command("install"))
    .description("install a plugin from a folder, an archive, a file, npm, git or a marketplace")
    .argument(
      "<specifier>",
      "./folder, ./plugin.ts, ./archive.tgz, name@1.2.3 of npm, git+https://…, or plugin@marketplace",
    )
    .option("--force", "install despite critical findings of the scan")
    .option("--accept", "accept permissions that the installed version does not have")
    .option("--yes", YES)
    .addOption(json())
    .action(async (specifier, options) =>
      end(await (await commands()).installCommand(specifier, decided(options), context)),
    );

  plugins
    .command("update")
    .argument("<id>", "ID of an installed plugin")
    .description("install the newest version of an installed plugin")
    .option("--accept", "accept the additional permissions that it requests")
    .option("--yes", YES)
    .addOption(json())
    .action(async (id, options) =>
      end(await (await commands()).updateCommand(id, options, context)),
    );

  plugins
    .command("accept")
    .argument("<id>", "ID of an installed plugin")
    .description("accept changed files of an installed plugin, which does not load until then")
    .addOption(json())
    .action(async (id, options) =>
      end(await (await commands()).acceptCommand(id, options, context)),
    );

  plugins
    .command("uninstall")
    .argument("<id>", "ID of an installed plugin")
    .description("remove an installed plugin with its files and settings")
    .option("--yes", "do not ask for confirmation")
    .addOption(json())
    .action(async (id, options) =>
      end(await (await commands()).uninstallCommand(id, options, context)),
    );

  consent(plugins.command("enable").argument("<id>", "ID of the plugin"))
    .description("turn a plugin on, and give it the slot of its kind")
    .option("--yes", YES)
    .addOption(json())
    .action(async (id, options) =>
      end(await (await commands()).enableCommand(id, decided(options), context)),
    );

  plugins
    .command("disable")
    .argument("<id>", "ID of the plugin")
    .description("turn a plugin off")
    .addOption(json())
    .action(async (id, options) =>
      end(await (await commands()).disableCommand(id, options, context)),
    );

  plugins
    .command("reload")
    .argument("[id]", "ID of the plugin; all plugins when absent")
    .description("reload one plugin or all of them; running turns finish on the old version")
    .addOption(json())
    .action(async (id, options) =>
      end(await (await commands()).reloadCommand(id, options, context)),
    );

  plugins
    .command("doctor")
    .argument("[id]", "ID of the plugin; all plugins when absent")
    .description("report problems of plugins and how to fix them")
    .addOption(json())
    .addHelpText("after", "\nExit codes: 0 no failures, 3 at least one failure.")
    .action(async (id, options) => {
      const { doctorCommand } = await import("./doctor-command.js");
      end(await doctorCommand(id, options, context));
    });

  plugins
    .command("dev")
    .argument("<path>", "the plugin's folder or entry file")
    .description("run the gateway with this plugin and reload it when one of its files changes")
    .addOption(
      new Option("-p, --port <number>", "port on the loopback interface, 0 for any free one")
        .argParser(Number)
        .default(0),
    )
    .action(async (path, options) => {
      const { developCommand } = await import("./dev-command.js");
      end(await developCommand(path, options, context));
    });
}

/** Merges the two flags into one setting: true, false, or undefined when neither was given. */
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
