import { generatedCases, generatedTimeout } from "@openclaw/foundation/testing";
import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Store } from "../../src/index.js";
import { affordable, openTestStore, START, storeDatabase } from "../support/open-store.js";
import vectors from "../vectors/undo.json" with { type: "json" };

function message(role: "user" | "assistant", text: string): AgentMessage {
  const content = [{ type: "text" as const, text }];
  return role === "user"
    ? { role, content, timestamp: START }
    : { role, content, provider: "p", model: "m", stopReason: "stop", timestamp: START };
}

/** A conversation in a store, with turns that have numbers. */
class TestConversation {
  #turns = 0;

  constructor(
    readonly store: Store,
    readonly sessionId: string,
  ) {}

  static async open(key: string, store?: Store): Promise<TestConversation> {
    const used = store ?? (await openTestStore());
    const { session } = await used.sessions.open(key, { agentId: "agent" });
    return new TestConversation(used, session.sessionId);
  }

  get checkpoints() {
    return this.store.messages.checkpoints;
  }

  /** Runs a turn of two messages, and returns its ID. */
  async turn(): Promise<string> {
    const { sessionId, store } = this;
    this.#turns += 1;
    const runId = `run ${this.#turns}`;
    await store.messages.transcript.append({ sessionId, runId, message: message("user", runId) });
    const reply = message("assistant", `re ${runId}`);
    await store.messages.transcript.append({ sessionId, runId, message: reply });
    return runId;
  }

  /** Returns the turns of the conversation. */
  async turns(): Promise<string[]> {
    const { transcript } = this.store.messages;
    const entries = await transcript.load(this.sessionId);
    // The messages that are kept in memory are the ones of the database.
    const { messages, places } = await transcript.messages(this.sessionId);
    expect(messages).toEqual(entries.map(({ message: stored }) => stored));
    expect(places).toEqual(entries.map(({ seq }) => seq));
    const runs = entries.map(({ runId }) => runId ?? "");
    const turns = [...new Set(runs)];
    // Every turn is visible as a whole.
    expect(runs).toEqual(turns.flatMap((each) => [each, each]));
    return turns;
  }

  undo() {
    return this.checkpoints.undo(this.sessionId);
  }

  redo() {
    return this.checkpoints.redo(this.sessionId);
  }

  async sizes(): Promise<[number, number]> {
    const { undo, redo } = await this.checkpoints.list(this.sessionId);
    return [undo.length, redo];
  }
}

describe("checkpoints", () => {
  it.each(vectors.undo)("behave as in the case $id", async ({ ops, ...expected }) => {
    const conversation = await TestConversation.open("session");
    const named = new Map<string, string>();
    const returned: number[] = [];
    for (const op of ops) {
      const restored = /^restore\((.*)\)$/.exec(op)?.[1];
      if (restored !== undefined) {
        const { sessionId } = conversation;
        await conversation.checkpoints.restore(sessionId, named.get(restored) ?? "");
      } else if (op === "undo") {
        await conversation.undo();
        returned.push((await conversation.turns()).length);
      } else if (op === "redo") await conversation.redo();
      else named.set(op, await conversation.turn());
    }
    const [undoLeft, redoLeft] = await conversation.sizes();
    expect(undoLeft).toBe(expected.undo_left);
    if (expected.redo_left !== undefined) expect(redoLeft).toBe(expected.redo_left);
    if (expected.returned_turns !== undefined) expect(returned).toEqual(expected.returned_turns);
  });

  it("[SUB-030] are at most 20, and the dropped ones do not come back", async () => {
    const conversation = await TestConversation.open("session");
    for (let turn = 0; turn < 23; turn++) await conversation.turn();
    expect(await conversation.sizes()).toEqual([20, 0]);
    for (let turn = 0; turn < 20; turn++) expect(await conversation.undo()).toBeDefined();
    expect(await conversation.undo()).toBeUndefined();
    expect(await conversation.turns()).toEqual(["run 1", "run 2", "run 3"]);
    await conversation.turn();
    expect(await conversation.sizes()).toEqual([1, 0]);
    expect((await conversation.undo())?.checkpoint.checkpointId).toBe("run 24");
    expect(await conversation.undo()).toBeUndefined();
  });

  it("[SUB-031] [SUB-032] are exact after the store was closed", async () => {
    const database = storeDatabase();
    const store = await openTestStore(database);
    const { sessionId } = await TestConversation.open("session", store);
    const before = new TestConversation(store, sessionId);
    for (const _turn of "123") await before.turn();
    await before.undo();
    await before.undo();
    await store.close();
    const reopened = new TestConversation(await openTestStore(database), sessionId);
    expect(await reopened.turns()).toEqual(["run 1"]);
    expect((await reopened.redo())?.checkpoint.checkpointId).toBe("run 2");
    expect(await reopened.turns()).toEqual(["run 1", "run 2"]);
    expect(await reopened.sizes()).toEqual([2, 1]);
  });

  it("[SUB-033] restores one and drops all later ones; an unknown ID changes nothing", async () => {
    const conversation = await TestConversation.open("session");
    for (const _turn of "1234") await conversation.turn();
    await conversation.undo();
    const { checkpoints, sessionId } = conversation;
    expect(await checkpoints.restore(sessionId, "run 9")).toBeUndefined();
    // A turn that was taken back has no checkpoint.
    expect(await checkpoints.restore(sessionId, "run 4")).toBeUndefined();
    expect(await conversation.sizes()).toEqual([3, 1]);
    const restored = await checkpoints.restore(sessionId, "run 2");
    expect(restored?.entries.map(({ runId }) => runId)).toEqual([
      ...["run 2", "run 2", "run 3", "run 3"],
    ]);
    expect(await conversation.turns()).toEqual(["run 1"]);
    expect(await conversation.sizes()).toEqual([1, 0]);
  });

  it("[SUB-034] are emptied with the conversation", async () => {
    const conversation = await TestConversation.open("session");
    for (const _turn of "123") await conversation.turn();
    await conversation.undo();
    expect(await conversation.checkpoints.clear(conversation.sessionId)).toHaveLength(4);
    expect(await conversation.turns()).toEqual([]);
    expect(await conversation.sizes()).toEqual([0, 0]);
    expect(await conversation.redo()).toBeUndefined();
    await conversation.turn();
    expect(await conversation.sizes()).toEqual([1, 0]);
  });

  it("take back a compaction that was made after them, and no other", async () => {
    const conversation = await TestConversation.open("session");
    const { store, sessionId } = conversation;
    const { compactions } = store.messages;
    const record = (upToSeq: number) =>
      compactions.record({ sessionId, upToSeq, strategy: "truncate", compactedCount: 1 });
    await conversation.turn();
    await record(1);
    await conversation.turn();
    await record(2);
    expect(await compactions.latest(sessionId)).toMatchObject({ upToSeq: 2 });
    await conversation.undo();
    expect(await compactions.latest(sessionId)).toMatchObject({ upToSeq: 1 });
    await conversation.redo();
    expect(await compactions.latest(sessionId)).toMatchObject({ upToSeq: 2 });
    await conversation.checkpoints.clear(sessionId);
    expect(await compactions.latest(sessionId)).toBeUndefined();
  });

  it("leave a turn the entries that it saw, for a replay", async () => {
    const conversation = await TestConversation.open("session");
    const { store, sessionId } = conversation;
    await conversation.turn();
    await conversation.turn();
    await conversation.undo();
    await conversation.turn();
    await conversation.turn();
    await conversation.undo();
    await conversation.undo();
    const seen = await store.messages.transcript.load(sessionId, { beforeSeq: 7, asSeenBy: 5 });
    expect(seen.map(({ seq }) => seq)).toEqual([1, 2, 5, 6]);
  });

  it("[SUB-030] [SUB-031] [SUB-032] [SUB-033] follow a simple model, for any commands", {
    timeout: generatedTimeout(60_000),
  }, async () => {
    const store = await openTestStore();
    let sessions = 0;
    await fc.assert(
      fc.asyncProperty(fc.commands(COMMANDS, { maxCommands: 60 }), async (commands) => {
        sessions += 1;
        const real = await TestConversation.open(`session ${sessions}`, store);
        const model: Model = { turns: [], undo: [], redo: [], count: 0 };
        await fc.asyncModelRun(() => ({ model, real }), commands);
      }),
      generatedCases(affordable(60)),
    );
  });
});

