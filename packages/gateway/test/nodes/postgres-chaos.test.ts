import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { ApprovalBroker } from "@openclaw/approval-broker";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { openStore, type Store } from "@openclaw/store";
import type { Approval } from "@openclaw/store/decisions";
import { describe, expect, inject, it, onTestFinished, vi } from "vitest";
import { eventually } from "../support/eventually.js";
import { OWNER } from "../support/host.js";

const COMPILED = join(tmpdir(), `openclaw-compiled-${process.getuid?.() ?? 0}`);

vi.setConfig({ testTimeout: 300_000 });

interface Line {
  readonly [name: string]: string | undefined;
}

/** Starts a gateway in a separate process, one of several on a database. */
async function startNode(url: string) {
  const folder = temporaryFolder();
  folder.write({
    "openclaw.json": JSON.stringify({ store: { url }, approvals: { headless: "wait" } }),
  });
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
    workspace: join(folder.path, "workspace"),
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    /** Sends a message, and resolves when it is stored. */
    async send(id: string, session: string, text: string) {
      write({ id, session, text });
      await printed({ stored: id });
    },
    answer: (text: string) => write({ answer: text }),
  };
}

/** Returns a broker of a process other than the nodes. */
function brokerOf(store: Store): ApprovalBroker {
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const broker = new ApprovalBroker({ store, logger, place: { path: "", workspaceDir: "" } });
  onTestFinished(() => broker.close());
  return broker;
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
  it("[APPR-010] [SCALE-007] [SCALE-008] [SCALE-009] [SCALE-013] [SCALE-017] continue what a killed, a paused or a stopped node has left", async () => {
    const url = `${inject("postgresUrl")}?schema=chaos_${randomUUID()}`;
    const killed = await startNode(url);
    const [paused, left] = await Promise.all([startNode(url), startNode(url)]);
    const store = await openStore({ url, nodeId: "test" });
    onTestFinished(() => store.close());

    await killed.send("1", "killed", "wait for the killed node");
    await killed.printed({ model: "wait for the killed node" });
    await paused.send("2", "paused", "wait for the paused node");
    await paused.printed({ model: "wait for the paused node" });
    const asking = ["0", "1", "2", "3"];
    await Promise.all(
      asking.map((each) => killed.send(`asks ${each}`, `asks-${each}`, `write ${each}.txt`)),
    );
    const { approvals, auditLog } = store.decisions;
    const pending = await eventually(async () => {
      const found = await approvals.list({ state: "pending" });
      return found.length === asking.length ? found : undefined;
    });
    // Another node has a later message of the same session.
    await left.send("3", "killed", "second");
    // Each request is decided twice at the same time, by others than the node that has asked and dies meanwhile.
    const brokers = [brokerOf(store), brokerOf(store)];
    const decide = async ({ id }: Approval) => {
      const answers = brokers.map((broker) =>
        broker.decide(id, { decision: "allow-once", via: "test" }, OWNER),
      );
      const settled = await Promise.allSettled(answers);
      return settled.filter(({ status }) => status === "fulfilled").length;
    };
    const decided = Promise.all(pending.map(decide));
    killed.kill("SIGKILL");
    paused.kill("SIGSTOP");
    expect(await decided).toEqual([1, 1, 1, 1]);

    await left.printed({ model: "wait for the killed node" });
    await left.printed({ model: "wait for the paused node" });
    left.answer("wait for the killed node");
    left.answer("wait for the paused node");
    expect(await left.printed({ id: "3" })).toEqual({ id: "3", outcome: "replied" });
    await eventually(async () =>
      (await store.turns.unfinished()).length === 0 ? true : undefined,
    );

    // Each call that was allowed has begun once, on the node that was killed or on the one that took it over.
    for (const { id } of pending) {
      const events = (await auditLog.list({ approvalId: id })).map(({ event }) => event);
      expect(events.filter((event) => event === "consumed")).toHaveLength(1);
    }
    expect((await approvals.list()).map(({ id }) => id)).toEqual(pending.map(({ id }) => id));
    for (const each of asking) {
      const writers = [killed, left].filter(({ workspace }) =>
        existsSync(join(workspace, `${each}.txt`)),
      );
      expect(writers.length).toBeLessThanOrEqual(1);
      expect(
        (await saidIn(store, `asks-${each}`)).filter((text) => text.startsWith("user:")),
      ).toEqual([`user: write ${each}.txt`]);
    }

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
