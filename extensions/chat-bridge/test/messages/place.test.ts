import { expect, it } from "vitest";
import { adapterThread, placeOf, stableUuid } from "../../src/messages/place.js";

const adapter = {
  name: "acme",
  channelIdFromThreadId: (thread: string) => thread.split(":").slice(0, 2).join(":"),
  isDM: (thread: string) => thread.startsWith("acme:D"),
};

it("separates conversation and thread, and finds the thread of the adapter again", () => {
  expect(placeOf(adapter, "acme:C1:9.1")).toEqual({
    conversationId: "C1",
    threadId: "C1:9.1",
    isDirect: false,
  });
  expect(placeOf(adapter, "acme:D1:")).toEqual({ conversationId: "D1", isDirect: true });
  expect(adapterThread(adapter, { conversationId: "C1", threadId: "C1:9.1" })).toBe("acme:C1:9.1");
  expect(adapterThread(adapter, { conversationId: "D1" })).toBe("acme:D1");
});

it("gives the same parts the same UUID, and other parts another one", () => {
  const id = stableUuid("a", "bc");
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(stableUuid("a", "bc")).toBe(id);
  expect(stableUuid("ab", "c")).not.toBe(id);
});
