import { defined } from "@openclaw/foundation";
import { withGatewayMethods } from "../host/methods.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { readJsonObject } from "../shell/json-argument.js";
import { UsageError } from "../shell/usage-error.js";
import { printTimes, printWebhook, stateText } from "./lines.js";

const LONGEST_COOLDOWN = 604_800;

/** Options that `add` and `edit` share. */
interface ChangeOptions {
  at?: string;
  every?: string;
  anchor?: string;
  cron?: string;
  tz?: string;
  manual?: boolean;
  webhook?: boolean;
  onMessage?: string;
  onChannel?: string;
  onFile?: string;
  action?: string;
  tool?: string;
  workflow?: string;
  params?: string;
  model?: string;
  catchUp?: string;
  overlap?: string;
  cooldown?: string;
  dedup?: string;
  context?: string[];
  quiet?: string;
  onSuccess?: boolean;
  attention?: boolean;
  failure?: boolean;
  json?: boolean;
}

/**
 * Runs `openclaw cron add`. The schedule is read, and its next times are printed, before anything is stored.
 * @param name - name of the routine
 * @param prompt - its task; undefined for a tool or workflow
 * @param options - schedule, limits, agent, session and format
 * @param context - terminal and environment
 */
export async function addRoutineCommand(
  name: string,
  prompt: string | undefined,
  {
    agent: agentId,
    session: sessionKey,
    dryRun = false,
    ...options
  }: ChangeOptions & { agent?: string; session?: string; dryRun?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const { json = false } = options;
  if (prompt === undefined && options.tool === undefined && options.workflow === undefined) {
    throw new UsageError("name a task, or --tool or --workflow");
  }
  const changes = await changesOf(options);
  const request = { ...changes, ...defined({ agentId, sessionKey, prompt }), name };
  const { at, every, anchor, cron, tz } = options;
  const written = defined({ at, every, anchor, cron, tz });
  return await withGatewayMethods(
    context,
    async (call, { isRunning }) => {
      const isTimed = [at, every, cron].some((part) => part !== undefined);
      const { manual, webhook, onMessage, onFile } = options;
      const others = [manual, webhook, onMessage, onFile];
      const hasOther = !isTimed && others.some((part) => part !== undefined);
      const preview = hasOther ? undefined : await call("cron.preview", written);
      if (preview !== undefined && !json) {
        terminal.print(`${preview.schedule}:`);
        printTimes(preview.next, terminal);
      }
      if (dryRun) {
        if (json) terminal.print(JSON.stringify(preview ?? { schedule: "none", next: [] }));
        else terminal.print("Nothing was stored.");
        return EXIT.ok;
      }
      const routine = await call("cron.add", request);
      if (json) {
        terminal.print(JSON.stringify(routine));
        return EXIT.ok;
      }
      const test = `\`openclaw cron run ${name}\` runs it once now`;
      const next = isRunning ? test : `It runs in the gateway, \`openclaw run\`; there ${test}`;
      const trigger = preview === undefined ? `: ${stateText(routine)}` : "";
      terminal.print(`Routine "${name}" is stored${trigger}. ${next}.`);
      printWebhook(routine, terminal);
      if (sessionKey === undefined) {
        terminal.print(
          `Its results stay in its history, \`openclaw cron runs ${name}\`; --session delivers them.`,
        );
      }
      return EXIT.ok;
    },
    dryRun ? "reads" : "changes",
  );
}

/**
 * Runs `openclaw cron edit`.
 * @param routine - name or ID
 * @param options - the changes and the format
 * @param context - terminal and environment
 */
export async function editRoutineCommand(
  routine: string,
  { name, task: prompt, ...options }: ChangeOptions & { name?: string; task?: string },
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const changes = { ...(await changesOf(options)), ...defined({ name, prompt }) };
  if (Object.keys(changes).length === 0) {
    throw new UsageError("nothing to change; name an option such as --cron or --task");
  }
  const request = { routine, ...changes };
  const changed = await withGatewayMethods(context, (call) => call("cron.update", request));
  if (options.json === true) terminal.print(JSON.stringify(changed));
  else {
    terminal.print(`Routine "${changed.name}" is changed: ${changed.schedule}`);
    printTimes(changed.next, terminal);
    printWebhook(changed, terminal);
  }
  return EXIT.ok;
}

/**
 * Runs `openclaw cron enable`, `disable`, `run` and `rm`.
 * @param verb - the change
 * @param routine - name or ID
 * @param options - format
 * @param context - terminal and environment
 */
export async function changeRoutineCommand(
  verb: "enable" | "disable" | "run" | "rm",
  routine: string,
  { json = false }: { json?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  return await withGatewayMethods(context, async (call) => {
    if (verb === "run") {
      const started = await call("cron.run", { routine });
      const { name } = started.routine;
      const text = `Routine "${name}" is ${started.run.state}. \`openclaw cron runs ${name}\` shows its end.`;
      terminal.print(json ? JSON.stringify(started) : text);
      return EXIT.ok;
    }
    if (verb === "rm") {
      const removed = await call("cron.remove", { routine });
      terminal.print(json ? JSON.stringify(removed) : `Routine "${removed.name}" is removed.`);
      return EXIT.ok;
    }
    const enabled = verb === "enable";
    const changed = await call("cron.update", { routine, enabled });
    const state = enabled ? `: ${stateText(changed)}` : "";
    const text = `Routine "${changed.name}" is ${verb}d${state}.`;
    terminal.print(json ? JSON.stringify(changed) : text);
    return EXIT.ok;
  });
}

async function changesOf({
  action,
  params,
  catchUp,
  overlap,
  cooldown,
  dedup,
  context,
  onSuccess,
  attention,
  failure,
  json: _,
  ...same
}: ChangeOptions) {
  return {
    ...defined(same),
    ...(params === undefined ? {} : { params: { ...(await readJsonObject(params, "--params")) } }),
    ...defined({
      action: choice("--action", action, ["message", "lightweight", "full_job"]),
      catchUp: choice("--catch-up", catchUp, ["latest", "all", "none"]),
      overlap: choice("--overlap", overlap, ["skip", "queue", "cancel-other"]),
      cooldownSeconds: cooldown === undefined ? undefined : secondsOf("--cooldown", cooldown),
      dedupSeconds: dedup === undefined ? undefined : secondsOf("--dedup", dedup),
      contextPaths: context,
      onSuccess,
      // They are true when the option is not there.
      onAttention: attention === false ? false : undefined,
      onFailure: failure === false ? false : undefined,
    }),
  };
}

function choice<const Word extends string>(
  option: string,
  value: string | undefined,
  words: readonly Word[],
): Word | undefined {
  if (value === undefined) return undefined;
  const known = words.find((word) => word === value);
  if (known !== undefined) return known;
  throw new UsageError(`${option}: expected ${words.join(", ")}, got ${value}`);
}

function secondsOf(option: string, written: string): number {
  const seconds = Number(written);
  if (Number.isInteger(seconds) && seconds >= 0 && seconds <= LONGEST_COOLDOWN) return seconds;
  throw new UsageError(`${option}: expected seconds from 0 to ${LONGEST_COOLDOWN}, got ${written}`);
}
