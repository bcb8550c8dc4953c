import { type Command, Option } from "commander";
import { installation } from "../installation.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";

/**
 * Adds the commands of `openclaw plugins` for plugin authors.
 * @param plugins - parent command
 * @param context - terminal and environment
 * @param end - called with the exit status
 */
export function describeAuthoringCommands(
  plugins: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  describeStarting(plugins, context, end);
  plugins
    .command("validate")
    .description("check a plugin's manifest, or with --conformance all requirements for plugins")
    .argument("<path>", "the plugin's folder or entry file")
    .option("--conformance", "load the plugin and check it against all requirements for plugins")
    .option("--api <version>", "plugin API version of the host to check against")
    .addOption(pluginConfigOption())
    .option("--json", "print the report as JSON")
    .action(async (path, options) => {
      const { validatePluginCommand } = await import("./validate-command.js");
      end(await validatePluginCommand(path, options, context));
    });
  plugins
    .command("compat")
    .description("load a plugin into a temporary host and report which of its parts work here")
    .argument(
      "<path>",
      "folder, file, archive, npm name or git URL of a plugin, or a bundle's folder",
    )
    .addOption(pluginConfigOption())
    .option("--json", "print the report as JSON")
    .addHelpText(
      "after",
      "\nExit codes: 0 every part works or is mapped, 3 a part is not supported.",
    )
    .action(async (path, options) => {
      const { compatCommand } = await import("./compat-command.js");
      end(await compatCommand(path, options, context));
    });
  plugins
    .command("build")
    .description("update a plugin's manifest with its registrations and its configuration schema")
    .argument("<path>", "the plugin's folder or entry file")
    .option("--check", "do not write; fail when the manifest differs")
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
    .description("create a plugin: manifest, entry point and a passing test")
    .argument("[folder]", "folder to create (default the plugin's ID)")
    .option("--template <kind>", "kind of plugin: tool, hook, provider, channel or service")
    .option("--id <id>", "ID of the plugin (default the folder's name)")
    .option("--wasm", "create a tool as a WebAssembly component")
    .option("--language <language>", "typescript or javascript; with --wasm typescript or rust")
    .option("-y, --yes", "do not prompt; use the defaults")
    .action(async (folder, { template, id, wasm, language, yes }) => {
      const { runCommandLine } = await import("create-openclaw-plugin");
      const { buildForPlugins } = await import("./build-for-plugins.js");
      const { linkCheckout } = await import("./link-command.js");
      const { checkout } = installation;
      const given = [
        ...(folder === undefined ? [] : [folder]),
        ...(template === undefined ? [] : ["--template", template]),
        ...(id === undefined ? [] : ["--id", id]),
        ...(wasm === true ? ["--wasm"] : []),
        ...(language === undefined ? [] : ["--language", language]),
        ...(yes === true ? ["--yes"] : []),
      ];
      // Until this project publishes its packages, a registry has other packages under their names.
      let isBuilt = true;
      const prepare = async (project: string, root: string) => {
        isBuilt = await buildForPlugins(root, linkCheckout(project, root));
      };
      const code = await runCommandLine(
        given,
        checkout === undefined
          ? {}
          : { checkout, prepare: (project) => prepare(project, checkout) },
      );
      end(isBuilt ? code : EXIT.error);
    });
  plugins
    .command("try")
    .description("load a plugin into a temporary in-memory host and show what it registers")
    .argument("<path>", "the plugin's folder or entry file")
    .option("-m, --message <text>", "send this message to the demo model with the plugin loaded")
    .addOption(pluginConfigOption())
    .option("--json", "print the outcome as JSON")
    .addHelpText("after", "\nExit codes: 0 loaded, 3 a part of the plugin was left out.")
    .action(async (path, options) => {
      const { tryPluginCommand } = await import("./try-command.js");
      end(await tryPluginCommand(path, options, context));
    });
  plugins
    .command("link")
    .description(
      "in a checkout: let a plugin import the packages of the checkout, without npm install",
    )
    .argument("<folder>", "the plugin's folder")
    .option("--json", "print the outcome as JSON")
    .action(async (folder, options) => {
      const { linkCommand } = await import("./link-command.js");
      end(await linkCommand(folder, options, context));
    });
  plugins
    .command("fix-manifest")
    .description("add undeclared registrations to an installed plugin's manifest")
    .argument("<id>", "ID of the plugin")
    .option("--json", "print the outcome as JSON")
    .action(async (id, options) => {
      const { fixManifestCommand } = await import("./build-command.js");
      end(await fixManifestCommand(id, options, context));
    });
}

function pluginConfigOption(): Option {
  return new Option("--plugin-config <file>", "JSON file with the plugin's configuration");
}
