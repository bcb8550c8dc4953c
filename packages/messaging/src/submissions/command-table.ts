/** A built-in command, as `/help` and completion show it. */
export interface BuiltInCommand {
  /** Name without the slash. */
  readonly name: string;
  readonly aliases: readonly string[];
  /** Arguments, for example `[id]`; absent when it takes none. */
  readonly usage?: string | undefined;
  /** One line, beginning with a verb. */
  readonly summary: string;
}

/** The built-in commands that work, in the order of `/help` (SUB-017). */
export const BUILT_IN_COMMANDS: readonly BuiltInCommand[] = [
  command("help", "[command]", "List the commands, or explain one.", "?"),
  command("new", undefined, "Start a new conversation; the old one stays in /threads."),
  command("reset", undefined, "Start an empty conversation and forget this one's undo history."),
  command("clear", undefined, "Empty this conversation and its undo history."),
  command("undo", undefined, "Take back the last turn of the conversation."),
  command("redo", undefined, "Bring back the turn that the last /undo took back."),
  command("resume", "[id]", "List conversations and checkpoints, or return to one."),
  command(
    "thread",
    "[id | new]",
    "List conversations, continue one, or start a new one.",
    "threads",
  ),
  command("sessions", undefined, "List the sessions of this host (owners only)."),
  command("compact", undefined, "Replace the older part of the conversation by a summary."),
  command("summarize", undefined, "Summarise the conversation without changing it.", "summary"),
  command("suggest", undefined, "Suggest what to do next."),
  command("interrupt", undefined, "Stop the running turn.", "stop"),
  command("approve", "[code] [always]", "Allow a waiting tool call.", "yes", "y", "always", "a"),
  command("deny", "[code]", "Deny a waiting tool call.", "no", "n"),
  command(
    "elevated",
    "[seconds | off]",
    "Let tools run without approval for a time (owners only).",
  ),
  command(
    "model",
    "[provider/model]",
    "Show the model, or choose another for this session.",
    "models",
  ),
  command(
    "status",
    undefined,
    "Show the model, the workspace, the instructions and the size of this conversation.",
  ),
  command(
    "job",
    "<task> | cancel <id> | restart <id> | continue <id> | prompt <id> <text> | log <id>",
    "Start a job.",
    "create",
  ),
  command("jobs", "[active | done | failed]", "List your jobs.", "list"),
  command("cancel", "<id>", "Cancel a job."),
  command(
    "cron",
    "[add <name> <when>: <task> | list | why <name> | run <name> | rm <name>]",
    "List your routines, or manage them.",
    "routines",
  ),
  command("heartbeat", undefined, "Check the tasks of HEARTBEAT.md now (owners only)."),
  command("approvals", undefined, "List what waits for approval here, and what is always allowed."),
  command("cost", undefined, "Show the tokens that models have used in this conversation."),
  command("tools", undefined, "List the tools of this session and what policy says of them."),
  command("debug", undefined, "Show details of each turn in this session, or stop doing so."),
  command("version", undefined, "Show the versions of the product and of its plugin API."),
  command("ping", undefined, "Check that the host answers."),
  command("quit", undefined, "Stop the host (owners only).", "exit", "shutdown"),
];

/** Names that plugins cannot register (SUB-048). */
export const RESERVED_COMMAND_NAMES: readonly string[] = BUILT_IN_COMMANDS.flatMap(
  ({ name, aliases }) => [name, ...aliases],
);

/**
 * Finds a built-in command.
 * @param name - name or alias, with or without the slash, in any letter case
 */
export function findBuiltInCommand(name: string): BuiltInCommand | undefined {
  const wanted = name.replace(/^\//, "").toLowerCase();
  return BUILT_IN_COMMANDS.find((each) => each.name === wanted || each.aliases.includes(wanted));
}

function command(
  name: string,
  usage: string | undefined,
  summary: string,
  ...aliases: string[]
): BuiltInCommand {
  return { name, usage, summary, aliases };
}
