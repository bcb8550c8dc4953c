import { type Command, Option } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

/**
 * Adds `openclaw plugins marketplace`: lists of plugins that other people offer (EXT-544).
 * @param plugins - parent command `plugins`
 * @param context - terminal and environment
 * @param end - called with the exit status
 */
export function describeMarketplaceCommands(
  plugins: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  const commands = () => import("./marketplace-commands.js");
  const json = () => new Option("--json", "print the result as JSON");
  const marketplace = plugins
    .command("marketplace")
    .description("add, search and update marketplaces of plugins");

  marketplace
    .command("add")
    .argument("<source>", "folder, git URL, owner/name of GitHub, or URL of a marketplace.json")
    .description("add a marketplace; nothing of it is executed")
    .addOption(json())
    .action(async (source, options) =>
      end(await (await commands()).addMarketplaceCommand(source, options, context)),
    );

  marketplace
    .command("list")
    .description("list the marketplaces that were added")
    .addOption(json())
    .action(async (options) =>
      end(await (await commands()).listMarketplacesCommand(options, context)),
    );

  marketplace
    .command("search")
    .argument("[words...]", "words in names and descriptions; every plugin when absent")
    .description("list the plugins that marketplaces offer")
    .option("--marketplace <name>", "only plugins of this marketplace")
    .addOption(json())
    .action(async (words, options) =>
      end(await (await commands()).searchMarketplacesCommand(words, options, context)),
    );

  marketplace
    .command("update")
    .argument("[name]", "name of a marketplace; all when absent")
    .description("fetch marketplaces again, and show which installed plugins have other versions")
    .addOption(json())
    .action(async (name, options) =>
      end(await (await commands()).updateMarketplacesCommand(name, options, context)),
    );

  marketplace
    .command("remove")
    .argument("<name>", "name of a marketplace")
    .description("remove a marketplace; plugins that were installed from it stay")
    .addOption(json())
    .action(async (name, options) =>
      end(await (await commands()).removeMarketplaceCommand(name, options, context)),
    );
}
