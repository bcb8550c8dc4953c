// Measures the speed of a replay relative to the original run through the built host: a run of several model
// and tool calls, with a model as slow as a real one. Run after a build.
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { recordTurn } from "@openclaw/agent";
import { openStore } from "@openclaw/store";
import { openStateFolder, replayRun } from "../dist/index.js";
import { openBenchHost } from "./bench-host.ts";
import { ANSWER, benchProvider, callParts, textParts } from "./bench-provider.ts";

const MODEL_CALLS = 6;
/** Response time of a short reply from a hosted model. */
const MODEL_MS = 1000;
const REPLAYS = 10;
const GOAL = 50;

const folder = mkdtempSync(join(tmpdir(), "openclaw-replay-bench-"));
try {
  const parts = {
    version: "0.0.0",
    configuration: { value: {}, file: undefined, warnings: [], locate: () => undefined },
    workspaceDir: folder,
    bundledExtensions: [],
    inlinePlugins: Array.from({ length: 5 }, (_, index) => hookedPlugin(index)),
    providers: [slowProvider()],
    environment: {},
    state: openStateFolder(join(folder, "state")),
  };
  const { recording, realMs } = await record(parts);
  const times = [];
  for (let replay = 0; replay < REPLAYS; replay += 1) {
    const begun = performance.now();
    const report = await replayRun(recording, parts);
    times.push(performance.now() - begun);
    if (report.status !== "identical") throw new Error(JSON.stringify(report));
  }
  times.sort((one, other) => one - other);
  const replayMs = times[Math.floor(times.length / 2)];
  const bench = `a run of ${MODEL_CALLS} model calls of ${MODEL_MS} ms each`;
  const machine = `${availableParallelism()} x ${cpus()[0]?.model}, Node ${process.versions.node}`;
  for (const result of [
    { metric: "replay", value: replayMs, unit: "ms", better: "lower" },
    {
      metric: "times real time",
      value: realMs / replayMs,
      unit: "x",
      better: "higher",
      goal: GOAL,
    },
  ]) {
    const value = Number(result.value.toPrecision(4));
    const line = { package: "@openclaw/gateway", bench, ...result, value, n: REPLAYS, machine };
    console.log(JSON.stringify(line));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function record(parts) {
  const store = await openStore({ file: join(folder, "run.db"), durability: "process" });
  const { state, inlinePlugins, providers } = parts;
  const [provider] = providers;
  const host = await openBenchHost({ state, store, inlinePlugins, provider });
  await host.serve(0);
  const begun = performance.now();
  const outcome = await host.receive({
    channel: "bench",
    conversationId: "bench",
    senderId: "me",
    senderIsOwner: true,
    text: "A question of some words?",
    sessionKey: "agent:main:bench",
    agentId: "main",
  });
  const realMs = performance.now() - begun;
  const recording = await recordTurn(await store.turns.get(outcome.runId), store);
  await host.close("command");
  await store.close();
  return { recording, realMs };
}

function hookedPlugin(index) {
  return {
    id: `bench-${index}`,
    register(api) {
      api.on("before_prompt_build", () => ({ appendContext: `Note ${index}.` }));
      api.on("before_tool_call", () => ({ guidance: `Advice ${index}.` }));
      api.on("before_message_write", ({ message }) => (message.content ? undefined : {}));
    },
  };
}

/** Returns a provider whose model calls a tool in every reply except the last. */
function slowProvider() {
  let calls = 0;
  return benchProvider("slow", async () => {
    await wait(MODEL_MS);
    calls += 1;
    if (calls >= MODEL_CALLS) return textParts(ANSWER);
    return callParts(`call-${calls}`, "echo", { message: "again" });
  });
}
