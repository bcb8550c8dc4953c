import type { Command } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

/**
 * Adds `openclaw nodes`: the gateways that share a database (SCALE-510).
 * @param context - terminal and environment
 * @param end - called with the exit status
 */
export function describeNodeCommands(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  const nodes = program
    .command("nodes")
    .description("list, drain and resume the gateways that share a PostgreSQL database");
  const commands = () => import("./commands.js");
  const reference = "ID from `nodes list`, at least its last 4 characters, or the name";
  nodes
    .command("list")
    .description("list the nodes of the database, their work, and what differs between them")
    .option("--json", "print the list as JSON")
    .action(async (options) => {
      end(await (await commands()).listNodesCommand(options, context));
    });
  nodes
    .command("drain")
    .description("let a node take no new turns: it ends those that run, and others do the rest")
    .argument("<node>", reference)
    .option("--json", "print the node as JSON")
    .addHelpText(
      "after",
      "\nExit codes: 0 it drains, 3 it is the only node that takes work, 4 no such node.",
    )
    .action(async (node, options) => {
      end(await (await commands()).drainNodeCommand(node, options, context));
    });
  nodes
    .command("resume")
    .description("let a drained node take turns again")
    .argument("<node>", reference)
    .option("--json", "print the node as JSON")
    .addHelpText("after", "\nExit codes: 0 it takes work, 4 no such node.")
    .action(async (node, options) => {
      end(await (await commands()).resumeNodeCommand(node, options, context));
    });
}
