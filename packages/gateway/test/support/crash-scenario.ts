import type { QueueMode } from "@openclaw/messaging";
import type { ModelScript, ScriptStep } from "@openclaw/models";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import { Type } from "typebox";
import type { MortalProcess } from "./mortal-process.js";

/** `once` has an effect and must not run twice, `look` may; `fail` throws. */
export type CrashTool = "once" | "look" | "fail";

/** What is sent to a host that is killed again and again. */
export interface CrashScenario {
  readonly queueMode: QueueMode;
  /** Whether the channel knows a repeat. */
  readonly deduplicates: boolean;
  /** Most characters of a message on the channel. */
  readonly textLimit: number;
  readonly messages: readonly CrashMessage[];
}

/** A message, and what the model does for it. */
export interface CrashMessage {
  /** The sender's own id of it. */
  readonly key: string;
  readonly session: string;
  /** The tools of each reply before the answer. */
  readonly rounds: readonly (readonly CrashTool[])[];
  /** Whether the plugins want the answer done better once. */
  readonly revised: boolean;
}

/** What outlives the processes: effects, what the channel was given, what was acknowledged. */
export interface CrashWorld {
  /** A tool had its effect. */
  ran(effect: string): void;
  /** The channel was given a message. */
  given(key: string, text: string): void;
  /** A message was acknowledged. */
  acknowledged(key: string, messageId: string): void;
}

type ModelCall = Parameters<Extract<ModelScript, (request: never) => unknown>>[0];

interface Task {
  readonly key: string;
  readonly rounds: readonly (readonly CrashTool[])[];
  readonly revised: boolean;
}

/**
 * The text of a message, which tells the model what to do.
 * @param message - of a scenario
 */
export function textOf({ key, rounds, revised }: CrashMessage): string {
  return `do ${JSON.stringify({ key, rounds, revised } satisfies Task)}`;
}

/**
 * What the model says to a conversation: the calls of the next round of all that was asked since its last
 * answer, and at last an answer that names each message.
 * @param request - the conversation
 */
export function reply({ prompt }: ModelCall): ScriptStep {
  let tasks: Task[] = [];
  let said = 0;
  for (const { role, content } of prompt) {
    if (typeof content === "string" || (role !== "user" && role !== "assistant")) continue;
    const text = content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
    if (role === "user") tasks.push(...tasksIn(text));
    else if (text.startsWith("done ")) [tasks, said] = [[], 0];
    else said += 1;
  }
  const rounds = tasks.flatMap(({ key, rounds: own }) =>
    own.map((tools, round) =>
      tools.map((toolName, index) => ({
        toolName,
        params: { effect: `${key}/${round}/${index}` },
      })),
    ),
  );
  const round = rounds[said];
  if (round !== undefined) return { text: "Let me see.", toolCalls: round };
  const isDraft = said === rounds.length && tasks.some(({ revised }) => revised);
  const names = tasks.map(({ key }) => key).join(" ");
  return { text: `${isDraft ? "draft" : "done"} ${names} and some more words of an answer` };
}

function tasksIn(text: string): Task[] {
  return text
    .split("\n")
    .flatMap((line) => (line.startsWith("do ") ? [JSON.parse(line.slice(3)) as Task] : []));
}

/**
 * Registers the tools and hooks of a process.
 * @param api - of the plugin
 * @param process - whose fault points they pass
 * @param world - that their effects reach
 */
export function registerCrashPlugin(
  api: OpenClawPluginApi,
  process: MortalProcess,
  world: CrashWorld,
): void {
  const parameters = Type.Object({ effect: Type.String() });
  const execute = async (_id: string, { effect }: { effect: string }) => {
    await process.point();
    world.ran(effect);
    await process.point();
    return `${effect} is done`;
  };
  const description = "A tool.";
  api.registerTool({ name: "once", description, parameters, execute });
  api.registerTool({
    ...{ name: "look", description, parameters, execute },
    idempotent: true,
    parallelSafe: true,
  });
  api.registerTool({
    ...{ name: "fail", description, parameters },
    async execute(id, params) {
      await execute(id, params);
      throw new Error("it broke");
    },
  });
  api.on("before_prompt_build", () => ({ prependContext: "Be brief." }));
  api.on("before_agent_finalize", ({ lastAssistantMessage = "" }) =>
    lastAssistantMessage.startsWith("draft ")
      ? { action: "revise", reason: "a draft", retry: { instruction: "Finish it." } }
      : undefined,
  );
}
