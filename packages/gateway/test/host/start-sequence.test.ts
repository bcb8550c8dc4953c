import { describe, expect, it } from "vitest";
import { StartSequence } from "../../src/host/start-sequence.js";

describe("StartSequence", () => {
  it("undoes its steps once, the last step first, one after another", async () => {
    const undone: string[] = [];
    const sequence = new StartSequence();
    sequence.add(() => undone.push("lock"));
    sequence.add(async () => {
      await Promise.resolve();
      undone.push("store");
    });
    sequence.add(() => undone.push("plugins"));
    await sequence.run();
    await sequence.run();
    expect(undone).toEqual(["plugins", "store", "lock"]);
  });

  it("continues after a failed step, and reports all failures", async () => {
    const undone: string[] = [];
    const sequence = new StartSequence();
    sequence.add(() => undone.push("lock"));
    sequence.add(() => Promise.reject(new Error("the store hangs")));
    sequence.add(() => {
      throw new Error("the plugins hang");
    });
    await expect(sequence.run()).rejects.toMatchObject({
      message: expect.stringContaining("did not close cleanly"),
      errors: [new Error("the plugins hang"), new Error("the store hangs")],
    });
    expect(undone).toEqual(["lock"]);
  });
});
