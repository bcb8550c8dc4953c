import { randomUUID } from "node:crypto";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { createScriptedModel } from "@openclaw/models";
import { openStore } from "@openclaw/store";
import { describe, expect, inject, it, onTestFinished, vi } from "vitest";
import { eventually } from "../support/eventually.js";
import { gate } from "../support/gate.js";
import { startTestGateway } from "../support/gateway.js";
import { message } from "../support/host.js";
import { scriptedProvider } from "../support/scripted-provider.js";

// Processes and files take longer on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

/** Starts nodes of one empty database, with one model that waits for an answer to `wait`. */
async function startNodes() {
  const url = `${inject("postgresUrl")}?schema=drain_${randomUUID()}`;
  const asked = gate();
  const answer = gate();
  let waiting = 0;
  const model = createScriptedModel(({ prompt }) => {
    const text = JSON.stringify(prompt.at(-1));
    if (!text.includes("wait")) return { text: "done" };
    waiting += 1;
    asked.pass();
    return { text: "waited", waitFor: answer.passed };
  });
  const shared = { store: { url }, agents: { defaults: { model: "scripted/script" } } };
  const start = async (configuration: object = {}) => {
    const folder = temporaryFolder();
    folder.write({ "openclaw.json": JSON.stringify({ ...shared, ...configuration }) });
    const gateway = await startTestGateway(folder, {
      port: 0,
      environment: { OPENCLAW_SECRET_KEY: "a master key for every node of the test" },
      inlinePlugins: [
        { id: "scripted", register: (api) => void api.registerProvider(scriptedProvider(model)) },
      ],
    });
    onTestFinished(async () => {
      await gateway.stop("command");
      folder[Symbol.dispose]();
    });
    const methods = await gateway.methods();
    const health = () => methods.call("host.health", {});
    const list = async () => (await methods.call("nodes.list", {})).nodes;
    return { gateway, methods, health, list };
  };
  const store = await openStore({ url });
  onTestFinished(() => store.close());
  return {
    ...{ start, store, asked: asked.passed, answer: () => answer.pass() },
    /** Returns the number of turns that began to wait. */
    waiting: () => waiting,
  };
}

describe("nodes that an operator administers", () => {
  it("[SCALE-510] [SCALE-022] hand over what a drained one has not begun, and name the one that differs", async () => {
    const { start, store, asked, answer } = await startNodes();
    const drained = await start();
    const other = await start();
    const different = await start({ tools: { deny: ["exec"] } });

    const [own] = (await drained.list()).filter(({ isSelf }) => isSelf);
    const nodeId = own?.nodeId ?? "";
    await vi.waitFor(
      async () =>
        expect(await drained.list()).toMatchObject([
          { isSelf: true, isLeading: true, state: "active", differs: [], turns: 0 },
          { isSelf: false, isLeading: false, state: "active", differs: [] },
          { isSelf: false, isLeading: false, differs: ["configuration", "policy"] },
        ]),
      { timeout: 40_000 },
    );
    const named = { name: "nodes", ok: false, isRequired: false };
    await eventually(async () => {
      const { ready, checks } = await different.health();
      const check = checks.find(({ name }) => name === "nodes");
      if (check?.ok !== false) return undefined;
      expect([ready, check]).toMatchObject([true, named]);
      return true;
    });

    const first = drained.gateway.receive(message("wait"));
    await asked;
    const second = drained.gateway.receive(message("second"));
    await eventually(async () =>
      (await store.turns.unfinished()).length === 2 ? true : undefined,
    );
    expect(await other.methods.call("nodes.drain", { nodeId: nodeId.slice(-8) })).toMatchObject({
      nodeId,
      state: "draining",
    });
    await eventually(async () => ((await drained.health()).ready ? undefined : true));
    await expect(drained.gateway.receive(message("third"))).rejects.toMatchObject({
      ...{ code: "MESSAGE_REFUSED", kind: "unavailable", reason: "draining" },
    });
    answer();
    expect(await first).toMatchObject({ status: "replied", text: "waited" });
    expect(await second).toMatchObject({ status: "interrupted" });
    await eventually(async () =>
      (await store.turns.unfinished()).length === 0 ? true : undefined,
    );
    const [session] = await store.sessions.list({ limit: 10 });
    const entries = await store.messages.transcript.load(session?.sessionId ?? "");
    const said = entries.flatMap(({ message: { content } }) =>
      content.map((part) => ("text" in part ? part.text : "")),
    );
    expect(said).toEqual(["wait", "waited", "second", "done"]);
    const leaders = (await other.list()).filter(({ isLeading }) => isLeading);
    expect(leaders).toHaveLength(1);
    expect(leaders).not.toMatchObject([{ nodeId }]);

    await other.methods.call("nodes.resume", { nodeId });
    await eventually(async () => ((await drained.health()).ready ? true : undefined));
    expect(await drained.gateway.receive(message("fourth"))).toMatchObject({ status: "replied" });

    for (const each of (await other.list()).slice(1))
      await other.methods.call("nodes.drain", { nodeId: each.nodeId });
    await expect(other.methods.call("nodes.drain", { nodeId })).rejects.toMatchObject({
      code: "LAST_NODE",
    });
    await expect(other.methods.call("nodes.drain", { nodeId: "absent" })).rejects.toMatchObject({
      code: "NODE_NOT_FOUND",
    });
  });
});

