import type { Caller, InboundMessage, ReplySurface } from "@openclaw/messaging";
import { createScriptedModel, type ModelScript } from "@openclaw/models";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import type { Store } from "@openclaw/store";
import { openHost } from "../../src/host/host.js";
import type { Host } from "../../src/host/running-host.js";
import { stateFolderAt } from "../../src/state/folder.js";
import { openLog } from "../../src/state/log.js";
import { MortalProcess } from "./mortal-process.js";
import { SeenWorld } from "./observed-world.js";
import { scriptedProvider } from "./scripted-provider.js";

/** Model, channel and user of a run with jobs. */
export interface JobScenario {
  readonly script: ModelScript;
  /** True when the channel detects repeats. */
  readonly deduplicates: boolean;
  /**
   * Acts as the user of a process: sends what was not acknowledged, decides, and waits for the end.
   * @param user - reaches the host of the process
   */
  act(user: CrashUser): Promise<void>;
}

/** The user of a host that is killed. */
export interface CrashUser {
  readonly host: Host;
  /** Store that outlives the process; reading it is not a fault point. */
  readonly store: Store;
  /** Sends a message, unless an earlier process acknowledged it. */
  send(key: string, text: string): void;
  /** Resolves when a condition of the store holds; never once the process was killed. */
  until(holds: () => Promise<boolean>): Promise<void>;
}

/** Run that finished. */
export interface FinishedJobs {
  readonly world: SeenWorld;
  readonly kills: number;
  /** Fault points of the last process. */
  readonly points: number;
}

/**
 * Runs a scenario in successive processes on one store, each killed at its fault point, until one finishes.
 * @param scenario - jobs, channel and user
 * @param killAt - fault point at which each process is killed; the one after the last is not killed
 * @param store - store that all processes share
 */
export async function runJobsKilled(
  scenario: JobScenario,
  killAt: readonly number[],
  store: Store,
): Promise<FinishedJobs> {
  const world = new SeenWorld();
  let kills = 0;
  for (const point of [...killAt, Number.POSITIVE_INFINITY]) {
    const process = new MortalProcess(point);
    const dead = new AbortController();
    const ended = await Promise.race([
      runProcess(scenario, store, process, world, dead.signal).then(() => true),
      process.died.then(() => false),
    ]);
    dead.abort();
    if (ended) return { world, kills, points: process.points };
    kills += 1;
  }
  throw new Error("a process that is not killed comes to its end");
}

async function runProcess(
  scenario: JobScenario,
  store: Store,
  process: MortalProcess,
  world: SeenWorld,
  dead: AbortSignal,
): Promise<void> {
  const host = await openJobHost(scenario, process.handle(store), process, world);
  const decisions: Promise<unknown>[] = [];
  host.attend({
    channel: "crash",
    async show({ id, state }) {
      if (state !== "pending") return;
      await process.point();
      const deciding = host.approvals.decide(id, { decision: "allow-once", via: "test" }, USER);
      decisions.push(deciding);
      await deciding;
    },
  });
  await host.serve(0);
  const received: Promise<unknown>[] = [];
  await scenario.act({
    host,
    store,
    send(key, text) {
      if (world.ids.has(key)) return;
      const caller: Caller = { onStored: (id) => world.acknowledged(key, id) };
      received.push(process.point().then(() => host.receive(inbound(key, text), caller)));
    },
    async until(holds) {
      while (!(await holds())) {
        if (dead.aborted) await new Promise(() => {});
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  });
  await Promise.all(received);
  await Promise.allSettled(decisions);
  await host.close("command");
}

const USER = { channel: "crash", senderId: "sender", isOwner: true } as const;

function inbound(key: string, text: string): InboundMessage {
  return {
    ...{ channel: "crash", conversationId: "one", senderId: "sender", senderIsOwner: true, text },
    ...{ sessionKey: "agent:main:one", agentId: "main", idempotencyKey: key },
  };
}

function openJobHost(
  { script, deduplicates }: JobScenario,
  store: Store,
  process: MortalProcess,
  world: SeenWorld,
): Promise<Host> {
  const model = createScriptedModel(async (request) => {
    await process.point();
    return typeof script === "function" ? script(request) : { text: "no script" };
  });
  const surface: ReplySurface = {
    deduplicates,
    async send({ text = "" }, { idempotencyKey }) {
      await process.point();
      world.given(idempotencyKey, text);
      await process.point();
      return {};
    },
  };
  return openHost({
    version: "1.0.0",
    configuration: {
      value: { agents: { defaults: { model: "scripted/script" } } },
      ...{ file: undefined, warnings: [], locate: () => undefined },
    },
    workspaceDir: import.meta.dirname,
    bundledExtensions: [],
    inlinePlugins: [{ id: "crash", register: (api) => registerTools(api, process, world) }],
    providers: [scriptedProvider(model)],
    environment: {},
    state: stateFolderAt("/nowhere"),
    log: openLog(undefined, { level: "silent" }),
    store,
    findSurface: () => surface,
  });
}

/** Registers two tools with an effect that must not happen twice; `publish` needs an approval. */
function registerTools(api: OpenClawPluginApi, process: MortalProcess, world: SeenWorld): void {
  for (const name of ["once", "publish"]) {
    api.registerTool({
      ...{ name, description: "A tool.", parameters: { type: "object" } },
      ...(name === "publish" ? { approval: "always" as const } : {}),
      async execute() {
        await process.point();
        world.ran(name);
        await process.point();
        return `${name} is done`;
      },
    });
  }
}
