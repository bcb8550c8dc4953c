import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openStore } from "@openclaw/store";
import { describe, expect, it, onTestFinished } from "vitest";
import { textOf } from "./support/turn-host.js";
import { type UnfinishedTurn, unfinishedHost } from "./support/unfinished-turn.js";

const FOLDER = join(import.meta.dirname, "histories", "unfinished");

function read(name: string): UnfinishedTurn {
  return JSON.parse(readFileSync(join(FOLDER, name), "utf8"));
}

/** A store that holds a recorded turn as its version left it. */
async function storeOf({ format, steps, messages }: UnfinishedTurn) {
  const folder = mkdtempSync(join(tmpdir(), "openclaw-history-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "openclaw.db");
  const store = await openStore({ file });
  const { session } = await store.sessions.open("agent:main:main", { agentId: "main" });
  for (const message of messages) {
    await store.messages.transcript.append({ sessionId: session.sessionId, message });
  }
  for (const step of steps) await store.turns.journal.append({ runId: "run-1", step });
  const database = new DatabaseSync(file, { timeout: 10_000 });
  database.prepare("update journal set format = ?").run(format);
  database.close();
  return store;
}

describe("turn that was started on an earlier version", () => {
  it.each(readdirSync(FOLDER))("[SCALE-024] continues from its last step: %s", async (name) => {
    const turn = read(name);
    const { host, ran } = await unfinishedHost(await storeOf(turn));
    const { expected } = turn;
    // The texts of all model calls are the reply, also of those that an earlier version made.
    const text = `Let me see.\n\n${expected.text}`;
    expect(await host.run()).toMatchObject({ status: "completed", text });
    expect(host.requests).toHaveLength(expected.requests);
    expect(ran).toEqual(expected.ran);
    expect((await host.transcript()).map(textOf)).toEqual(expected.transcript);
  });

  it("[SCALE-024] ends as failed with an explanation when a newer version wrote to it", async () => {
    const store = await storeOf({ ...read("format-2-02-model-requested.json"), format: 4 });
    const { host, ran } = await unfinishedHost(store);
    expect(await host.run()).toMatchObject({
      status: "failed",
      error: { code: "JOURNAL_TOO_NEW", message: expect.stringContaining("has format 4") },
    });
    expect(host.requests).toEqual([]);
    expect(ran).toEqual([]);
  });
});
