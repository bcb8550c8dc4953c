import { type Command, Option } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

/**
 * Adds `openclaw skills`: the skills of agents (EXT-220).
 * @param program - parent command
 * @param context - terminal and environment
 * @param end - called with the exit status
 */
export function describeSkillCommands(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  const skills = program
    .command("skills")
    .description("list skills, also those that were left out");
  skills
    .command("list")
    .description("list the skills of an agent, and every skill that was left out with the reason")
    .addOption(new Option("--agent <id>", "skills of this agent").default("main"))
    .option("--json", "print the list as JSON")
    .action(async (options) => {
      const { listSkillsCommand } = await import("./list-command.js");
      end(await listSkillsCommand(options, context));
    });
}
