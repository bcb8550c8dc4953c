import type { ReplySurface } from "@openclaw/messaging";
import { ChannelHttpError } from "@openclaw/plugin-sdk/channel-core";
import { EARLIER_PART_FAILED } from "@openclaw/store";
import { expect, it } from "vitest";
import { createQueueMethods } from "../../src/queues/methods.js";
import { eventually } from "../support/eventually.js";
import { createTestHost, SESSION } from "../support/host.js";

/** A host with a reply of three parts, of which the second failed, so that the third was not sent. */
async function failing() {
  const sent: string[] = [];
  const problems: Error[] = [];
  const surface: ReplySurface = {
    async send({ text = "" }) {
      const problem = problems.shift();
      if (problem !== undefined) throw problem;
      sent.push(text);
      return { messageId: `m${sent.length}` };
    },
  };
  const host = await createTestHost({
    findSurface: ({ channel }) => (channel === "pager" ? surface : undefined),
  });
  const { outbox } = host.store.messages;
  const add = async (part: number, channel = "pager", runId = "run") => {
    const target = { channel, to: "chat-9" };
    const content = `part ${part}`;
    return (await outbox.add({ runId, part, sessionKey: SESSION, target, content })).row.id;
  };
  const error = { code: "SEND_FAILED", message: "the line is dead" };
  const ids = [await add(0), await add(1), await add(2)] as const;
  await outbox.delivered(ids[0]);
  await outbox.failed(ids[1], { error, attempts: 4 });
  await outbox.suppressed(ids[2], EARLIER_PART_FAILED);
  const offline = await add(0, "off", "other");
  await outbox.failed(offline, { error, attempts: 1 });
  const methods = createQueueMethods(host);
  const call = (name: "queue.requeue" | "queue.discard", id: string) => methods.call(name, { id });
  const states = async () =>
    (await outbox.partsOf("run")).map(({ state, attempts }) => `${state} ${attempts}`);
  return { methods, call, ids, offline, sent, problems, error, states };
}

it("[SCALE-014] a reply that failed is listed, and is sent again with the parts after it", async () => {
  const { methods, call, ids, offline, sent, problems, error, states } = await failing();
  const about = { sessionKey: SESSION, to: "chat-9", failure: error };
  expect((await methods.call("queue.dead", {})).items).toMatchObject([
    { id: `reply:${ids[1]}`, attempts: 4, channel: "pager", text: "part 1", ...about },
    { id: `reply:${offline}`, attempts: 1, channel: "off", text: "part 0", ...about },
  ]);
  expect((await methods.call("queue.list", {})).queues).toContainEqual({
    ...{ queue: "reply", open: 0, dead: 2 },
  });

  problems.push(new ChannelHttpError("pager", 400, "not now"));
  await call("queue.requeue", `reply:${ids[1]}`);
  await eventually(async () => {
    const [, , third] = await states();
    return third === "suppressed 0" ? true : undefined;
  });
  expect(await states()).toEqual(["delivered 0", "failed 1", "suppressed 0"]);
  expect(sent).toEqual([]);

  expect(await call("queue.requeue", `reply:${ids[1]}`)).toMatchObject({ queue: "reply" });
  await eventually(async () => {
    const [, , third] = await states();
    return third === "delivered 0" ? true : undefined;
  });
  expect(await states()).toEqual(["delivered 0", "delivered 0", "delivered 0"]);
  expect(sent).toEqual(["part 1", "part 2"]);
  await expect(call("queue.requeue", `reply:${ids[1]}`)).rejects.toMatchObject({
    code: "QUEUE_ITEM_NOT_FOUND",
  });
});

it("[SCALE-014] a reply whose channel is off stays, until it is discarded", async () => {
  const { methods, call, offline } = await failing();
  const id = `reply:${offline}`;
  await expect(call("queue.requeue", id)).rejects.toMatchObject({
    code: "MESSAGE_TARGET_NOT_FOUND",
  });
  expect(await call("queue.discard", id)).toMatchObject({ id, channel: "off" });
  await expect(call("queue.discard", id)).rejects.toMatchObject({ code: "QUEUE_ITEM_NOT_FOUND" });
  expect((await methods.call("queue.dead", { queue: "reply" })).items).toHaveLength(1);
});
