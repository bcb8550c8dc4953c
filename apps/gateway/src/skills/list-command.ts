import { withGatewayMethods } from "../host/methods.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { printRows, widthOf, wrapped } from "../shell/table.js";

/** Options of `openclaw skills list`. */
export interface ListSkillsOptions {
  readonly agent: string;
  readonly json?: boolean;
}

/**
 * Runs `openclaw skills list`: prints the skills of an agent, and those that were left out.
 * @param options - agent and format
 * @param context - terminal and environment
 */
export async function listSkillsCommand(
  { agent, json = false }: ListSkillsOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const found = await withGatewayMethods(
    context,
    (call) => call("skills.list", { agentId: agent }),
    "reads",
  );
  if (json) {
    terminal.print(JSON.stringify({ agent, ...found }));
    return EXIT.ok;
  }
  const { skills, problems } = found;
  if (skills.length === 0) terminal.print("No skills.");
  else {
    printRows(
      skills.map(({ name, origin, pluginId, hidden, description }) => [
        name,
        pluginId === undefined ? origin : `plugin ${pluginId}`,
        hidden ? "hidden" : "offered",
        description,
      ]),
      terminal,
      { titles: ["skill", "from", "state", "description"] },
    );
  }
  if (problems.length > 0) terminal.print("");
  for (const { message } of problems) {
    for (const line of wrapped(message, widthOf(terminal))) terminal.print(line);
  }
  return EXIT.ok;
}
