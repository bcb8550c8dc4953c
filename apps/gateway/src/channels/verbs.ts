import { type Command, Option } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

/**
 * Adds `openclaw channels`: the messaging channels of plugins.
 * @param context - terminal and environment
 * @param end - called with the exit status
 */
export function describeChannelCommands(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  const channels = program
    .command("channels")
    .description("connect chat networks, and see how they are doing");
  const commands = () => import("./commands.js");
  channels
    .command("list")
    .description("list the channels that plugins offer, and which of them run")
    .option("--json", "print the list as JSON")
    .action(async (options) => {
      end(await (await commands()).listChannelsCommand(options, context));
    });
  channels
    .command("status")
    .description("show the connections, message counts and failures of channels")
    .argument("[channel]", "one channel; all when absent")
    .option("--json", "print the states as JSON")
    .addHelpText(
      "after",
      "\nExit codes: 0 all connected and nothing lost, 3 otherwise, 4 channel not found.",
    )
    .action(async (channel, options) => {
      end(await (await commands()).channelStatusCommand(channel, options, context));
    });
  channels
    .command("lost")
    .description("list the messages that plugins received and lost; replay or discard them")
    .argument("[channel]", "one channel; all when absent")
    .option("--replay <id>", "hand a message to the gateway now; `all` for every one listed")
    .option("--discard <id>", "delete a message; `all` for every one listed")
    .option("--json", "print the list or the outcomes as JSON")
    .addHelpText(
      "after",
      "\nA plugin loses a message when it needs a part of the SDK that this host does not have.\nExit codes: 0 done, or none lost; 3 messages remain; 4 message not found.",
    )
    .action(async (channel, options) => {
      const { lostMessagesCommand } = await import("./lost-command.js");
      end(await lostMessagesCommand(channel, options, context));
    });
  channels
    .command("test")
    .description("ask the platform of a channel whether it accepts the account")
    .argument("<channel>", "name of the channel, for example telegram")
    .option("--account <name>", "one account; by default the account named default")
    .option("--json", "print the outcome as JSON")
    .addHelpText("after", "\nExit codes: 0 it works, 3 it does not, 4 channel not found.")
    .action(async (channel, options) => {
      end(await (await commands()).testChannelCommand(channel, options, context));
    });
  channels
    .command("send")
    .description("send a message to a conversation or person, on the way of replies")
    .argument("<channel>", "name of the channel, for example telegram")
    .argument("<to>", "ID of the conversation or person on the channel")
    .argument("<text>", "text of the message")
    .option("--account <name>", "one account; by default the account named default")
    .option("--json", "print the outcome as JSON")
    .addHelpText("after", "\nIt needs a running gateway, which keeps the connection.")
    .action(async (channel, to, text, options) => {
      end(await (await commands()).sendChannelCommand(channel, to, text, options, context));
    });
  channels
    .command("add")
    .description("configure a channel; tokens are stored encrypted")
    .argument("<channel>", "name of the channel, for example telegram")
    .argument("[settings...]", "further settings as key=value, for example dmPolicy=allowlist")
    .option("--account <name>", "add an account of this name to the channel")
    .option("--secret <key>", "setting that holds a token; the value is read without being shown")
    .addOption(
      new Option("--from-env <variable>", "take the value of the secret from this variable"),
    )
    .option("--json", "print the outcome as JSON")
    .addHelpText(
      "after",
      "\nExample: openclaw channels add telegram --secret botToken\nThe value comes from a prompt, or from standard input.",
    )
    .action(async (channel, settings, options) => {
      const { addChannelCommand } = await import("./add-command.js");
      end(await addChannelCommand(channel, settings, options, context));
    });
  channels
    .command("logs")
    .description("show the lines of the log that are about a channel")
    .argument("<channel>", "name of the channel")
    .option("-f, --follow", "print later lines too, until Ctrl-C")
    .option("--json", "print each line as a JSON object")
    .action(async (channel, options) => {
      const { logsCommand } = await import("../logs/command.js");
      end(await logsCommand({ ...options, channel, lines: 200, level: "debug" }, context));
    });
}
