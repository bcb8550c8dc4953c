import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { openStore, type Store } from "@openclaw/store";
import { describe, expect, inject, it, onTestFinished, vi } from "vitest";
import { eventually } from "../support/eventually.js";

const COMPILED = join(tmpdir(), `openclaw-compiled-${process.getuid?.() ?? 0}`);

vi.setConfig({ testTimeout: 300_000 });

interface Line {
  readonly [name: string]: string | undefined;
}

/** Starts a gateway in a separate process, one of several on a database. */
async function startNode(url: string) {
  const folder = temporaryFolder();
  folder.write({ "openclaw.json": JSON.stringify({ store: { url } }) });
  const place = (file: string) => fileURLToPath(new URL(`../children/${file}`, import.meta.url));
  const child = spawn(
    process.execPath,
    [
      "--experimental-transform-types",
      "--no-warnings",
      "--conditions=openclaw-source",
      `--import=${place("register-sources.mjs")}`,
      ...[place("node.mjs"), folder.path],
    ],
    {
      stdio: ["pipe", "pipe", "inherit"],
      env: { ...process.env, NODE_COMPILE_CACHE: COMPILED },
    },
  );
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
    folder[Symbol.dispose]();
  });
  const lines: Line[] = [];
  const waiting = new Set<() => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(JSON.parse(line));
    for (const look of waiting) look();
  });
  // Without a time limit of its own: how long a start takes depends on the machine.
  const found = (matches: (line: Line) => boolean) =>
    new Promise<Line>((resolve) => {
      const look = () => {
        const line = lines.find(matches);
        if (line === undefined) return;
        waiting.delete(look);
        resolve(line);
      };
      waiting.add(look);
      look();
    });
  const printed = (expected: Line) =>
    found((line) => Object.entries(expected).every(([name, value]) => line[name] === value));
  const write = (line: Line) => child.stdin.write(`${JSON.stringify(line)}\n`);
  await found(({ url: own }) => own !== undefined);
  return {
    printed,
    ended,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    /** Sends a message, and resolves when it is stored. */
    async send(id: string, session: string, text: string) {
      write({ id, session, text });
      await printed({ stored: id });
    },
    answer: (text: string) => write({ answer: text }),
  };
}

/** Returns what is said in a session, in order. */
async function saidIn(store: Store, session: string): Promise<readonly string[]> {
  const found = await store.sessions.get(`agent:main:${session}`);
  const entries = await store.messages.transcript.load(found?.sessionId ?? "");
  return entries.map(({ message: { role, content } }) => {
    const texts = content.map((part) => ("text" in part ? part.text : ""));
    return `${role}: ${texts.join("")}`;
  });
}

describe("nodes in separate processes", () => {
  it("[SCALE-007] [SCALE-008] [SCALE-009] [SCALE-013] [SCALE-017] continue what a killed, a paused or a stopped node has left", async () => {
    const url = `${inject("postgresUrl")}?schema=chaos_${randomUUID()}`;
    const killed = await startNode(url);
    const [paused, left] = await Promise.all([startNode(url), startNode(url)]);
    const store = await openStore({ url });
    onTestFinished(() => store.close());

    await killed.send("1", "killed", "wait for the killed node");
    await killed.printed({ model: "wait for the killed node" });
    await paused.send("2", "paused", "wait for the paused node");
    await paused.printed({ model: "wait for the paused node" });
    // Another node has a later message of the same session.
    await left.send("3", "killed", "second");
    killed.kill("SIGKILL");
    paused.kill("SIGSTOP");

    await left.printed({ model: "wait for the killed node" });
    await left.printed({ model: "wait for the paused node" });
    left.answer("wait for the killed node");
    left.answer("wait for the paused node");
    expect(await left.printed({ id: "3" })).toEqual({ id: "3", outcome: "replied" });
    await eventually(async () =>
      (await store.turns.unfinished()).length === 0 ? true : undefined,
    );

    // The paused node continues where it was, and must not write any more.
    paused.kill("SIGCONT");
    paused.answer("wait for the paused node");
    expect(await paused.printed({ id: "2" })).toEqual({ id: "2", outcome: "interrupted" });
    expect(await saidIn(store, "killed")).toEqual([
      "user: wait for the killed node",
      "assistant: reply to wait for the killed node",
      "user: second",
      "assistant: reply to second",
    ]);
    expect(await saidIn(store, "paused")).toEqual([
      "user: wait for the paused node",
      "assistant: reply to wait for the paused node",
    ]);

    // A node that stops leaves its work at once: the other one leads, and answers in the same session.
    left.kill("SIGTERM");
    await left.ended;
    await paused.send("4", "killed", "third");
    expect(await paused.printed({ id: "4", outcome: "replied" })).toBeDefined();
    // Only the killed node could not say that it goes.
    const nodes = await store.nodes.list();
    expect(nodes.map(({ isLive }) => isLive)).toEqual([false, true]);
  });
});
