import { describe, expectTypeOf, it } from "vitest";
import {
  createHookRunner,
  type DispatchDetails,
  type HookContext,
  type HookDefinitions,
  type HookEvent,
  type HookRunner,
} from "../../src/index.js";
import { type CheckResult, definitions, type TestMap } from "../support/fixture.js";

const runner: HookRunner<TestMap> = createHookRunner<TestMap>(definitions);
const check = { toolName: "x", params: {} };

describe("dispatching", () => {
  it("[HOOK-002] accepts only hook names of the matching kind", () => {
    // @ts-expect-error check is a decide hook
    void runner.observe("check", check, {});
    // @ts-expect-error check is a decide hook
    void runner.rewrite("check", check, {});
    // @ts-expect-error check is a decide hook
    void runner.claim("check", check, {});
    // @ts-expect-error check is a decide hook
    runner.sync("check", check, {});
    // @ts-expect-error seen is an observe hook
    void runner.decide("seen", { id: "1" }, {});
    // @ts-expect-error an observe hook has no details
    void runner.detailed("seen", { id: "1" }, {});
    // @ts-expect-error there is no such hook
    void runner.decide("chekc", check, {});
  });

  it("[HOOK-002] derives the types of events, contexts and results from the name", () => {
    expectTypeOf(runner.decide("check", check, {})).toEqualTypeOf<
      CheckResult | undefined | Promise<CheckResult | undefined>
    >();
    expectTypeOf(runner.observe("seen", { id: "1" }, {})).toEqualTypeOf<Promise<void>>();
    expectTypeOf(runner.sync("stamp", { line: "" }, {})).toEqualTypeOf<
      { line?: string } | undefined
    >();
    expectTypeOf(runner.detailed("check", check, {})).toEqualTypeOf<
      Promise<DispatchDetails<CheckResult>>
    >();
    // @ts-expect-error the event lacks params
    void runner.decide("check", { toolName: "x" }, {});
    // @ts-expect-error agentId is a string
    void runner.decide("check", check, { agentId: 5 });
    // @ts-expect-error the hook has no such result field
    void Promise.resolve(runner.decide("check", check, {})).then((result) => result?.cancel);
    // @ts-expect-error sync dispatches cannot be aborted
    runner.sync("stamp", { line: "" }, {}, { signal: new AbortController().signal });
  });

  it("offers the same dispatches on a pin", () => {
    const pin = runner.pin();
    expectTypeOf(pin.decide("check", check, {})).toEqualTypeOf(runner.decide("check", check, {}));
    // @ts-expect-error registrations are made on the runner
    pin.register;
  });
});

describe("registering", () => {
  const common = { owner: "p", source: "s" };

  it("derives the handler type from the name", () => {
    runner.register({
      ...common,
      name: "check",
      handler: (event, context) => {
        expectTypeOf(event).toEqualTypeOf<HookEvent<TestMap["check"]>>();
        expectTypeOf(context).toEqualTypeOf<HookContext<TestMap["check"]>>();
        expectTypeOf(event.toolName).toBeString();
        expectTypeOf<keyof typeof event>().toEqualTypeOf<
          keyof TestMap["check"]["event"] | "context"
        >();
        const { context: _context, ...fields } = event;
        expectTypeOf(fields).toExtend<TestMap["check"]["event"]>();
        // @ts-expect-error the context of a call cannot be replaced
        event.context = context;
        expectTypeOf(context.pluginId).toBeString();
        expectTypeOf(context.signal).toEqualTypeOf<AbortSignal>();
        expectTypeOf(context.agentId).toEqualTypeOf<string | undefined>();
        return { block: true };
      },
    });
    runner.register({ ...common, name: "gate", handler: () => ({ outcome: "block" }) });
    runner.register({ ...common, name: "gate", handler: async () => ({ outcome: "pass" }) });
    runner.register({ ...common, name: "seen", handler: () => 5 });
    runner.register({ ...common, name: "check", handler: () => null });
    runner.register({ ...common, name: "check", handler: async () => {} });
  });

  it("[HOOK-002] rejects results that the hook does not define", () => {
    // @ts-expect-error block is a boolean
    runner.register({ ...common, name: "check", handler: () => ({ block: "yes" }) });
    // @ts-expect-error a number is no result
    runner.register({ ...common, name: "check", handler: () => 5 });
    // @ts-expect-error a sync hook waits for nothing
    runner.register({ ...common, name: "stamp", handler: async () => ({ line: "" }) });
    // @ts-expect-error a claim says whether it handled
    runner.register({ ...common, name: "answer", handler: () => ({ reply: "hi" }) });
    // @ts-expect-error there is no such hook
    runner.register({ ...common, name: "sene", handler: () => {} });
    // @ts-expect-error owner is missing
    runner.register({ source: "s", name: "seen", handler: () => {} });
  });
});

describe("hook definitions", () => {
  type Only<K extends keyof TestMap> = HookDefinitions<Pick<TestMap, K>>;
  const decide = definitions.check;

  it("[HOOK-002] must name every result field with a suitable strategy", () => {
    const { guidance: _left, ...incomplete } = decide.merge;
    // @ts-expect-error guidance has no rule
    const missing: Only<"check"> = { check: { ...decide, merge: incomplete } };
    const unsuited: Only<"check"> = {
      // @ts-expect-error a boolean cannot be concatenated
      check: { ...decide, merge: { ...decide.merge, block: "concat" } },
    };
    const unknown: Only<"check"> = {
      // @ts-expect-error there is no such result field
      check: { ...decide, merge: { ...decide.merge, cancel: "any" } },
    };
    void [missing, unsuited, unknown];
  });

  it("[HOOK-002] cannot contradict their kind", () => {
    const observe = definitions.seen;
    // @ts-expect-error an observe hook denies nothing
    const denies: Only<"seen"> = { seen: { ...observe, deny: () => ({}) } };
    // @ts-expect-error a claim merges nothing
    const merges: Only<"answer"> = { answer: { ...definitions.answer, merge: { reply: "last" } } };
    const stops: Only<"build"> = {
      // @ts-expect-error a rewrite hook stops at nothing
      build: { ...definitions.build, terminal: { field: "urgent", value: true } },
    };
    // @ts-expect-error a sync hook has no deadline
    const waits: Only<"stamp"> = { stamp: { ...definitions.stamp, deadlineMs: 5 } };
    // @ts-expect-error the kind is that of the map
    const other: Only<"stamp"> = { stamp: { ...definitions.seen } };
    const value: Only<"check"> = {
      // @ts-expect-error the terminal value has the type of its field
      check: { ...decide, terminal: { field: "block", value: "yes" } },
    };
    // @ts-expect-error isolate names event fields
    const field: Only<"check"> = { check: { ...decide, isolate: { parameters: "copy" } } };
    void [denies, merges, stops, waits, other, value, field];
  });

  it("[HOOK-002] must exist for every hook of the map", () => {
    const { stamp: _left, ...incomplete } = definitions;
    // @ts-expect-error stamp has no definition
    void createHookRunner<TestMap>(incomplete);
  });
});
