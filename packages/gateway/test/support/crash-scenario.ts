import type { ModelScript, ScriptStep } from "@openclaw/models";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import type { QueueMode } from "@openclaw/store";
import { Type } from "typebox";
import type { MortalProcess } from "./mortal-process.js";

/** `once` has an effect and must not run twice, `look` may; `fail` throws. */
export type CrashTool = "once" | "look" | "fail";

/** Messages to a host that is killed repeatedly. */
export interface CrashScenario {
  readonly queueMode: QueueMode;
  /** True when the channel detects repeats. */
  readonly deduplicates: boolean;
  /** Maximum number of characters of a message on the channel. */
  readonly textLimit: number;
  readonly messages: readonly CrashMessage[];
}

/** Message, and the model's actions for it. */
export interface CrashMessage {
  /** ID that the sender gave the message. */
  readonly key: string;
  readonly session: string;
  /** Tools of each reply before the final one. */
  readonly rounds: readonly (readonly CrashTool[])[];
  /** True when the plugins request one revision of the reply. */
  readonly revised: boolean;
}

/** State that outlives the processes: effects, sent messages, acknowledgements. */
export interface CrashWorld {
  /** Records that a tool had its effect. */
  ran(effect: string): void;
  /** Records that the channel was given a message. */
  given(key: string, text: string): void;
  /** Records that a message was acknowledged. */
  acknowledged(key: string, messageId: string): void;
}

type ModelCall = Parameters<Extract<ModelScript, (request: never) => unknown>>[0];

interface Task {
  readonly key: string;
  readonly rounds: readonly (readonly CrashTool[])[];
  readonly revised: boolean;
}

/**
 * Returns the text of a message, which tells the model what to do.
 * @param message - message of a scenario
 */
export function textOf({ key, rounds, revised }: CrashMessage): string {
  return `do ${JSON.stringify({ key, rounds, revised } satisfies Task)}`;
}

/**
 * Returns the model's reply to a conversation: the calls of the next round for everything since its last
 * final reply, or a final reply that names each message.
 * @param request - conversation
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
 * @param process - process whose fault points they pass
 * @param world - receives their effects
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
