import { errorMessage } from "@openclaw/foundation";
import { exitCodeOf, OpenClawError } from "@openclaw/foundation/errors";
import { Command, CommanderError } from "commander";
import { describeApprovalCommands } from "./approvals/verbs.js";
import { describeChannelCommands } from "./channels/verbs.js";
import { describeChatCommand } from "./chat/verb.js";
import { describeCompletionCommand } from "./completion/verb.js";
import { describeConfigurationCommands } from "./configuration/verbs.js";
import { describeConsoleCommand } from "./console/verb.js";
import { describeDatabaseCommands } from "./database/verbs.js";
import { describeDeviceCommands } from "./devices/verbs.js";
import { describeDoctorCommands } from "./doctor/verbs.js";
import { describeDocumentationCommand } from "./documentation/verb.js";
import { describeGatewayCommands } from "./gateway/verbs.js";
import { describeHeartbeatCommands } from "./heartbeat/verbs.js";
import { describeHookCommands } from "./hooks/verbs.js";
import { pluginOption } from "./host/command-options.js";
import { addEnvironmentFile } from "./host/environment-file.js";
import { installation } from "./installation.js";
import { describeJobCommands } from "./jobs/verbs.js";
import { describeLogsCommand } from "./logs/verb.js";
import { describeMcpServeCommand, isMcpServe } from "./mcp/verb.js";
import { describeModelCommands } from "./models/verbs.js";
import { describeNodeCommands } from "./nodes/verbs.js";
import { describeOnboardCommand } from "./onboard/verb.js";
import { describePairingCommands } from "./pairing/verbs.js";
import { describeAdministeringCommands } from "./plugins/administration-verbs.js";
import { describeAuthoringCommands } from "./plugins/authoring-verbs.js";
import { bundledCommandNames } from "./plugins/command-names.js";
import { describeMarketplaceCommands } from "./plugins/marketplace-verbs.js";
import type { AddedCommands } from "./plugins/plugin-commands.js";
import { describePolicyCommands } from "./policy/verbs.js";
import { describeQueueCommands } from "./queue/verbs.js";
import { describeRoutineCommands } from "./routines/verbs.js";
import { describeReplayCommand } from "./runs/replay-verb.js";
import { describeTraceCommand } from "./runs/trace-verb.js";
import { describeSecretCommands } from "./secrets/verbs.js";
import { describeServiceCommands } from "./service/verbs.js";
import { describeSessionCommands } from "./sessions/verbs.js";
import type { CommandContext } from "./shell/context.js";
import { EXIT, type ExitCode } from "./shell/exit-code.js";
import { wrapDescriptions, wrapHelp } from "./shell/help-text.js";
import { useEnvironmentProxy } from "./shell/proxy.js";
import { processTerminal, type Terminal } from "./shell/terminal.js";
import { adviceFor } from "./shell/unknown-command.js";
import { UsageError } from "./shell/usage-error.js";
import { describeSkillCommands } from "./skills/verbs.js";
import { describeStatusCommand } from "./status/verb.js";
import { describeToolCommands } from "./tools/verbs.js";
import { describeUpdateCommand } from "./update/verb.js";
import { describeUsageCommand } from "./usage/verb.js";
import { describeBridgeCommand, describeWorkerCommand } from "./worker/verb.js";
import { describeTrustCommand } from "./workspaces/verb.js";

/**
 * Runs the command line.
 * @param args - command-line arguments without the program's name
 * @param environment - environment variables of the process
 * @param terminal - terminal of the commands; that of the process when absent
 * @returns the exit status
 */
