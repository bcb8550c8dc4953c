import { randomUUID } from "node:crypto";
import { moveTestData, openTestStore } from "@openclaw/plugin-testkit";
import { expect, inject, it, onTestFinished } from "vitest";
import { lobsterData } from "../src/gates/database.js";
import { lobsterNode, World } from "./support/lobster-node.js";
import { describeRuns } from "./support/runs-suite.js";

declare module "vitest" {
  interface ProvidedContext {
    /** URL of the server of the project `postgres`. */
    postgresUrl?: string;
  }
}

const place = () => `${inject("postgresUrl")}?schema=test_${randomUUID()}`;

describeRuns({
  name: "PostgreSQL",
  hasSeveralHosts: true,
  place,
  open: (url) => openTestStore({ url }),
});

const PIPELINE = "openclaw.invoke --tool one | approve --prompt Go? | openclaw.invoke --tool two";

/** Two nodes of a gateway on one server, with one approver. */
async function twoNodes() {
  const url = place();
  const world = new World();
  const open = async () => {
    const { store, close } = await openTestStore({ url });
    onTestFinished(close);
    const node = lobsterNode(world, store);
    await node.start();
    return node;
  };
  const first = await open();
  const stopped = await first.call({ action: "run", pipeline: PIPELINE });
  const token = stopped.ok ? (stopped.requiresApproval?.resumeToken ?? "") : "";
  return { first, second: await open(), world, token };
}

const decide = async ({ world, second }: Awaited<ReturnType<typeof twoNodes>>) => {
  const [request] = world.pending;
  await second.decide(request?.id ?? "");
};

it("[LOB-022] [LOB-032] a run that one node suspended continues on the node that receives the decision", async () => {
  const nodes = await twoNodes();
  const { first, world, token } = nodes;
  expect(world.executed).toEqual(["one"]);
  await decide(nodes);
  expect(world.executed).toEqual(["one", "two"]);
  expect(world.results).toEqual([expect.stringContaining('"by":"two"')]);
  expect(await first.call({ action: "resume", token, approve: true })).toMatchObject({
    error: { type: "token_consumed" },
  });
});

it("[LOB-025] a run that both nodes continue at the same time continues once", async () => {
  const nodes = await twoNodes();
  const { first, second, world, token } = nodes;
  const resume = { action: "resume", token, approve: true };
  const [, ...results] = await Promise.all([
    decide(nodes),
    first.call(resume),
    second.call(resume),
  ]);
  expect(world.executed).toEqual(["one", "two"]);
  const ended = results.filter((envelope) => envelope.ok).length + world.results.length;
  expect(ended).toBe(1);
});

it("[SCALE-643] a run that was suspended on SQLite continues after a move to PostgreSQL and back", async () => {
  const opened = async (options: Parameters<typeof openTestStore>[0]) => {
    const found = await openTestStore(options);
    onTestFinished(found.close);
    return found;
  };
  const [first, second, third] = await Promise.all([
    opened({}),
    opened({ url: place() }),
    opened({}),
  ]);
  const world = new World();
  const before = lobsterNode(world, first.store);
  await before.call({ action: "run", pipeline: PIPELINE });
  const expected = [{ table: "runs", rows: 1, isEqual: true }];
  expect(await moveTestData(lobsterData, { from: first, to: second })).toEqual(expected);
  expect(await moveTestData(lobsterData, { from: second, to: third })).toEqual(expected);
  const after = lobsterNode(world, third.store);
  await after.start();
  const [request] = world.pending;
  await after.decide(request?.id ?? "");
  expect(world.executed).toEqual(["one", "two"]);
});
