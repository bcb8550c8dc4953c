import { defined } from "@openclaw/foundation";
import type { HookName } from "@openclaw/plugin-sdk/hooks";
import type { JournalStep } from "@openclaw/store";
import { describe, expect, it } from "vitest";
import { runTurn } from "../../src/index.js";
import { dyingStore } from "../support/failing-store.js";
import { calling, plugin, type TurnHost, textOf, tool, turnHost } from "../support/turn-host.js";

const HOOKS = [
  "before_model_resolve",
  "before_agent_start",
  "agent_turn_prepare",
  "before_prompt_build",
  "before_agent_run",
  "before_agent_reply",
  "llm_input",
  "model_call_started",
  "model_call_ended",
  "llm_output",
  "before_tool_call",
  "after_tool_call",
  "tool_result_persist",
  "before_agent_finalize",
  "transform_response",
  "agent_end",
] as const satisfies HookName[];

/** One process that runs turns and logs its actions separately. */
interface Process {
  readonly host: TurnHost;
  readonly log: string[];
}

const REPLIES = [
  { text: "Let me see.", ...calling("look", "send") },
  calling("look"),
  { text: "a draft" },
  { text: "the answer" },
];

/** Starts a process over a store, with a model, tools and plugins that do the same in each. */
async function startProcess(store?: TurnHost["store"]): Promise<Process> {
  const log: string[] = [];
  const noting = (name: string, idempotent: boolean) =>
    tool(name, {
      idempotent,
      execute(toolCallId) {
        log.push(`${name} ran`);
        return `${name} said ${toolCallId}`;
      },
    });
  const host = await turnHost({
    ...defined({ store }),
    script({ prompt }) {
      log.push("model asked");
      return REPLIES[prompt.filter(({ role }) => role === "assistant").length] ?? {};
    },
    coreTools: [noting("look", true), noting("send", false)],
    plugins: [
      plugin("witness", (api) => {
        api.registerHook(HOOKS, (_event, { hookName }) => void log.push(hookName));
        api.on("before_agent_finalize", ({ lastAssistantMessage }) =>
          lastAssistantMessage === "a draft"
            ? { action: "revise", reason: "a draft", retry: { instruction: "better" } }
            : undefined,
        );
        api.on("before_prompt_build", () => ({ prependContext: "be brief" }));
        api.on("before_message_write", ({ message }) => {
          const isDraft = textOf(message) === "a draft";
          return isDraft ? { block: true } : undefined;
        });
        api.on("transform_response", ({ content }) => ({ content: `${content}!` }));
      }),
    ],
  });
  return { host, log };
}

/** A whole turn in one process: what it does between one commit and the next. */
async function uninterrupted() {
  const { host, log } = await startProcess();
  const between: string[][] = [[]];
  const { store } = dyingStore(host.store, Number.POSITIVE_INFINITY, false, () => {
    between.at(-1)?.push(...log.splice(0));
    between.push([]);
  });
  const outcome = await runTurn(host.request(), { ...host.services, store }, host.pin);
  between.at(-1)?.push(...log.splice(0));
  const transcript = (await host.transcript()).map(textOf);
  return { outcome, transcript, between, commits: between.length - 1 };
}

const COMMITS = 22;

describe("turn whose process is killed", () => {
  it("has as many commits as this test covers", async () => {
    expect((await uninterrupted()).commits).toBe(COMMITS);
  });

  const points = Array.from({ length: COMMITS }, (_, point) => [
    [point, "before", false] as const,
    [point, "after", true] as const,
  ]).flat();
  it.each(points)(
    "[TURN-054] at commit %i, %s it, continues from there without repeating any step",
    async (point, _when, isCommitted) => {
      const whole = await uninterrupted();
      const first = await startProcess();
      const { store, died } = dyingStore(first.host.store, point, isCommitted);
      void runTurn(first.host.request(), { ...first.host.services, store }, first.host.pin);
      await died;

      const done = point + (isCommitted ? 1 : 0);
      const last = await lastStep(first.host);
      const second = await startProcess(first.host.store);
      expect(await second.host.run()).toEqual(whole.outcome);
      const rest = whole.between.slice(done).flat();
      const isUnknown = last?.kind === "tool-intended" && last.toolName === "send";
      expect(second.log).toEqual(goneOn(rest, last));
      expect((await second.host.transcript()).map(textOf)).toEqual(
        whole.transcript.map((text) =>
          isUnknown && text.startsWith("send said") ? expect.stringMatching(UNKNOWN) : text,
        ),
      );
    },
  );
});

const UNKNOWN = /^interrupted: outcome unknown/;

/** Returns the steps of `rest` that a turn must still do after its last recorded step. */
function goneOn(rest: readonly string[], last: JournalStep | undefined): readonly string[] {
  switch (last?.kind) {
    // The request had no result, so it is repeated as a separate attempt.
    case "model-requested":
      return ["llm_input", "model_call_started", ...rest];
    // It is unknown whether observers were notified, and none is notified twice.
    case "model-answered":
      return without(rest, ["model_call_ended", "llm_output"]);
    case "tool-intended":
      return last.toolName === "send" ? without(rest, ["send ran"]) : rest;
    default:
      return rest;
  }
}

/** The first of each is taken out. */
function without(log: readonly string[], gone: readonly string[]): string[] {
  const left = [...log];
  for (const name of gone) left.splice(left.indexOf(name), 1);
  return left;
}

async function lastStep({ store }: TurnHost): Promise<JournalStep | undefined> {
  return (await store.turns.journal.load("run-1")).at(-1)?.step;
}
