import { describe, expect, it } from "vitest";
import { openDatedStore } from "../support/dated-store.js";
import { inbound, openTestStore, storeDatabase } from "../support/open-store.js";

const RESPONSE = {
  id: "resp_1",
  messageId: "message",
  sessionKey: "agent:main:api:direct:one",
  sender: "owner",
  request: { input: [] },
};

describe("responses", () => {
  it("survive a restart, and are completed once", async () => {
    const database = storeDatabase();
    const store = await openTestStore(database);
    await store.messages.inbox.accept(inbound({ id: "message" }));
    await store.messages.responses.add(RESPONSE);
    await store.close();

    const { responses } = (await openTestStore(database)).messages;
    const createdAt = expect.any(Number);
    expect(await responses.get("resp_1")).toEqual({ ...RESPONSE, createdAt });
    await responses.complete("resp_1", { status: "completed" });
    await responses.complete("resp_1", { status: "failed" });
    expect(await responses.get("resp_1")).toMatchObject({ response: { status: "completed" } });
  });

  it("rejects a second response with the same ID", async () => {
    const { messages } = await openTestStore();
    await messages.inbox.accept(inbound({ id: "message" }));
    await messages.responses.add(RESPONSE);
    await expect(messages.responses.add(RESPONSE)).rejects.toMatchObject({ code: "ROW_STATE" });
  });

  it("are deleted on request", async () => {
    const { messages } = await openTestStore();
    await messages.inbox.accept(inbound({ id: "message" }));
    await messages.responses.add(RESPONSE);
    expect(await messages.responses.delete("resp_1")).toBe(true);
    expect(await messages.responses.delete("resp_1")).toBe(false);
    await messages.responses.complete("resp_1", {});
    expect(await messages.responses.get("resp_1")).toBeUndefined();
  });

  it("[SCALE-029] are removed after 30 days, like the outcomes of messages", async () => {
    const { store, day } = await openDatedStore();
    const { inbox, responses, outcomes } = store.messages;
    await inbox.accept(inbound({ id: "message" }));
    await responses.add(RESPONSE);
    await outcomes.add({ messageId: "message", outcome: {} });
    day(29);
    expect(await store.retention.sweep()).toMatchObject({ response: 0, messageContent: 0 });
    day(31);
    expect(await store.retention.sweep()).toMatchObject({ response: 1, messageContent: 1 });
    expect(await responses.get("resp_1")).toBeUndefined();
    expect(await outcomes.get("message")).toBeUndefined();
  });
});
