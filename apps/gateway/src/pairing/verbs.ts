import type { Command } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

/**
 * Adds `openclaw pairing`: admits people who wrote to a channel.
 * @param context - terminal and environment
 * @param end - called with the exit status
 */
export function describePairingCommands(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  const pairing = program
    .command("pairing")
    .description("admit people who write to a channel for the first time");
  const commands = () => import("./commands.js");
  pairing
    .command("list")
    .description("list who waits to be admitted, and who was")
    .option("--json", "print the lists as JSON")
    .action(async (options) => {
      end(await (await commands()).listPairingCommand(options, context));
    });
  pairing
    .command("approve")
    .description("admit the sender who was given a code")
    .argument("<channel>", "name of the channel, for example telegram")
    .argument("<code>", "code that the sender was given")
    .option("--json", "print the admitted sender as JSON")
    .addHelpText("after", "\nExit codes: 0 admitted, 4 unknown code, 75 too many wrong codes.")
    .action(async (channel, code, options) => {
      end(await (await commands()).approvePairingCommand(channel, code, options, context));
    });
  pairing
    .command("revoke")
    .description("remove an admitted sender")
    .argument("<channel>", "name of the channel")
    .argument("<sender>", "ID of the sender, from `pairing list`")
    .option("--account <name>", "only from this account of the channel")
    .option("--json", "print the outcome as JSON")
    .addHelpText("after", "\nExit codes: 0 removed, 4 not paired.")
    .action(async (channel, sender, options) => {
      end(await (await commands()).revokePairingCommand(channel, sender, options, context));
    });
}
