import type { Store } from "@openclaw/store";
import { runCrashProcess } from "./crash-process.js";
import type { CrashScenario } from "./crash-scenario.js";
import { MortalProcess } from "./mortal-process.js";
import { SeenWorld } from "./observed-world.js";

/** Run that finished, after any number of kills. */
export interface FinishedRun {
  readonly world: SeenWorld;
  /** Violations in the state that it left; empty when there are none. */
  readonly problems: readonly string[];
  /** Number of killed processes. */
  readonly kills: number;
  /** Fault points of the last process. */
  readonly points: number;
}

/**
 * Runs a scenario in successive processes on one database, each killed at its fault point, until one
 * finishes; then checks the result.
 * @param scenario - messages to send
 * @param killAt - fault point at which each process is killed; the process after the last one is not killed
 * @param openDatabase - opens the database of the run for another process
 */
export async function runKilled(
  scenario: CrashScenario,
  killAt: readonly number[],
  openDatabase: () => Promise<Store>,
): Promise<FinishedRun> {
  const world = new SeenWorld();
  let kills = 0;
  for (const point of [...killAt, Number.POSITIVE_INFINITY]) {
    const store = await openDatabase();
    const process = new MortalProcess(point);
    const ended = await Promise.race([
      runCrashProcess(scenario, store, process, world, (key) => world.ids.has(key)).then(
        () => true,
      ),
      process.died.then(() => false),
    ]);
    if (ended) {
      const problems = await problemsOf(scenario, world, store);
      await store.close();
      return { world, problems, kills, points: process.points };
    }
    kills += 1;
    await store.close();
  }
  throw new Error("a process that is not killed comes to its end");
}

/**
 * Returns the violations in the state of a finished run (SCALE-030): messages that were lost or answered
 * twice, effects that happened twice, and unfinished work.
 * @param scenario - messages that were sent
 * @param world - observed effects
 * @param store - store that the run left
 */
export async function problemsOf(
  scenario: CrashScenario,
  world: SeenWorld,
  store: Store,
): Promise<readonly string[]> {
  const problems: string[] = [];
  const left = [
    ...(await store.messages.inbox.inState("received")).map(
      ({ id }) => `message ${id} is not routed`,
    ),
    ...(await store.turns.unfinished()).map(({ runId, state }) => `turn ${runId} is ${state}`),
    ...(await store.messages.outbox.undelivered()).map(({ id }) => `reply ${id} is not sent`),
  ];
  problems.push(...left);
  for (const message of scenario.messages) {
    const id = world.ids.get(message.key);
    const row = id === undefined ? undefined : await store.messages.inbox.get(id);
    if (row?.runId === undefined) {
      problems.push(`${message.key} was lost`);
      continue;
    }
    const turn = await store.turns.get(row.runId);
    if (turn?.state !== "completed") problems.push(`${message.key} ended as ${turn?.state}`);
    problems.push(...(await replyProblems(message.key, scenario.deduplicates, world, store)));
  }
  const unknown = await unknownEffects(scenario, store);
  for (const { key, rounds } of scenario.messages) {
    for (const [round, tools] of rounds.entries()) {
      for (const [index, tool] of tools.entries()) {
        const effect = `${key}/${round}/${index}`;
        const times = world.effects.get(effect) ?? 0;
        if (times > 1 && tool !== "look") problems.push(`${tool} ${effect} ran ${times} times`);
        if (times === 0 && !unknown.has(effect)) problems.push(`${tool} ${effect} did not run`);
      }
    }
  }
  return problems;
}

/**
 * Checks that a message is answered once; if its channel cannot detect repeats, at most once, and that this
 * is stored.
 */
async function replyProblems(
  key: string,
  deduplicates: boolean,
  { sent }: SeenWorld,
  store: Store,
): Promise<readonly string[]> {
  const naming = sent.filter(({ text }) => text.split(" ").includes(key));
  const shown = deduplicates ? new Set(naming.map((each) => each.key)).size : naming.length;
  if (shown === 1) return [];
  if (shown > 1) return [`${key} was answered ${shown} times`];
  const isStored = !deduplicates && (await failedReplies(store)).some((text) => text.includes(key));
  return isStored ? [] : [`${key} was not answered`];
}

async function failedReplies(store: Store): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const { sessionId, runId } of await entriesOf(store)) {
    if (runId === undefined || sessionId === undefined) continue;
    for (const { step } of await store.turns.journal.load(runId)) {
      if (step.kind !== "part-settled" || step.state !== "failed") continue;
      const row = await store.messages.outbox.get(step.outboxId);
      if (row?.error?.code !== "DELIVERY_UNKNOWN") continue;
      // The sender was told, or the notice has the same fate.
      const [notice] = await store.messages.outbox.partsOf(`notice:${row.id}`);
      if (notice !== undefined && notice.state !== "pending") texts.push(row.content);
    }
  }
  return texts;
}

/** Returns the effects of calls whose result says that their outcome is unknown. */
async function unknownEffects(
  { messages }: CrashScenario,
  store: Store,
): Promise<ReadonlySet<string>> {
  const unknown = new Set<string>();
  const calls = new Map<string, string>();
  for (const { message, runId } of await entriesOf(store)) {
    if (message.role === "assistant") {
      for (const part of message.content) {
        if (part.type !== "toolCall") continue;
        const { effect = "" } = part.params as { effect?: string };
        calls.set(`${runId} ${part.toolCallId}`, effect);
      }
    } else if (message.role === "toolResult") {
      const [said] = message.content;
      const isUnknown =
        said?.type === "text" && said.text.startsWith("interrupted: outcome unknown");
      if (isUnknown) unknown.add(calls.get(`${runId} ${message.toolCallId}`) ?? "");
    }
  }
  return messages.length === 0 ? new Set() : unknown;
}

async function entriesOf(store: Store) {
  const entries = [];
  for (const { sessionId } of await store.sessions.list({ limit: 100 })) {
    entries.push(...(await store.messages.transcript.load(sessionId)));
  }
  return entries;
}
