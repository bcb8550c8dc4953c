import { generatedCases } from "@openclaw/foundation/testing";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { advance, createFixture, type TestMap } from "../support/fixture.js";

/** Other runs than a release check generate the same cases every time. */
const SEED = 20_261_122;

type BuildResult = TestMap["build"]["result"];
type CheckResult = TestMap["check"]["result"];

const word = fc.string({ maxLength: 3 });
const words = fc.array(word, { maxLength: 3 });

const buildResult: fc.Arbitrary<BuildResult> = fc.record(
  {
    text: word,
    tags: words,
    only: words,
    system: word,
    note: word,
    urgent: fc.boolean(),
    limits: fc.dictionary(fc.constantFrom("a", "b", "c"), fc.integer()),
    score: fc.integer(),
  },
  { requiredKeys: [] },
);

const checkResult: fc.Arbitrary<CheckResult> = fc.record(
  {
    params: fc.dictionary(fc.constantFrom("a", "b"), fc.integer()),
    block: fc.boolean(),
    blockReason: word,
    guidance: word,
  },
  { requiredKeys: [] },
);

/** Timing of a handler: synchronous, after some microtasks, or after some ms. */
const timing = fc.oneof(
  fc.constant({ microtasks: 0, ms: 0 }),
  fc.record({ microtasks: fc.nat(5), ms: fc.constant(0) }),
  fc.record({ microtasks: fc.constant(0), ms: fc.integer({ min: 1, max: 90 }) }),
);

function registerAll<R>(
  runner: ReturnType<typeof createFixture>["runner"],
  name: "build" | "check",
  results: readonly R[],
  handler: (result: R, index: number) => unknown,
): void {
  runner.transaction(() => {
    for (const [index, result] of results.entries()) {
      const owner = `p${index}`;
      runner.register({ name, owner, source: "s", handler: () => handler(result, index) as never });
    }
  });
}

describe("properties of a dispatch", () => {
  it("[HOOK-009] orders by stage, then priority, then registration", async () => {
    const registration = fc.record({
      priority: fc.constantFrom(-1, 0, 0.5, 1),
      stage: fc.constantFrom("policy", "ordinary"),
      removed: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(registration, { maxLength: 12 }), async (registrations) => {
        const { runner } = createFixture();
        const ran: number[] = [];
        const undo = registrations.map(({ priority, stage }, index) =>
          runner.register({
            name: "check",
            owner: `p${index % 3}`,
            source: "s",
            priority,
            stage,
            handler: () => void ran.push(index),
          }),
        );
        for (const [index, { removed }] of registrations.entries()) if (removed) undo[index]?.();
        await runner.decide("check", { toolName: "x", params: {} }, {});
        const expected = [...registrations.entries()]
          .filter(([, { removed }]) => !removed)
          .sort(
            ([i, a], [j, b]) =>
              Number(a.stage !== "policy") - Number(b.stage !== "policy") ||
              b.priority - a.priority ||
              i - j,
          )
          .map(([index]) => index);
        expect(ran).toEqual(expected);
      }),
      generatedCases(200, SEED),
    );
  });

  it("[HOOK-012] applies a block exactly when a handler requests it, and nothing undoes it", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(checkResult, { maxLength: 8 }), async (results) => {
        const { runner } = createFixture();
        const ran: number[] = [];
        registerAll(runner, "check", results, (result, index) => {
          ran.push(index);
          return result;
        });
        const merged = await runner.decide("check", { toolName: "x", params: {} }, {});
        const blocker = results.findIndex(({ block }) => block === true);
        expect(merged?.block).toBe(blocker === -1 ? undefined : true);
        expect(ran).toHaveLength(blocker === -1 ? results.length : blocker + 1);
        if (blocker !== -1 && results[blocker]?.blockReason !== undefined) {
          expect(merged?.blockReason).toBe(results[blocker]?.blockReason);
        }
      }),
      generatedCases(200, SEED),
    );
  });

  it("[HOOK-011] folds rewrites from the left: each handler sees the event as the handlers before it left it", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(buildResult, { maxLength: 8 }), async (results) => {
        const { runner } = createFixture();
        const seen: unknown[] = [];
        runner.transaction(() => {
          for (const [index, result] of results.entries()) {
            runner.register({
              name: "build",
              owner: `p${index}`,
              source: "s",
              handler: (event) => {
                seen.push({ ...event });
                return result;
              },
            });
          }
        });
        const start = { text: "start", tags: ["event"], limits: { a: 0 } };
        await runner.rewrite("build", start, {});

        const expected: unknown[] = [];
        let event = start;
        let tags: string[] | undefined;
        let limits: Record<string, number> | undefined;
        for (const result of results) {
          expected.push(event);
          if (result.text !== undefined) event = { ...event, text: result.text };
          if (result.tags !== undefined) {
            tags = [...(tags ?? []), ...result.tags];
            event = { ...event, tags };
          }
          if (result.limits !== undefined) {
            limits = { ...limits, ...result.limits };
            event = { ...event, limits: { ...event.limits, ...limits } };
          }
        }
        expect(seen).toEqual(expected);
      }),
      generatedCases(200, SEED),
    );
  });

  it("[HOOK-016] merges by order and results only, never by timing", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(buildResult, timing, timing), { maxLength: 6 }),
        async (handlers) => {
          const outcomes: unknown[] = [];
          for (const which of [1, 2] as const) {
            const { runner, clock } = createFixture();
            registerAll(runner, "build", handlers, async (handler) => {
              const { microtasks, ms } = handler[which];
              for (let count = 0; count < microtasks; count += 1) await undefined;
              if (ms > 0) await new Promise<void>((resolve) => clock.setTimeout(resolve, ms));
              return handler[0];
            });
            const result = runner.rewrite("build", { text: "", tags: [] }, {});
            await advance(clock, handlers.length * 105);
            outcomes.push(await result);
          }
          const { runner } = createFixture();
          registerAll(runner, "build", handlers, ([result]) => result);
          outcomes.push(runner.rewrite("build", { text: "", tags: [] }, {}));
          expect(outcomes[0]).toEqual(outcomes[2]);
          expect(outcomes[1]).toEqual(outcomes[2]);
        },
      ),
      generatedCases(40, SEED),
    );
  });

  it("[HOOK-038] isolates writes: each handler and the caller see the event as dispatched", async () => {
    const data = fc.json({ maxDepth: 4 }).map((text) => ({ value: JSON.parse(text) as unknown }));
    const vandalise = (value: unknown): void => {
      if (typeof value !== "object" || value === null) return;
      for (const key of Object.keys(value)) {
        vandalise((value as Record<string, unknown>)[key]);
        delete (value as Record<string, unknown>)[key];
      }
      if (Array.isArray(value)) value.push("graffiti");
      else (value as Record<string, unknown>).graffiti = true;
    };
    await fc.assert(
      fc.asyncProperty(data, fc.integer({ min: 1, max: 4 }), async (params, count) => {
        const { runner } = createFixture();
        const before = structuredClone(params);
        const seen: unknown[] = [];
        for (let index = 0; index < count; index += 1) {
          runner.register({
            name: "check",
            owner: `p${index}`,
            source: "s",
            handler: async (event) => {
              seen.push(structuredClone(event.params));
              vandalise(event.params);
              await undefined;
              vandalise(event.params);
            },
          });
        }
        await runner.decide("check", { toolName: "x", params }, {});
        expect(seen).toEqual(Array.from({ length: count }, () => before));
        expect(params).toEqual(before);
      }),
      generatedCases(200, SEED),
    );
  });
});
