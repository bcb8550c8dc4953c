import type { Command } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

const NAME = "name of the routine, its ID, or the beginning of the ID";

/**
 * Adds `openclaw cron`: work at times that a schedule names.
 * @param context - terminal and environment
 * @param end - called with the exit status
 */
export function describeRoutineCommands(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  const cron = program.command("cron").description("routines: work at times that a schedule names");
  const commands = () => import("./commands.js");
  const changes = () => import("./changes.js");
  cron
    .command("list")
    .description("list routines with their next times")
    .option("--json", "print the list as JSON")
    .action(async (options) => {
      end(await (await commands()).listRoutinesCommand(options, context));
    });
  withChanges(
    cron
      .command("add")
      .description("create a routine, and print its next five times")
      .argument("<name>", "1 to 64 of the characters a-z, 0-9, _ and -")
      .argument("[task]", "what the agent is to do each time; none with --tool and --workflow")
      .option("--agent <id>", "agent that works for it")
      .option("--session <key>", "session that gets the results, such as main")
      .option("--dry-run", "print the schedule and its next times, and store nothing"),
  ).action(async (name, task, options) => {
    end(await (await changes()).addRoutineCommand(name, task, options, context));
  });
  withChanges(
    cron
      .command("edit")
      .description("change a routine; what is not named stays as it is")
      .argument("<routine>", NAME)
      .option("--name <name>", "another name")
      .option("--task <text>", "another task"),
  ).action(async (routine, options) => {
    end(await (await changes()).editRoutineCommand(routine, options, context));
  });
  cron
    .command("import")
    .description("create routines for the jobs of an older installation")
    .argument("<file>", "its file cron/jobs.json")
    .option("--dry-run", "say what would be imported, and store nothing")
    .option("--json", "print the outcome as JSON")
    .action(async (file, options) => {
      end(await (await import("./import.js")).importRoutinesCommand(file, options, context));
    });
  const onNamed = (
    verb: string,
    description: string,
    act: (routine: string, options: { json?: boolean }) => Promise<ExitCode>,
  ) =>
    cron
      .command(verb)
      .description(description)
      .argument("<routine>", NAME)
      .option("--json", "print the answer as JSON")
      .action(async (routine, options) => end(await act(routine, options)));
  for (const [verb, description] of [
    ["show", "show a routine with its task, its limits and its next times"],
    ["next", "print the next five times of a routine, in its zone and in UTC"],
    ["why", "explain the last time of a routine and the next one"],
  ] as const) {
    onNamed(verb, description, async (routine, options) =>
      (await commands()).routineCommand(verb, routine, options, context),
    );
  }
  cron
    .command("runs")
    .description("list the times of a routine with their outcome, newest first")
    .argument("<routine>", NAME)
    .option("--limit <count>", "number of lines, default 20")
    .option("--json", "print the list as JSON")
    .action(async (routine, options) => {
      end(await (await commands()).routineRunsCommand(routine, options, context));
    });
  for (const [verb, description] of [
    ["enable", "enable a routine; times that have passed do not run"],
    ["disable", "disable a routine; it keeps its history"],
    ["run", "run a routine once now, in the running gateway"],
    ["rm", "remove a routine with its history"],
  ] as const) {
    onNamed(verb, description, async (routine, options) =>
      (await changes()).changeRoutineCommand(verb, routine, options, context),
    );
  }
}

function withChanges(command: Command): Command {
  return command
    .option("--at <time>", 'one time: 2027-01-31T09:00, "in 20 minutes", "tomorrow 9:00"')
    .option("--every <length>", '30m, or days with a time: "weekday at 9:00"')
    .option("--anchor <time>", "a time from which --every counts")
    .option("--cron <expression>", 'cron expression such as "0 8 * * 1-5", or @daily')
    .option("--tz <zone>", "IANA zone such as Europe/Berlin; default that of the host")
    .option("--manual", "no schedule: people start it")
    .option("--webhook", "a request starts it; prints the address and a new secret")
    .option("--on-message <pattern>", "a message that matches a pattern (RE2 syntax) starts it")
    .option("--on-channel <channel>", "only messages of this channel")
    .option("--on-file <path>", "a file that is written there, in the workspace, starts it")
    .option("--action <kind>", "message (default), lightweight or full_job")
    .option("--tool <name>", "tool that each run calls, instead of a task")
    .option("--workflow <file>", "workflow file in the workspace that each run executes")
    .option("--params <json>", "parameters of the tool or workflow as JSON; - reads them")
    .option("--model <model>", "model, provider/model")
    .option("--catch-up <rule>", "missed times that run later: latest (default), all or none")
    .option("--overlap <rule>", "a time during a run: skip (default), queue or cancel-other")
    .option("--quiet <hours>", "hours in which it does not begin by itself, 22:00-07:00, or none")
    .option("--cooldown <seconds>", "shortest time between two runs")
    .option("--dedup <seconds>", "time within which equal requests, messages and files count once")
    .option("--context <path...>", "files of the workspace that each run is given")
    .option("--on-success", "deliver replies with ROUTINE_OK too")
    .option("--no-attention", "keep replies in the history, and deliver none")
    .option("--no-failure", "do not tell of failures")
    .option("--json", "print the routine as JSON");
}