export async function runCommandLine(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  terminal: Terminal = processTerminal(environment),
): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.ok;
  /** Text of the parser for standard error: the help of a command, or what is wrong with the arguments. */
  let parserText = "";
  // Commands take over the output of their program when they are added.
  const program = new Command("openclaw").configureOutput({
    writeOut: (text) => terminal.write(wrapHelp(text, terminal.size?.().columns)),
    writeErr: (text) => {
      parserText += text;
    },
  });
  describeCommands(program, { terminal, environment }, (code) => {
    exitCode = code;
  });
  const asked = withDefaultCommand(withOwnWords(args));
  await describeCompletionCommand(program, asked, terminal);
  let added: AddedCommands | undefined;
  try {
    if (optionsOf(asked).includes(SCHEMA_OPTION)) {
      const { printOutputSchema } = await import("./output/print-schema.js");
      const end = args.findIndex((word) => word.startsWith("-"));
      printOutputSchema(args.slice(0, end), terminal);
      return EXIT.ok;
    }
    program.hook("preAction", async (_, command) => {
      const { stateDir } = command.opts<{ stateDir?: string }>();
      addEnvironmentFile(environment, stateDir);
      await useEnvironmentProxy(environment, terminal);
    });
    added = await addPluginCommands(program, asked, { terminal, environment }, (code) => {
      exitCode = code;
    });
    await program.parseAsync(asked, { from: "user" });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) return reportError(error, asked, terminal);
    if (error.exitCode === 0) return EXIT.ok;
    // A group without a verb.
    if (error.code === "commander.help") {
      terminal.print(wrapHelp(parserText.trimEnd(), terminal.size?.().columns));
      return EXIT.ok;
    }
    const advice = adviceFor(program, asked, error);
    const [problem = "", ...rest] = parserText.trimEnd().split("\n");
    const help = rest.map((line) => (line === HELP_HINT ? helpHint(program, asked) : line));
    terminal.note([problem, ...(advice === undefined ? [] : [advice]), ...help].join("\n"));
    const message = [error.message.replace(/^error: /, ""), advice].filter(Boolean).join("; ");
    return reportError(new UsageError(message), asked, terminal, { isNoted: true });
  } finally {
    await added?.close();
  }
}

/** Names the help of the whole program, until the command with the error is known. */
const HELP_HINT = "(see openclaw --help)";

/** Names the help of the command that the arguments belong to. */
function helpHint(program: Command, args: readonly string[]): string {
  let command = program;
  const words = ["openclaw"];
  for (const word of args) {
    const next = command.commands.find(
      (each) => each.name() === word || each.aliases().includes(word),
    );
    if (next === undefined) break;
    words.push(next.name());
    command = next;
  }
  return `(see ${words.join(" ")} --help)`;
}

/** Loads its code only for a word that is not a command, so that the commands stay fast. */
async function addPluginCommands(
  program: Command,
  args: readonly string[],
  context: CommandContext,
  setExitCode: (code: ExitCode) => void,
): Promise<AddedCommands | undefined> {
  const [first = "-"] = args;
  const isKnown = program.commands.some((command) => command.name() === first);
  if (isKnown || first.startsWith("-")) return undefined;
  addEnvironmentFile(context.environment);
  let added: AddedCommands | undefined;
  // A client of the MCP server starts it often, and it needs no plugin.
  if (!isMcpServe(args)) {
    const commands = await import("./plugins/plugin-commands.js");
    added = await commands.addPluginCommands(program, args, context, setExitCode);
  }
  if (first === "mcp") describeMcpServeCommand(program, context, setExitCode);
  return added;
}

/** Prints an error on standard error, and with `--json` also as an object on standard output (GW-044). */
function reportError(
  error: unknown,
  args: readonly string[],
  terminal: Terminal,
  { isNoted = false } = {},
): ExitCode {
  if (isInterruption(error)) {
    terminal.note("");
    return EXIT.interrupted;
  }
  const message = errorMessage(error);
  if (!isNoted) terminal.note(`openclaw: ${message}`);
  if (optionsOf(args).includes("--json")) {
    const { code, kind } = OpenClawError.isInstance(error) ? error : UNEXPECTED;
    terminal.print(JSON.stringify({ error: { code, kind, message } }));
  }
  return exitCodeOf(error);
}

/** Returns true for Ctrl-C or Ctrl-D at a prompt: the user ended the command. */
function isInterruption(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError" && INTERRUPTION.test(error.message);
}

