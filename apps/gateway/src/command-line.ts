import { errorMessage } from "@openclaw/foundation";
import { exitCodeOf } from "@openclaw/foundation/errors";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { describeApprovalCommands } from "./approvals/verbs.js";
import { describeConfigurationCommands } from "./configuration/verbs.js";
import { describeDatabaseCommands } from "./database/verbs.js";
import { describeDoctorCommands } from "./doctor/verbs.js";
import { describeTokenCommands } from "./gateway/token-verbs.js";
import { describeHookCommands } from "./hooks/verbs.js";
import { limitHeapGrowth } from "./host/heap-size.js";
import type { RunOptions } from "./host/options.js";
import { installation } from "./installation.js";
import { describeAdministeringCommands } from "./plugins/administration-verbs.js";
import { describeAuthoringCommands } from "./plugins/authoring-verbs.js";
import { describePolicyCommands } from "./policy/verbs.js";
import { describeReplayCommand } from "./runs/replay-verb.js";
import { describeTraceCommand } from "./runs/trace-verb.js";
import { describeSecretCommands } from "./secrets/verbs.js";
import { describeSessionCommands } from "./sessions/verbs.js";
import type { CommandContext } from "./shell/context.js";
import { EXIT, type ExitCode } from "./shell/exit-code.js";
import { processTerminal } from "./shell/terminal.js";

/**
 * Runs the command line.
 * @param args - command-line arguments without the program's name
 * @param environment - environment variables of the process
 * @returns the exit status
 */
export async function runCommandLine(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<ExitCode> {
  const terminal = processTerminal(environment);
  let exitCode: ExitCode = EXIT.ok;
  const program = describeCommands({ terminal, environment }, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(withDefaultCommand(args), { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    terminal.note(`openclaw: ${errorMessage(error)}`);
    return exitCodeOf(error);
  }
}

/**
 * Returns the arguments with the default command `run` added when they name no command; its options may stand
 * alone.
 */
function withDefaultCommand(args: readonly string[]): readonly string[] {
  const [first] = args;
  if (first === undefined) return ["run"];
  const isOwnOption = ["-h", "--help", "-V", "--version"].includes(first);
  return first.startsWith("-") && !isOwnOption ? ["run", ...args] : args;
}

/**
 * Describes the commands. Each loads its own code when it runs, so that `--version` and `--help` stay fast.
 */
function describeCommands(context: CommandContext, end: (code: ExitCode) => void): Command {
  const program = new Command("openclaw")
    .description("An agent gateway with plugins. Without a command it runs the gateway.")
    .version(installation.version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .showHelpAfterError("(see openclaw --help)")
    .exitOverride()
    .configureOutput({ writeErr: (text) => context.terminal.note(text.trimEnd()) })
    .addHelpText("after", EXIT_CODES);

  const runGateway = async (options: RunOptions) => {
    limitHeapGrowth();
    const { runCommand } = await import("./gateway/commands.js");
    end(await runCommand(options, context));
  };
  hosting(program.command("run"))
    .description("run the gateway until it is stopped; at a terminal, also chat")
    .action(runGateway);

  program
    .command("chat")
    .description("chat with the agent: at a prompt, with -m, or from piped input")
    .addOption(new Option("-m, --message <text>", "send one message, print the reply, and exit"))
    .addOption(modelOption())
    .addOption(pluginOption())
    .addOption(approveToolOption())
    .option("--json", "print the reply as one JSON document (with -m or piped input)")
    .action(async (options) => {
      const { chatCommand } = await import("./chat/command.js");
      end(await chatCommand(options, context));
    });

  const gateway = program.command("gateway").description("run, stop, inspect or call the gateway");
  hosting(gateway.command("run"))
    .description("run the gateway until it is stopped; at a terminal, also chat")
    .action(runGateway);
  gateway
    .command("stop")
    .description("stop the gateway that is using this state folder")
    .option("--json", "print the outcome as JSON")
    .action(async (options) => {
      const { stopCommand } = await import("./gateway/commands.js");
      end(await stopCommand(options, context));
    });
  gateway
    .command("status")
    .description("show whether a gateway is running, its URL, and whether it is ready")
    .option("--json", "print the status as JSON")
    .action(async (options) => {
      const { statusCommand } = await import("./gateway/commands.js");
      end(await statusCommand(options, context));
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
      const { callCommand } = await import("./gateway/call-command.js");
      end(await callCommand(method, params, options, context));
    });

  const plugins = program.command("plugins").description("manage, inspect and develop plugins");
  describeAdministeringCommands(plugins, context, end);
  describeAuthoringCommands(plugins, context, end);
  plugins
    .command("list")
    .description("list every plugin that was found, and the reason when one is off")
    .addOption(pluginOption())
    .option("--json", "print the list as JSON")
    .action(async (options) => {
      const { listPluginsCommand } = await import("./plugins/list-command.js");
      end(await listPluginsCommand(options, context));
    });

  describePolicyCommands(program, context, end);
  describeHookCommands(program, context, end);
  describeApprovalCommands(program, context, end);
  describeSessionCommands(program, context, end);
  describeDatabaseCommands(program, context, end);
  describeTraceCommand(program, context, end);
  describeDoctorCommands(program, context, end);
  describeReplayCommand(program, context, end);

  describeConfigurationCommands(program, context, end);
  describeSecretCommands(program, context, end);
  return program;
}

function hosting(command: Command): Command {
  return command
    .addOption(
      new Option("-p, --port <number>", "port to listen on (default 18789)")
        .env("OPENCLAW_PORT")
        .argParser(parsePort),
    )
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
        "--raw-stream <path>",
        "append the events of model streams to a file, as JSON lines without secrets",
      ),
    )
    .addOption(new Option("--no-db", "keep all data in memory; it is lost when the process ends"))
    .addOption(approveToolOption());
}

function modelOption(): Option {
  return new Option("--model <provider/model>", "model to use in this process");
}

function pluginOption(): Option {
  return new Option(
    "--plugin <path>",
    "also load a plugin from a file or folder (repeatable)",
  ).argParser(collect);
}

function approveToolOption(): Option {
  return new Option(
    "--approve-tool <name>",
    "let a tool run without approval in this process (repeatable); `exec` covers commands made of literal words, `exec=any` every command that is not destructive",
  ).argParser(collect);
}

function collect(value: string, earlier: string[] = []): string[] {
  return [...earlier, value];
}

function parsePort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new InvalidArgumentError("expected a port, an integer from 0 to 65535.");
}

const EXIT_CODES = `
Exit codes: 0 ok, 1 error, 2 usage, 3 negative result, 4 not found, 69 gateway unreachable,
75 busy, 77 not permitted, 78 configuration, 130 interrupted.`;
