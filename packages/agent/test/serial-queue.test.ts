import { expect, it } from "vitest";
import { SerialQueue } from "../src/serial-queue.js";

it("runs work of one key in order, also after a failure, and other keys beside it", async () => {
  const queue = new SerialQueue();
  const events: string[] = [];
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });

  const first = queue.run("a", async () => {
    events.push("a1 begins");
    await gate;
    events.push("a1 fails");
    throw new Error("a1");
  });
  const second = queue.run("a", async () => events.push("a2"));
  await queue.run("b", async () => events.push("b1"));
  open();
  await expect(first).rejects.toThrow("a1");
  await second;
  expect(events).toEqual(["a1 begins", "b1", "a1 fails", "a2"]);
});
