import { isIP } from "node:net";
import { type Command, InvalidArgumentError, Option } from "commander";
import { approveToolOption, modelOption, pluginOption } from "../host/command-options.js";
import { growHeapForStart } from "../host/heap-size.js";
import type { RunOptions } from "../host/options.js";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";
import { describeTokenCommands } from "./token-verbs.js";

/**
 * Adds `openclaw run` and `openclaw gateway`: running, stopping, inspecting and calling the gateway (GW-001).
 * @param context - terminal and environment
 * @param end - called with the exit status
 */
export function describeGatewayCommands(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  const commands = () => import("./commands.js");
  const runGateway = async (options: RunOptions) => {
    growHeapForStart();
    const { runCommand } = await import("./run-command.js");
    end(await runCommand(options, context));
  };
  hosting(program.command("run")).action(runGateway);

  const gateway = program.command("gateway").description("run, stop, inspect or call the gateway");
  hosting(gateway.command("run")).action(runGateway);
  gateway
    .command("stop")
    .description("stop the gateway that is using this state folder")
    .option("--json", "print the outcome as JSON")
    .action(async (options) => {
      end(await (await commands()).stopCommand(options, context));
    });
  gateway
    .command("restart")
    .description("restart the gateway that is using this state folder, and wait until it is ready")
    .option("--json", "print the outcome as JSON")
    .addHelpText("after", "\nExit codes: 0 ready again, 3 not running.")
    .action(async (options) => {
      const { restartCommand } = await import("./restart-command.js");
      end(await restartCommand(options, context));
    });
  gateway
    .command("status")
    .description("show whether a gateway is running, its URL, and whether it is ready")
    .option("--cluster", "also show every node of its database, and what differs between them")
    .option("--json", "print the status as JSON")
    .addHelpText("after", "\nExit codes: 0 ready, 3 not running or not ready.")
    .action(async (options) => {
      end(await (await commands()).statusCommand(options, context));
    });
  gateway
    .command("check")
    .description(
      "start on the present state and stop at once: shows whether this version can start",
    )
    .option("--json", "print the result as JSON")
    .action(async (options) => {
      const { checkStartCommand } = await import("./check-command.js");
      end(await checkStartCommand(options, context));
    });
  describeTokenCommands(gateway, context, end);
  gateway
    .command("call")
    .description("call a method of the running gateway and print its result as JSON")
    .argument("<method>", "name of the method, for example plugins.list")
    .argument(
      "[params]",
      "parameters as a JSON object, or - to read them from standard input",
      "{}",
    )
    .option(
      "--idempotency-key <key>",
      "identifies a repeat of the same call of a method that writes",
    )
    .option("--json", "print the result on one line")
    .action(async (method, params, options) => {
      const { callCommand } = await import("./call-command.js");
      end(await callCommand(method, params, options, context));
    });
}

function hosting(command: Command): Command {
  return command
    .description("run the gateway until it is stopped; at a terminal, also chat")
    .addOption(
      new Option("-p, --port <number>", "port to listen on (default 18789)")
        .env("OPENCLAW_PORT")
        .argParser(parsePort),
    )
    .addOption(
      new Option(
        "--bind <address>",
        "listen on `loopback`, `lan` or an IP address (default: gateway.bind, else loopback)",
      ).argParser(parseBind),
    )
    .addOption(new Option("--config <file>", "configuration file (also OPENCLAW_CONFIG_PATH)"))
    .addOption(new Option("--state-dir <folder>", "folder of the state (also OPENCLAW_STATE_DIR)"))
    .addOption(modelOption())
    .addOption(pluginOption())
    .addOption(new Option("--watch", "reload the plugins given with --plugin when a file changes"))
    .addOption(
      new Option(
        "--last-good",
        "when the configuration file is not valid, start with the last one that worked",
      ),
    )
    .addOption(
      new Option("--log-level <level>", "lowest level to log; replaces logging.level").choices([
        "debug",
        "info",
        "warn",
        "error",
        "silent",
      ]),
    )
    .addOption(
      new Option(
        "--log-stdout",
        "print the log as JSON lines on standard output, and nothing else; for containers",
      ),
    )
    .addOption(
      new Option(
        "--raw-stream [path]",
        "append the events of model streams to a file, as JSON lines without secrets; logs/raw-stream.jsonl in the state folder when no path is given",
      ),
    )
    .addOption(new Option("--raw-stream-path <path>", "file of --raw-stream"))
    .addOption(new Option("--no-db", "keep all data in memory; it is lost when the process ends"))
    .addOption(approveToolOption());
}

function parsePort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new InvalidArgumentError("expected a port, an integer from 0 to 65535.");
}

function parseBind(text: string): string {
  if (text === "loopback" || text === "lan" || isIP(text) !== 0) return text;
  throw new InvalidArgumentError("expected loopback, lan or an IP address.");
}
