import { describe, expect, it } from "vitest";
import { answers, judging } from "../support/authorized-call.js";

const REFUSED =
  "Tool call denied: work failed 3 times with these arguments, and nothing else has succeeded since; change the arguments, or do it in another way";

describe("a tool call that fails again and again", () => {
  it("[JOB-023] is denied after 3 failures with the same arguments in a turn, in any order of its keys", async () => {
    const asked = [
      { path: "a", count: 1 },
      { count: 1, path: "a" },
      { path: "a", count: 1 },
      { count: 1, path: "a" },
      { path: "a", count: 1 },
      { path: "b" },
    ];
    const { host, execute } = await judging([], { asked, maxIterations: 10 });
    execute.mockImplementation(() => {
      throw new Error("no such file");
    });
    await host.run({});
    expect(await answers(host)).toEqual([
      ...Array.from({ length: 3 }, () => expect.stringContaining("no such file")),
      REFUSED,
      REFUSED,
      expect.stringContaining("no such file"),
    ]);
    expect(execute).toHaveBeenCalledTimes(4);
  });

  it("[JOB-023] runs again after another call has succeeded, which may have changed the cause", async () => {
    const test = { path: "test" };
    const asked = [test, test, test, { path: "edit" }, test];
    const { host, execute } = await judging([], { asked, maxIterations: 10 });
    execute.mockImplementation((_id, params) => {
      if (JSON.stringify(params).includes("edit")) return "edited";
      return { content: [{ type: "text", text: "1 test failed" }], isError: true };
    });
    await host.run({});
    expect((await answers(host)).at(-1)).toBe("1 test failed");
    expect(execute).toHaveBeenCalledTimes(5);
  });
});
