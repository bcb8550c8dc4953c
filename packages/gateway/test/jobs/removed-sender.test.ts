import { expect, it } from "vitest";
import { createChannelMethods } from "../../src/methods/channels.js";
import { addRoutine } from "../routines/support/routine.js";
import { createTestHost, gate } from "../support/host.js";
import { OPERATOR, say } from "./support/only-job.js";

const unused = () => {
  throw new Error("not a part of this test");
};

it("[JOB-520] a removed sender leaves no job that continues and no routine that is due, and others keep theirs", async () => {
  const open = gate();
  const host = await createTestHost({
    jobs: { maxParallel: 1 },
    script: () => ({ text: "done", waitFor: open.passed }),
  });
  await host.jobs.recover();
  await host.routines.recover();
  const ids: string[] = [];
  for (const senderId of ["ann", "ann", "bert"]) {
    const creator = { channel: "test", conversationId: senderId, senderId, senderIsOwner: false };
    const task = { title: "work", description: "Work.", agentId: "main" };
    ids.push((await host.jobs.create({ ...task, creator })).jobId);
    await addRoutine(host, { name: `r${ids.length}`, creator });
  }
  const { pairing } = host.channels;
  const sender = { channel: "test", accountId: "default", senderId: "ann" };
  const offer = await pairing.request(sender);
  if (offer.outcome !== "created") throw new Error("the sender has no code");
  await pairing.approve("test", offer.request.code, "operator");
  const methods = createChannelMethods({
    channels: {
      ...{ ...host.channels, idle: [], describe: unused, messages: { act: unused } },
      lost: { list: unused, replay: unused, discard: unused },
    },
    ...{ agents: { defaultAgent: "main" }, store: host.store, work: host },
  });
  await methods.call("pairing.revoke", { channel: "test", senderId: "ann" });
  open.pass();
  const states = await Promise.all(ids.map((id) => host.jobs.get(id, OPERATOR)));
  expect(states.map(({ state }) => state).slice(0, 2)).toEqual(["cancelled", "cancelled"]);
  expect(states[2]?.state).not.toBe("cancelled");
  const routines = await host.routines.list(OPERATOR);
  expect(routines.map(({ routine }) => [routine.name, routine.enabled])).toEqual([
    ["r1", false],
    ["r2", false],
    ["r3", true],
  ]);
  expect(await say(host, "hello")).toBe("done");
});
