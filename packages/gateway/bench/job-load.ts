// The load of the benchmark of jobs, which its test uses with fewer turns. It is TypeScript, so that the check of types
// finds options that it no longer gives right; Node runs the file as it is.
import { setTimeout as wait } from "node:timers/promises";
import type { Host } from "@openclaw/gateway";
import type { ModelProvider, PluginDefinition } from "@openclaw/plugin-sdk";
import { ANSWER, benchProvider, callParts, type ReplyParts, textParts } from "./bench-provider.ts";

/** Most steps of one job; fewer than a turn may have. */
const MOST_STEPS = 45;
const SENDER = {
  ...{ channel: "bench", accountId: "default", conversationId: "jobs" },
  ...{ senderId: "me", senderIsOwner: true },
};

/** Jobs that call a tool again and again, with a model that answers at once. */
export class JobLoad {
  readonly #created = new Map<string, number>();
  readonly #begins: number[] = [];
  #steps = 0;
  #isOver = false;

  /** Milliseconds from the creation of each job to its first model call. */
  get begins(): readonly number[] {
    return this.#begins;
  }

  /** Model calls of all jobs. */
  get steps(): number {
    return this.#steps;
  }

  /** Returns the provider of the model that answers chats and works on jobs. */
  asProvider(): ModelProvider {
    return benchProvider("jobs", (prompt) => this.#answer(JSON.stringify(prompt)));
  }

  /** Returns a plugin with the tool that the jobs call. */
  asPlugin(): PluginDefinition {
    return {
      id: "bench-tool",
      register(api) {
        api.registerTool({
          name: "note",
          description: "Notes a line.",
          parameters: { type: "object", properties: {} },
          execute: async () => ({ content: [{ type: "text", text: "noted" }] }),
        });
      },
    };
  }

  /**
   * Creates jobs, and waits until each has called its model.
   * @param host - the host
   * @param count - number of jobs
   */
  async begin({ jobs }: Pick<Host, "jobs">, count: number): Promise<void> {
    this.#isOver = false;
    const before = this.#begins.length;
    for (let number = 0; number < count; number += 1) {
      const name = `job-${this.#created.size}`;
      this.#created.set(name, performance.now());
      const task = { title: name, description: `Work on <${name}>.`, agentId: "main" };
      await jobs.create({ ...task, creator: SENDER });
    }
    while (this.#begins.length < before + count) await wait(5);
  }

  /**
   * Lets the jobs end, and waits until they have.
   * @param host - the host
   */
  async end({ jobs }: Pick<Host, "jobs">): Promise<void> {
    this.#isOver = true;
    const viewer = { isOperator: true, owner: "" };
    for (;;) {
      const { pending, in_progress } = await jobs.counts(viewer);
      if (pending + in_progress === 0) return;
      await wait(5);
    }
  }

  #answer(prompt: string): ReplyParts {
    const [, name] = /<(job-\d+)>/.exec(prompt) ?? [];
    if (name === undefined) return textParts(ANSWER);
    const created = this.#created.get(name);
    const steps = prompt.split('"tool-result"').length - 1;
    if (created !== undefined && steps === 0) this.#begins.push(performance.now() - created);
    this.#steps += 1;
    const isLast = this.#isOver || steps >= MOST_STEPS;
    return isLast ? textParts("done") : callParts(`${name}-${steps}`, "note");
  }
}

/**
 * Measures turns of a chat, one after another.
 * @param host - the host
 * @param turns - number of turns
 * @returns milliseconds of each turn
 */
export async function measureChat(host: Pick<Host, "receive">, turns: number): Promise<number[]> {
  const latencies: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const begun = performance.now();
    const sessionKey = `agent:main:chat-${Math.floor(turn / 10)}`;
    const message = { ...SENDER, conversationId: "chat", sessionKey, agentId: "main" };
    const outcome = await host.receive({ ...message, text: "A question of some words?" });
    if (outcome.status !== "replied") throw new Error(`expected a reply, got ${outcome.status}`);
    latencies.push(performance.now() - begun);
  }
  return latencies;
}
