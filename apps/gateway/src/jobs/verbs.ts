import type { Command } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

const ID = "ID of the job, or the beginning of it";

/**
 * Adds `openclaw jobs`: work in the background.
 * @param context - terminal and environment
 * @param end - called with the exit status
 */
export function describeJobCommands(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  const jobs = program.command("jobs").description("work in the background: list, create, cancel");
  const commands = () => import("./commands.js");
  jobs
    .command("list")
    .description("list jobs, newest first")
    .option("--active", "only jobs whose work is not finished")
    .option("--json", "print the list as JSON")
    .action(async (options) => {
      end(await (await commands()).listJobsCommand(options, context));
    });
  jobs
    .command("show")
    .description("show a job with its task and its result")
    .argument("<id>", ID)
    .option("--json", "print the job as JSON")
    .action(async (id, options) => {
      end(await (await commands()).showJobCommand(id, options, context));
    });
  jobs
    .command("log")
    .description("show what happened to a job")
    .argument("<id>", ID)
    .option("-f, --follow", "print further moves until its work is finished")
    .option("--json", "print the log as JSON; not with --follow")
    .action(async (id, options) => {
      end(await (await commands()).jobLogCommand(id, options, context));
    });
  jobs
    .command("create")
    .description("create a job; it starts when the gateway has a place for it")
    .argument("<title>", "what is to be done")
    .option("--description <text>", "all that it needs to know; default the title")
    .option("--agent <id>", "agent that works on it")
    .option("--session <key>", "session that gets the result")
    .option("--model <model>", "model, provider/model")
    .option("--mode <mode>", "worker (default), sandboxed or claude_code")
    .option("--json", "print the job as JSON")
    .action(async (title, options) => {
      end(await (await commands()).createJobCommand(title, options, context));
    });
  jobs
    .command("runtimes")
    .description("show in which runtimes sandboxed jobs can run on this machine")
    .option("--json", "print the list as JSON")
    .action(async (options) => {
      end(await (await import("./runtimes.js")).runtimesCommand(options, context));
    });
  const review = () => import("./review.js");
  jobs
    .command("diff")
    .description("show what a sandboxed job changed in its copy of the workspace")
    .argument("<id>", ID)
    .option("--json", "print the changes as JSON")
    .action(async (id, options) => {
      end(await (await review()).diffJobCommand(id, options, context));
    });
  jobs
    .command("apply")
    .description("apply what a sandboxed job changed to the workspace, after showing it")
    .argument("<id>", ID)
    .option("--yes", "apply without asking")
    .option("--json", "print the applied changes as JSON; needs --yes")
    .action(async (id, options) => {
      end(await (await review()).applyJobCommand(id, options, context));
    });
  jobs
    .command("gc")
    .description("remove leftovers of workers, and copies of workspaces that no job has")
    .option("--json", "print the numbers as JSON")
    .action(async (options) => {
      end(await (await review()).collectCommand(options, context));
    });
  const files = () => import("./files.js");
  jobs
    .command("files")
    .description("list the files that a job made or changed")
    .argument("<id>", ID)
    .option("--json", "print the list as JSON")
    .action(async (id, options) => {
      end(await (await files()).jobFilesCommand(id, options, context));
    });
  jobs
    .command("file")
    .description("print a file in the workspace of a job, or save it")
    .argument("<id>", ID)
    .argument("<path>", "path in the workspace of the job")
    .option("-o, --output <file>", "new file to save it in")
    .option("--json", "print the file as JSON, in base64; not with --output")
    .action(async (id, path, options) => {
      end(await (await files()).jobFileCommand(id, path, options, context));
    });
  jobs
    .command("prompt")
    .description("give a job that works a further prompt")
    .argument("<id>", ID)
    .argument("<text>", "the prompt")
    .option("--json", "print the job as JSON")
    .action(async (id, text, options) => {
      end(await (await files()).promptJobCommand(id, text, options, context));
    });
  jobs
    .command("continue")
    .description("let a job continue whose budget is used up")
    .argument("<id>", ID)
    .option("--tokens <n>", "further tokens; as much again as it had when no amount is given")
    .option("--usd <amount>", "further money in US dollars")
    .option("--json", "print the job as JSON")
    .action(async (id, options) => {
      end(await (await commands()).continueJobCommand(id, options, context));
    });
  for (const [verb, description] of [
    ["cancel", "cancel a job and the jobs that it asked for"],
    ["restart", "start a stuck job again, or create a failed or cancelled one again"],
    ["accept", "accept the result of a job"],
  ] as const) {
    jobs
      .command(verb)
      .description(description)
      .argument("<id>", ID)
      .option("--json", "print the job as JSON")
      .action(async (id, options) => {
        end(await (await commands()).changeJobCommand(verb, id, options, context));
      });
  }
}
