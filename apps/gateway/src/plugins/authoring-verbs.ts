import { type Command, Option } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

/**
 * Adds the commands of `openclaw plugins` that authors use on a plugin's own folder.
 * @param plugins - the command that they belong to
 * @param context - terminal and environment
 * @param end - told how a command ended
 */
export function describeAuthoringCommands(
  plugins: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  describeStarting(plugins, context, end);
  plugins
    .command("validate")
    .description("check a plugin's manifest, or with --conformance all that it should hold to")
    .argument("<path>", "the plugin's folder or entry file")
    .option("--conformance", "load the plugin, and check what every plugin should hold to")
    .option("--api <version>", "check against a host of this version of the plugin API")
    .addOption(pluginConfigOption())
    .option("--json", "print the report as JSON")
    .action(async (path, options) => {
      const { validatePluginCommand } = await import("./validate-command.js");
      end(await validatePluginCommand(path, options, context));
    });
  plugins
    .command("build")
    .description(
      "write into a plugin's manifest what the plugin registers, and the schema of its configuration",
    )
    .argument("<path>", "the plugin's folder or entry file")
    .option("--check", "write nothing, and fail when the manifest differs")
    .addOption(pluginConfigOption())
    .option("--json", "print the outcome as JSON")
    .action(async (path, options) => {
      const { buildPluginCommand } = await import("./build-command.js");
      end(await buildPluginCommand(path, options, context));
    });
}

function describeStarting(
  plugins: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  plugins
    .command("init")
    .description("start a plugin: manifest, entry, a test that passes")
    .argument("[folder]", "where; the plugin's id when absent")
    .option("--template <kind>", "what it offers: tool, hook, channel, provider or service")
    .option("--id <id>", "of the plugin; the folder's name when absent")
    .option("--language <language>", "typescript or javascript")
    .option("-y, --yes", "ask nothing")
    .action(async (folder, { template, id, language, yes }) => {
      const { runCommandLine } = await import("create-openclaw-plugin");
      const status = await runCommandLine([
        ...(folder === undefined ? [] : [folder]),
        ...(template === undefined ? [] : ["--template", template]),
        ...(id === undefined ? [] : ["--id", id]),
        ...(language === undefined ? [] : ["--language", language]),
        ...(yes === true ? ["--yes"] : []),
      ]);
      end(status);
    });
  plugins
    .command("try")
    .description("load a plugin into a host in memory and show what it registers")
    .argument("<path>", "the plugin's folder or entry file")
    .option("-m, --message <text>", "let the demo model answer this message with it")
    .addOption(pluginConfigOption())
    .option("--json", "print the outcome as JSON")
    .action(async (path, options) => {
      const { tryPluginCommand } = await import("./try-command.js");
      end(await tryPluginCommand(path, options, context));
    });
  plugins
    .command("fix-manifest")
    .description("write into an installed plugin's manifest what it registers and does not declare")
    .argument("<id>", "the plugin's id")
    .option("--json", "print the outcome as JSON")
    .action(async (id, options) => {
      const { fixManifestCommand } = await import("./build-command.js");
      end(await fixManifestCommand(id, options, context));
    });
}

function pluginConfigOption(): Option {
  return new Option("--plugin-config <file>", "JSON file with the configuration of the plugin");
}
