import { expect, it } from "vitest";
import { openTestStore, storeDatabase } from "../support/open-store.js";

it("adds up tokens per agent and per session, separately and across a reopen", async () => {
  const database = storeDatabase();
  const store = await openTestStore(database);
  await store.sessions.tokenTotals.add({ agentId: "a", sessionId: "one" }, 3);
  await store.sessions.tokenTotals.add({ agentId: "a", sessionId: "two" }, 4);
  await store.sessions.tokenTotals.add({ agentId: "b", sessionId: "a" }, 5);
  await store.close();

  const { tokenTotals } = (await openTestStore(database)).sessions;
  expect(await tokenTotals.of({ agentId: "a" })).toBe(7);
  expect(await tokenTotals.of({ sessionId: "one" })).toBe(3);
  expect(await tokenTotals.of({ sessionId: "two" })).toBe(4);
  expect(await tokenTotals.of({ sessionId: "a" })).toBe(5);
  expect(await tokenTotals.of({ agentId: "nobody" })).toBe(0);
});