/** The conversation as the requirements describe it: states on two stacks. */
interface Model {
  turns: readonly string[];
  /** Checkpoints with the state before each, the newest last. */
  undo: readonly { readonly id: string; readonly turns: readonly string[] }[];
  /** States that redo brings back, the next one last. */
  redo: readonly { readonly id: string; readonly turns: readonly string[] }[];
  count: number;
}

type Step = (model: Model, real: TestConversation) => Promise<void>;

function step(name: string, run: Step): fc.AsyncCommand<Model, TestConversation> {
  return {
    check: () => true,
    toString: () => name,
    async run(model, real) {
      await run(model, real);
      expect(await real.turns()).toEqual(model.turns);
      expect(await real.sizes()).toEqual([model.undo.length, model.redo.length]);
    },
  };
}

const COMMANDS = [
  fc.constant(
    step("turn", async (model, real) => {
      const id = await real.turn();
      model.undo = [...model.undo, { id, turns: model.turns }].slice(-20);
      model.turns = [...model.turns, id];
      model.redo = [];
    }),
  ),
  fc.constant(
    step("undo", async (model, real) => {
      const moved = await real.undo();
      const newest = model.undo.at(-1);
      expect(moved?.checkpoint.checkpointId).toBe(newest?.id);
      if (newest === undefined) return;
      model.redo = [...model.redo, { id: newest.id, turns: model.turns }];
      model.undo = model.undo.slice(0, -1);
      model.turns = newest.turns;
    }),
  ),
  fc.constant(
    step("redo", async (model, real) => {
      const moved = await real.redo();
      const next = model.redo.at(-1);
      expect(moved?.checkpoint.checkpointId).toBe(next?.id);
      if (next === undefined) return;
      model.undo = [...model.undo, { id: next.id, turns: model.turns }];
      model.redo = model.redo.slice(0, -1);
      model.turns = next.turns;
    }),
  ),
  fc.nat({ max: 25 }).map((index) =>
    step(`restore ${index}`, async (model, real) => {
      const target = model.undo[index];
      const moved = await real.checkpoints.restore(real.sessionId, target?.id ?? "none");
      expect(moved?.checkpoint.checkpointId).toBe(target?.id);
      if (target === undefined) return;
      model.undo = model.undo.slice(0, index);
      model.turns = target.turns;
      model.redo = [];
    }),
  ),
  fc.constant(
    step("clear", async (model, real) => {
      await real.checkpoints.clear(real.sessionId);
      Object.assign(model, { turns: [], undo: [], redo: [] });
    }),
  ),
];
