import { type Command, Option } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

/**
 * Adds `openclaw skills`: the skills of agents (EXT-220), and those of other people (EXT-547).
 * @param context - terminal and environment
 * @param end - called with the exit status
 */
export function describeSkillCommands(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  const skills = program.command("skills").description("list, install and remove skills");
  skills
    .command("list")
    .description("list the skills of an agent, and every skill that was left out with the reason")
    .addOption(new Option("--agent <id>", "skills of this agent").default("main"))
    .option("--json", "print the list as JSON")
    .action(async (options) => {
      const { listSkillsCommand } = await import("./list-command.js");
      end(await listSkillsCommand(options, context));
    });

  const installing = () => import("./install-commands.js");
  const json = () => new Option("--json", "print the result as JSON");
  const force = () => new Option("--force", "install despite critical findings of the scan");
  const source = "folder, archive, git URL, package of npm, or plugin@marketplace";
  skills
    .command("search")
    .argument("[words...]", "words in names and descriptions; every skill when absent")
    .description("list the skills of marketplaces, or of a source")
    .option("--from <source>", source)
    .addOption(json())
    .action(async (words, options) =>
      end(await (await installing()).searchSkillsCommand(words, options, context)),
    );

  skills
    .command("install")
    .argument("<source>", source)
    .argument("[names...]", "skills of a source that has several")
    .description("install skills after a scan; nothing of them is executed")
    .option("--all", "install every skill of the source")
    .addOption(force())
    .addOption(json())
    .action(async (from, names, options) =>
      end(await (await installing()).installSkillsCommand(from, names, options, context)),
    );

  skills
    .command("update")
    .argument("[name]", "name of an installed skill; all when absent")
    .description("install the current version of installed skills")
    .addOption(force())
    .addOption(json())
    .action(async (name, options) =>
      end(await (await installing()).updateSkillsCommand(name, options, context)),
    );

  skills
    .command("remove")
    .argument("<name>", "name of an installed skill")
    .description("remove an installed skill with its files")
    .addOption(json())
    .action(async (name, options) =>
      end(await (await installing()).removeSkillCommand(name, options, context)),
    );
}
