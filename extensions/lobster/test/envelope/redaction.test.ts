import { openTestStore } from "@openclaw/plugin-testkit";
import { expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../../src/gates/database.js";
import { SuspendedRuns } from "../../src/gates/runs.js";
import { lobsterNode, SECRET, World } from "../support/lobster-node.js";

const SOURCE = `openclaw.invoke --tool ${SECRET}`;

async function node() {
  const test = await openTestStore();
  onTestFinished(test.close);
  const world = new World();
  const runs = new SuspendedRuns(() => openDatabase(test.store), Date.now);
  return { world, runs, ...lobsterNode(world, test.store) };
}

it("[LOB-010] removes secrets from the output, and from what is told after a gate", async () => {
  const { call, decide, world, runs } = await node();
  const ended = await call({ action: "run", pipeline: SOURCE });
  expect(ended).toMatchObject({ ok: true, output: [{ by: "[REDACTED]" }] });
  await call({ action: "run", pipeline: `approve --prompt Go? | ${SOURCE}` });
  await decide("approval-0");
  expect(world.results).toEqual([expect.stringContaining("[REDACTED]")]);
  const [run] = await runs.list(false);
  expect(run).toMatchObject({ status: "done", result: expect.stringContaining("[REDACTED]") });
  expect(JSON.stringify([run?.result])).not.toContain(SECRET);
});

it("[LOB-010] limits what a gate shows to 20 items, and removes secrets from items, prompt and preview", async () => {
  const { call, world } = await node();
  const stopped = await call({
    action: "run",
    pipeline: `${SOURCE} | approve --preview-from-stdin --limit 3 --prompt "Send ${SECRET}?"`,
  });
  expect(stopped).toMatchObject({
    requiresApproval: {
      prompt: "Send [REDACTED]?",
      items: [{ by: "[REDACTED]" }],
      preview: expect.stringContaining("[REDACTED]"),
    },
  });
  const [request] = world.submitted;
  expect(request?.description).toContain('"by": "[REDACTED]"');
  expect(JSON.stringify([stopped, request])).not.toContain(SECRET);
  const many = await call({
    action: "run",
    pipeline: `openclaw.invoke --tool items-25 | approve --prompt Many?`,
  });
  expect(many).toMatchObject({ requiresApproval: { itemCount: 25, itemsTruncated: true } });
  expect(many.ok && many.requiresApproval?.items).toHaveLength(20);
});
