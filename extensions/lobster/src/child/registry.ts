import type { JsonObject, JsonValue } from "@openclaw/plugin-sdk/tools";
import type { Effect } from "../run/messages.js";
import { STEP_VARIABLE } from "../run/messages.js";
import type { HostConnection } from "./host.js";

/** Context that the engine gives to a command. */
interface CommandContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
  readonly onNonRetryableSideEffect?: () => void;
}

/** Items of a pipeline. */
type Items = AsyncIterable<JsonValue> | Iterable<JsonValue>;

interface CommandRun {
  readonly input: Items;
  readonly args: Readonly<Record<string, unknown>> & { readonly _: readonly string[] };
  readonly ctx: CommandContext;
}

interface CommandResult {
  readonly output?: Items;
  readonly halt?: boolean;
  readonly rendered?: boolean;
}

/** Command of the engine. */
interface Command {
  readonly name: string;
  readonly run: (run: CommandRun) => Promise<CommandResult>;
}

/** Commands of the engine by name. */
export interface Registry {
  get(name: string): Command | undefined;
  list(): string[];
}

/** Limits of the items of a stage. */
export interface StageLimits {
  readonly maxItems: number;
  readonly maxBytes: number;
}

/**
 * Returns the commands of the engine, with those that have effects replaced by requests to the host (LOB-012), and with
 * limits on what each stage emits. Commands that start programs reach the host through the replaced `spawn`.
 * @param engine - commands of the engine
 * @param limits - limits of each stage
 */
export function hostRegistry(
  engine: Registry,
  host: HostConnection,
  limits: StageLimits,
): Registry {
  const own = new Map<string, Command>(
    [
      invokeCommand("openclaw.invoke", host),
      invokeCommand("clawd.invoke", host),
      agentCommand(host),
    ].map((command) => [command.name, command]),
  );
  return {
    list: () => engine.list(),
    get(name) {
      const command = own.get(name) ?? engine.get(name);
      return command && limited(command, host, limits);
    },
  };
}

function limited(command: Command, host: HostConnection, limits: StageLimits): Command {
  return {
    ...command,
    async run(run) {
      const step = run.ctx.env[STEP_VARIABLE] ?? command.name;
      host.stage(step);
      const result = await command.run(run);
      if (result.output === undefined) return result;
      return { ...result, output: counted(result.output, step, host, limits) };
    },
  };
}

async function* counted(
  items: Items,
  step: string,
  host: HostConnection,
  { maxItems, maxBytes }: StageLimits,
): AsyncGenerator<JsonValue> {
  let count = 0;
  let bytes = 0;
  const stop = (problem: string): never => {
    host.limit(problem, step);
    throw new Error(problem);
  };
  for await (const item of items) {
    count += 1;
    bytes += Buffer.byteLength(JSON.stringify(item) ?? "");
    if (count > maxItems) stop(`a stage emitted more than ${maxItems} items`);
    if (bytes > maxBytes) stop(`a stage emitted more than ${maxBytes} bytes`);
    yield item;
  }
}

/** Creates `openclaw.invoke`, which calls a tool of the session. */
function invokeCommand(name: string, host: HostConnection): Command {
  return {
    name,
    async run({ input, args, ctx }) {
      const { tool, action } = args;
      if (typeof tool !== "string" || tool === "") throw new Error(`${name} requires --tool`);
      const params = objectOf(args["args-json"], name);
      if (typeof action === "string") params.action = action;
      const step = ctx.env[STEP_VARIABLE];
      const call = async (given: JsonObject) => {
        ctx.onNonRetryableSideEffect?.();
        const effect: Effect = { type: "tool", tool, params: given };
        const value = await host.perform(effect, step, ctx.signal);
        return Array.isArray(value) ? value : [value];
      };
      const output: JsonValue[] = [];
      if (args.each === true) {
        const key = String(args.itemKey ?? args["item-key"] ?? "item");
        for await (const item of input) output.push(...(await call({ ...params, [key]: item })));
      } else {
        for await (const _item of input) {
          // The items are not part of the call.
        }
        output.push(...(await call(params)));
      }
      return { output };
    },
  };
}

/** Creates `openclaw.agent`, which gives a task to a subagent of the session. */
function agentCommand(host: HostConnection): Command {
  const name = "openclaw.agent";
  return {
    name,
    async run({ input, args, ctx }) {
      const prompt = String(args.prompt ?? args.message ?? args._.join(" ")).trim();
      if (prompt === "") throw new Error(`${name} requires --prompt`);
      const items: string[] = [];
      for await (const item of input) items.push(JSON.stringify(item));
      const task =
        items.length === 0 ? prompt : `${prompt}\n\nPipeline input (JSONL):\n${items.join("\n")}`;
      const params: JsonObject = { task };
      if (typeof args.agent === "string") params.agentId = args.agent;
      if (typeof args.model === "string") params.model = args.model;
      const seconds = Number(args.timeout);
      if (Number.isInteger(seconds) && seconds > 0) params.timeoutMs = seconds * 1000;
      ctx.onNonRetryableSideEffect?.();
      const effect: Effect = { type: "tool", tool: "sessions_spawn", params };
      return { output: [await host.perform(effect, ctx.env[STEP_VARIABLE], ctx.signal)] };
    },
  };
}

function objectOf(text: unknown, name: string): JsonObject {
  if (text === undefined) return {};
  let value: unknown;
  try {
    value = JSON.parse(String(text));
  } catch {
    throw new Error(`${name} --args-json must be valid JSON`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Error(`${name} --args-json must be a JSON object`);
  }
  return value as JsonObject;
}