const INTERRUPTION = /^Aborted with Ctrl\+[CD]$/;

/** Returns the arguments before `--`, which ends the options. */
function optionsOf(args: readonly string[]): readonly string[] {
  return args.includes("--") ? args.slice(0, args.indexOf("--")) : args;
}

const SCHEMA_OPTION = "--json-schema";

/** Adds the option that prints the schema of the output to every command with `--json` (GW-044). */
function addSchemaOption(command: Command): void {
  if (command.options.some(({ long }) => long === "--json")) {
    command.option(SCHEMA_OPTION, "print the JSON Schema of the output of --json, and end");
  }
  for (const each of command.commands) addSchemaOption(each);
}

const UNEXPECTED = { code: "UNEXPECTED", kind: "internal" };

/** Returns a line with the commands that plugins add; the program loads them when one is asked for. */
function pluginCommands(): string {
  const names = bundledCommandNames();
  if (names.length === 0) return "";
  return `\nCommands of plugins: ${names.join(", ")}; for example \`openclaw ${names[0]} --help\`.\n`;
}

/** Returns the arguments with the words of the command that does the work, where a command has a second name. */
function withOwnWords(args: readonly string[]): readonly string[] {
  const [first, second, ...rest] = args;
  return first === "tool" && second === "install" ? ["wasm", "install", ...rest] : args;
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
 * @param program - program without commands
 * @param context - terminal and environment
 * @param end - called with the exit status of the command
 */
export function describeCommands(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  program
    .description("An agent gateway with plugins. Without a command it runs the gateway.")
    .version(installation.version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .showHelpAfterError(HELP_HINT)
    .showSuggestionAfterError(false)
    .exitOverride()
    // `doctor guards --json`: an option belongs to the command that it follows.
    .enablePositionalOptions()
    .addHelpText("after", () => `${pluginCommands()}${EXIT_CODES}`);
  wrapDescriptions(program);

  describeGatewayCommands(program, context, end);
  describeChatCommand(program, context, end);
  describeConsoleCommand(program, context, end);
  describeOnboardCommand(program, context, end);
  describeTrustCommand(program, context, end);

  const plugins = program.command("plugins").description("manage, inspect and develop plugins");
  describeAdministeringCommands(plugins, context, end);
  describeAuthoringCommands(plugins, context, end);
  describeMarketplaceCommands(plugins, context, end);
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
  describeChannelCommands(program, context, end);
  describeJobCommands(program, context, end);
  describeWorkerCommand(program, context, end);
  describeBridgeCommand(program, context, end);
  describeRoutineCommands(program, context, end);
  describeHeartbeatCommands(program, context, end);
  describePairingCommands(program, context, end);
  describeDeviceCommands(program, context, end);
  describeNodeCommands(program, context, end);
  describeQueueCommands(program, context, end);
  describeSessionCommands(program, context, end);
  describeSkillCommands(program, context, end);
  describeStatusCommand(program, context, end);
  describeToolCommands(program, context, end);
  describeLogsCommand(program, context, end);
  describeModelCommands(program, context, end);
  describeUsageCommand(program, context, end);
  describeDatabaseCommands(program, context, end);
  describeTraceCommand(program, context, end);
  describeDoctorCommands(program, context, end);
  describeReplayCommand(program, context, end);

  describeConfigurationCommands(program, context, end);
  describeSecretCommands(program, context, end);
  describeServiceCommands(program, context, end);
  describeUpdateCommand(program, context, end);
  describeDocumentationCommand(program, context, end);
  program
    .command("version")
    .description("print the version")
    .option("--json", "print the versions of OpenClaw and Node.js as JSON")
    .action(({ json = false }) => {
      const { version } = installation;
      context.terminal.print(
        json ? JSON.stringify({ version, node: process.versions.node }) : version,
      );
    });
  addSchemaOption(program);
}

const EXIT_CODES = `
Exit codes: 0 ok, 1 error, 2 usage, 3 negative result, 4 not found, 69 gateway unreachable, 75 busy, 77 not permitted, 78 configuration, 130 interrupted.`;
