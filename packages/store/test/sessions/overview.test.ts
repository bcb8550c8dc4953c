import { expect, it } from "vitest";
import { openTestStore, queueTurn } from "../support/open-store.js";

it("[UI-461] [GW-341] finds sessions and runs by their last turn, with tokens and cost", async () => {
  const store = await openTestStore();
  const { turn } = await queueTurn(store);
  const { sessionKey, sessionId, runId } = turn;
  await store.sessions.tokenTotals.add({ agentId: "main", sessionId }, 42, 7);
  const [run] = await store.turns.list({ states: ["queued"], limit: 2 });
  expect(run).toMatchObject({ runId, sessionKey, modelCalls: 0, toolCalls: 0, cost: 0n });
  const overview = (await store.sessions.overview([{ sessionId }])).get(sessionId);
  expect(overview).toEqual({
    ...{ tokens: 42, cost: 7n },
    lastTurn: { state: "queued", text: run?.text },
  });
  const count = (filter: object) => store.sessions.count(filter);
  const text = run?.text ?? "";
  expect(await count({ state: "queued", text: text.toUpperCase(), pinned: false })).toBe(1);
  expect(await count({ state: "failed" })).toBe(0);
  expect(await count({ text: `${text}%` })).toBe(0);
  await store.sessions.change(sessionKey, { pinned: true, archived: true });
  expect(await store.sessions.list({ pinned: true, archived: true, limit: 5 })).toEqual([
    expect.objectContaining({ sessionKey, pinned: true, archived: true }),
  ]);
});
