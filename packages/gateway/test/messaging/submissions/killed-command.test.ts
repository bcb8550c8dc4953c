import { randomUUID } from "node:crypto";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ReplySurface } from "@openclaw/messaging";
import { createScriptedModel } from "@openclaw/models";
import { openStore, type Store } from "@openclaw/store";
import { describe, expect, it, onTestFinished } from "vitest";
import { openHost } from "../../../src/host/host.js";
import type { Host } from "../../../src/host/running-host.js";
import { stateFolderAt } from "../../../src/state/folder.js";
import { openLog } from "../../../src/state/log.js";
import { MortalProcess } from "../../support/mortal-process.js";
import { scriptedProvider } from "../../support/scripted-provider.js";

const SESSION = "agent:main:main";

/** Messages that outlive the processes, by their keys. */
class Shown {
  readonly texts = new Map<string, string>();

  surface(process: MortalProcess): ReplySurface {
    return {
      deduplicates: true,
      send: async ({ text = "" }, { idempotencyKey }) => {
        await process.point();
        this.texts.set(idempotencyKey, text);
        await process.point();
        return {};
      },
    };
  }
}

function openTestHost(store: Store, process: MortalProcess, surface: ReplySurface): Promise<Host> {
  return openHost({
    version: "1.0.0",
    configuration: {
      value: { agents: { defaults: { model: "scripted/script" } } },
      file: undefined,
      warnings: [],
      locate: () => undefined,
    },
    workspaceDir: import.meta.dirname,
    bundledExtensions: [],
    providers: [scriptedProvider(createScriptedModel(() => ({ text: "ok" })))],
    environment: {},
    state: stateFolderAt("/nowhere"),
    log: openLog(undefined, { level: "silent" }),
    store: process.handle(store),
    findSurface: () => surface,
  });
}

/** Sends a message in the processes of a run; the one with the fault point is killed there. */
async function send(
  text: string,
  open: () => Promise<Store>,
  killAt: readonly number[],
): Promise<{ shown: readonly string[]; state: unknown; points: number; kills: number }> {
  const shown = new Shown();
  let acknowledged = false;
  let kills = 0;
  for (const point of [...killAt, Number.POSITIVE_INFINITY]) {
    const store = await open();
    const process = new MortalProcess(point);
    const surface = shown.surface(process);
    const run = async () => {
      const host = await openTestHost(store, process, surface);
      await host.serve(0);
      const message = { conversationId: "terminal", senderId: "operator", senderIsOwner: true };
      const place = { channel: "terminal", sessionKey: SESSION, agentId: "main" };
      if (!acknowledged) {
        const sent = { ...message, ...place, text, idempotencyKey: "key" };
        await host.receive(sent, { surface, onStored: () => (acknowledged = true) });
      }
      await host.close("command");
      return true;
    };
    const ended = await Promise.race([run(), process.died.then(() => false)]);
    if (!ended) {
      kills += 1;
      await store.close();
      continue;
    }
    const state = await stateOf(store);
    await store.close();
    return { shown: [...shown.texts.values()], state, points: process.points, kills };
  }
  throw new Error("a process that is not killed comes to its end");
}

/** Returns the conversation of the session, without IDs that differ between runs. */
async function stateOf(store: Store): Promise<unknown> {
  const { sessionId = "" } = (await store.sessions.get(SESSION)) ?? {};
  const entries = await store.messages.transcript.load(sessionId);
  const { undo, redo } = await store.messages.checkpoints.list(sessionId);
  const threads = await store.sessions.threads.list(SESSION, 10);
  return {
    texts: entries.map(({ message }) => message.content),
    undo: undo.map(({ seq }) => seq),
    redo,
    threads: threads.map(({ messageCount, isCurrent }) => [messageCount, isCurrent]),
    unanswered: (await store.messages.inbox.inState("received")).length,
    unsent: (await store.messages.outbox.undelivered()).length,
  };
}

/** Creates a database with two conversations; the current one has three turns, of which one is undone. */
async function template(): Promise<{ file: string; first: string; checkpoint: string }> {
  const folder = mkdtempSync(join(tmpdir(), "openclaw-undo-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "template.db");
  const open = () => openStore({ file, durability: "process" });
  let number = 0;
  const say = async (text: string) => {
    const store = await open();
    const host = await openTestHost(store, new MortalProcess(Number.POSITIVE_INFINITY), {
      send: async () => ({}),
    });
    await host.serve(0);
    number += 1;
    await host.receive({
      ...{ channel: "terminal", conversationId: "terminal", senderId: "operator" },
      ...{ senderIsOwner: true, text, sessionKey: SESSION, idempotencyKey: `${number}` },
    });
    await host.close("command");
    await store.close();
  };
  await say("zero");
  const before = await open();
  const first = (await before.sessions.get(SESSION))?.sessionId ?? "";
  await before.close();
  for (const text of ["/new", "one", "two", "three", "/undo"]) await say(text);
  const store = await open();
  const { sessionId = "" } = (await store.sessions.get(SESSION)) ?? {};
  const { undo } = await store.messages.checkpoints.list(sessionId);
  await store.close();
  return { file, first, checkpoint: undo.at(-1)?.checkpointId ?? "" };
}

describe("a command during which the host is killed", { timeout: 120_000 }, () => {
  it("[SUB-031] [SUB-032] [SUB-033] [SUB-050] takes effect exactly once, at every fault point", async () => {
    const { file, first, checkpoint } = await template();
    const commands = ["/undo", "/redo", "/clear", `/resume ${checkpoint}`, `/thread ${first}`];
    for (const command of [...commands, "/new", "/reset", "/debug"]) {
      const place = () => {
        const copy = `${file}-${randomUUID()}`;
        copyFileSync(file, copy);
        return () => openStore({ file: copy, durability: "process" });
      };
      const whole = await send(command, place(), []);
      expect(whole.shown, command).toHaveLength(1);
      expect(whole.points, command).toBeGreaterThan(4);
      for (let point = 0; point < whole.points; point += 1) {
        const run = await send(command, place(), [point]);
        const { shown, state } = run;
        expect({ shown, state }, `${command} killed at ${point}`).toEqual({
          shown: whole.shown,
          state: whole.state,
        });
        expect(run.kills).toBe(1);
      }
    }
  });
});
