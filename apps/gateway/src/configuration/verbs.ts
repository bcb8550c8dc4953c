import type { Command } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

/**
 * Adds `openclaw config`: checking, reading and changing the configuration.
 * @param context - terminal and environment
 * @param end - called with the exit status
 */
export function describeConfigurationCommands(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  const config = program.command("config").description("check, read and change the configuration");
  describeReadingCommands(config, context, end);
  describeChangingCommands(config, context, end);
}

function describeReadingCommands(
  config: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  const commands = () => import("./read-commands.js");
  config
    .command("validate")
    .description("check the configuration file and report every error with its line")
    .option("--strict", "fail on warnings too, for example a tool that no enabled plugin declares")
    .option("--json", "print the result as JSON")
    .addHelpText("after", "\nExit codes: 0 valid, 78 not valid.")
    .action(async (options) => {
      const { validateCommand } = await import("./validate-command.js");
      end(await validateCommand(options, context));
    });
  config
    .command("get")
    .description("print a value, or the whole configuration; secrets are hidden")
    .argument("[key]", "dotted key, for example gateway.port; all keys when absent")
    .option(
      "--explain",
      "print where the value comes from, and what it takes precedence over; without a key, the origin of each value",
    )
    .option("--reveal", "show secrets and the values of environment variables")
    .option("--json", "print the result as JSON")
    .addHelpText("after", "\nExit codes: 0 printed, 2 unknown key, 4 the key is not set.")
    .action(async (key, options) => {
      end(await (await commands()).getCommand(key, options, context));
    });
  config
    .command("schema")
    .description("print the JSON Schema of the configuration file, for editors")
    .option("--json", "print the schema on one line")
    .action(async (options) => {
      end(await (await commands()).schemaCommand(options, context));
    });
}

function describeChangingCommands(
  config: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  const commands = () => import("./change-commands.js");
  const codes =
    "\nExit codes: 0 changed, 3 changed meanwhile (--base-hash), 78 it would not be valid.";
  config
    .command("set")
    .description("set a key; comments and order of the file stay")
    .argument("<key>", "dotted key, for example gateway.port")
    .argument("<value>", "JSON5, or plain text for a key that holds a string")
    .option("--db", "change the settings of the database, which take precedence over the file")
    .option("--agent <id>", "agent that the key belongs to, for example --agent clerk model")
    .option("--base-hash <hash>", "fail when the configuration is not the version with this hash")
    .option("--json", "print the outcome as JSON")
    .addHelpText("after", codes)
    .action(async (key, value, options) => {
      end(await (await commands()).setCommand(key, value, options, context));
    });
  config
    .command("unset")
    .description("remove a key, so that its default applies")
    .argument("<key>", "dotted key, for example gateway.port")
    .option("--db", "change the settings of the database, which take precedence over the file")
    .option("--agent <id>", "agent that the key belongs to, for example --agent clerk model")
    .option("--base-hash <hash>", "fail when the configuration is not the version with this hash")
    .option("--json", "print the outcome as JSON")
    .addHelpText("after", codes)
    .action(async (key, options) => {
      end(await (await commands()).unsetCommand(key, options, context));
    });
  config
    .command("patch")
    .description("change several keys at once; null removes a key")
    .argument("<patch>", "JSON5 object, or - for standard input")
    .option("--db", "change the settings of the database, which take precedence over the file")
    .option("--base-hash <hash>", "fail when the configuration is not the version with this hash")
    .option("--json", "print the outcome as JSON")
    .addHelpText("after", codes)
    .action(async (patch, options) => {
      end(await (await commands()).patchCommand(patch, options, context));
    });
  config
    .command("edit")
    .description("open the file in $VISUAL or $EDITOR, and save it only when it is valid")
    .option("--json", "print the outcome as JSON")
    .addHelpText("after", "\nExit codes: 0 saved or unchanged, 3 changed meanwhile, 78 not valid.")
    .action(async (options) => {
      const { editCommand } = await import("./edit-command.js");
      end(await editCommand(options, context));
    });
  config
    .command("restore")
    .description(
      "put back the last configuration that worked; the current file is kept as a backup",
    )
    .option("--json", "print the outcome as JSON")
    .addHelpText("after", "\nExit codes: 0 restored, 3 no configuration is kept.")
    .action(async (options) => {
      const { restoreCommand } = await import("./restore-command.js");
      end(await restoreCommand(options, context));
    });
}
