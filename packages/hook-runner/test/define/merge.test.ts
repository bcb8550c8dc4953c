import { describe, expect, it } from "vitest";
import { createHookRunner, type HookDefinition, type MergeInfo } from "../../src/index.js";
import { createFixture, type TestMap } from "../support/fixture.js";

type BuildResult = TestMap["build"]["result"];

async function merged(...results: BuildResult[]): Promise<unknown> {
  const { runner } = createFixture();
  for (const [index, result] of results.entries()) {
    runner.register({
      name: "build",
      owner: `p${index}`,
      source: "s",
      handler: index % 2 === 0 ? () => result : async () => result,
    });
  }
  return runner.rewrite("build", { text: "", tags: ["event"] }, {});
}

describe("merge strategies", () => {
  it("[HOOK-016] take the first or the last defined value", async () => {
    expect(await merged({ system: "a", text: "a" }, { system: "b", text: "b" })).toEqual({
      system: "a",
      text: "b",
    });
  });

  it("[HOOK-016] join non-empty strings with one blank line (concat)", async () => {
    expect(await merged({ note: "a" }, { note: "" }, { note: "b" })).toEqual({ note: "a\n\nb" });
    expect(await merged({ note: "" }, { note: "a" })).toEqual({ note: "a" });
    expect(await merged({ note: "" })).toEqual({ note: "" });
  });

  it("[HOOK-016] merge by append, any, intersect and assign", async () => {
    expect(await merged({ tags: ["a"] }, { tags: [] }, { tags: ["b", "a"] })).toEqual({
      tags: ["a", "b", "a"],
    });
    expect(await merged({ urgent: false }, { urgent: true }, { urgent: false })).toEqual({
      urgent: true,
    });
    expect(await merged({ urgent: false })).toEqual({ urgent: false });
    expect(await merged({ only: ["a", "b", "c"] }, { only: ["c", "a"] })).toEqual({
      only: ["a", "c"],
    });
    expect(await merged({ only: [] }, { only: ["a"] })).toEqual({ only: [] });
    expect(await merged({ limits: { a: 1, b: 1 } }, { limits: { b: 2 } })).toEqual({
      limits: { a: 1, b: 2 },
    });
  });

  it("[HOOK-016] call a merge function with the current value, the next value and its owner", async () => {
    expect(await merged({ score: 1 }, {}, { score: 2 })).toEqual({ score: 3 });

    const infos: MergeInfo[] = [];
    const definition: HookDefinition<TestMap["build"]> = {
      kind: "rewrite",
      deadlineMs: 10,
      failure: "open",
      merge: {
        text: (_all, next, info) => {
          infos.push(info);
          return next;
        },
        tags: "append",
        only: "append",
        system: "last",
        note: "last",
        urgent: "last",
        limits: "last",
        score: "last",
      },
    };
    const runner = createHookRunner<Pick<TestMap, "build">>({ build: definition });
    runner.register({
      name: "build",
      owner: "p",
      source: "s",
      id: "r",
      priority: 4,
      handler: () => ({ text: "x" }),
    });
    await runner.rewrite("build", { text: "", tags: [] }, {});
    expect(infos).toEqual([{ owner: "p", registrationId: "r", priority: 4, terminal: false }]);
  });

  it("[HOOK-017] never overwrite with undefined; undefined, null and {} do not count as a result", async () => {
    expect(await merged({ text: "a", system: "s" }, { text: undefined } as never)).toEqual({
      text: "a",
      system: "s",
    });
    for (const nothing of [undefined, null, {}, { text: undefined }]) {
      expect(await merged(nothing as never)).toBeUndefined();
    }
  });

  it("[HOOK-018] never merge unsafe keys", async () => {
    const hostile = JSON.parse('{"limits":{"__proto__":{"polluted":1},"constructor":2,"a":3}}');
    const result = (await merged(hostile, { limits: { b: 4 } })) as { limits: object };
    expect(Object.keys(result.limits)).toEqual(["a", "b"]);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(result.limits)).toBe(Object.prototype);
  });
});

describe("events of later handlers", () => {
  interface Mail {
    mail: {
      kind: "rewrite";
      event: {
        subject: string;
        headers: Record<string, string>;
        to?: string;
        body: { text: string };
      };
      context: object;
      result: {
        subject?: string;
        headers?: Record<string, string>;
        recipient?: string;
        text?: string;
        hidden?: string;
        to?: string;
      };
    };
  }

  it("[HOOK-011] replace the event field of the same name, or the one that `rewrites` names", async () => {
    const runner = createHookRunner<Mail>({
      mail: {
        kind: "rewrite",
        deadlineMs: 10,
        failure: "open",
        merge: {
          subject: "last",
          headers: "assign",
          recipient: "last",
          text: "last",
          hidden: "last",
          to: "last",
        },
        rewrites: {
          recipient: "to",
          text: (text, { body }) => ({ body: { ...body, text } }),
          hidden: false,
        },
      },
    });
    runner.register({
      name: "mail",
      owner: "a",
      source: "a",
      handler: () => ({
        subject: "new",
        headers: { b: "2" },
        recipient: "bob",
        text: "bye",
        hidden: "x",
      }),
    });
    let seen: unknown;
    runner.register({
      name: "mail",
      owner: "b",
      source: "b",
      handler: (event) => {
        seen = { ...event };
      },
    });
    const event = { subject: "old", headers: { a: "1" }, body: { text: "hi" } };
    await runner.rewrite("mail", event, {});
    expect(seen).toEqual({
      subject: "new",
      headers: { a: "1", b: "2" },
      to: "bob",
      body: { text: "bye" },
    });
    expect(event).toEqual({ subject: "old", headers: { a: "1" }, body: { text: "hi" } });
  });

  it("[HOOK-011] hold the merged field alone when the event field is null or undefined", async () => {
    const { runner } = createFixture();
    runner.register({
      name: "build",
      owner: "a",
      source: "a",
      handler: () => ({ limits: { a: 1 } }),
    });
    const seen: unknown[] = [];
    runner.register({
      name: "build",
      owner: "b",
      source: "b",
      handler: ({ limits }) => void seen.push(limits),
    });
    for (const limits of [undefined, null, { b: 2 }]) {
      await runner.rewrite("build", { text: "", tags: [], limits } as never, {});
    }
    expect(seen).toEqual([{ a: 1 }, { a: 1 }, { a: 1, b: 2 }]);
  });

  it("do not gain fields that the event does not have", async () => {
    const { runner } = createFixture();
    runner.register({
      name: "build",
      owner: "a",
      source: "a",
      handler: () => ({ system: "s", limits: { a: 1 } }),
    });
    let seen: unknown;
    runner.register({
      name: "build",
      owner: "b",
      source: "b",
      handler: (event) => {
        seen = { ...event };
      },
    });
    await runner.rewrite("build", { text: "t", tags: [] }, {});
    expect(seen).toEqual({ text: "t", tags: [] });
  });
});
