import { describe, expect, it } from "vitest";
import { inbound, openTestStore } from "../support/open-store.js";

describe("outcomes of messages", () => {
  it("keeps the first outcome of a message", async () => {
    const { messages } = await openTestStore();
    await messages.inbox.accept(inbound({ id: "message" }));
    await messages.outcomes.add({ messageId: "message", outcome: { text: "first \u0000" } });
    await messages.outcomes.add({ messageId: "message", outcome: { text: "second" } });
    expect(await messages.outcomes.get("message")).toEqual({ text: "first \u0000" });
    expect(await messages.outcomes.get("another")).toBeUndefined();
  });

  it("rejects an outcome of an unknown message", async () => {
    const { messages } = await openTestStore();
    const adding = messages.outcomes.add({ messageId: "unknown", outcome: {} });
    await expect(adding).rejects.toMatchObject({ code: "ROW_CONSTRAINT" });
  });
});