describe("a turn of another node", () => {
  it("[SCALE-512] [TURN-053] [SUB-021] is interrupted by a client and by a message of any node", async () => {
    const { start, store, asked, waiting } = await startNodes();
    const runs = await start();
    const other = await start();
    const abort = () => other.methods.call("chat.abort", { sessionKey: "main" });
    await eventually(async () => ((await other.list()).length === 2 ? true : undefined));
    expect(await abort()).toEqual({ aborted: false });

    const first = runs.gateway.receive(message("wait"));
    await asked;
    expect(await abort()).toEqual({ aborted: true });
    expect(await first).toMatchObject({ status: "interrupted" });

    const second = runs.gateway.receive(message("wait again"));
    await eventually(async () => (waiting() === 2 ? true : undefined));
    const stopped = other.gateway.receive(message("/interrupt"));
    expect(await second).toMatchObject({ status: "interrupted" });
    expect(await stopped).toMatchObject({ text: "Interrupted." });

    expect(await store.turns.unfinished()).toEqual([]);
  });
});

describe("a job of the elected node", () => {
  it("[JOB-009] is taken over by the next one, which alone ends it", async () => {
    const { start, store, answer, waiting } = await startNodes();
    const jobs = { checkSeconds: 1 };
    const first = await start({ jobs });
    const next = await start({ jobs });
    const owner = () => store.leases.owner(`job:${jobId}`);
    const { jobId } = await first.methods.call("jobs.create", { title: "wait" });
    await eventually(async () => (waiting() === 1 ? true : undefined));
    const before = await owner();
    expect(before).toBeDefined();

    const [own] = (await first.list()).filter(({ isSelf }) => isSelf);
    await next.methods.call("nodes.drain", { nodeId: own?.nodeId ?? "" });
    await eventually(async () => {
      const after = await owner();
      return after !== undefined && after !== before ? true : undefined;
    });
    answer();
    const job = await eventually(async () => {
      const found = await next.methods.call("jobs.get", { jobId });
      return found.completedAt === undefined ? undefined : found;
    });
    expect(job).toMatchObject({ state: "completed" });
    const runs = await store.jobs.runs.of(jobId);
    const tokens = runs.map(({ token }) => token);
    expect(tokens).toEqual(tokens.toSorted((one, other) => one - other));
    expect(runs.filter(({ outcome }) => outcome === "completed")).toHaveLength(1);
    const moves = await store.jobs.moves(jobId);
    expect(moves.filter(({ to }) => to === "completed")).toHaveLength(1);
  });
});
