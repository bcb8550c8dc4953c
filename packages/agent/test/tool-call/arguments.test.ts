import { type ApprovalNeed, defineTool, type StandardSchema } from "@openclaw/plugin-sdk/tools";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { approver } from "../support/authorized-call.js";
import { deferred } from "../support/deferred.js";
import { plugin, type TurnHost, textOf, tool, turnHost } from "../support/turn-host.js";

/** A call of the tool `plan` with these arguments, then the end. */
const planning = (params: Record<string, string | number>) => [
  { toolCalls: [{ toolName: "plan", params }] },
  { text: "done" },
];

/** A tool whose schema converts a string to a date and adds a default limit. */
function planner(calls: unknown[], approval: ApprovalNeed = "never") {
  return defineTool({
    name: "plan",
    description: "Plans.",
    parameters: z.object({
      at: z.iso.date().transform((text) => new Date(text)),
      limit: z.number().max(20).default(10),
    }),
    execute: (_toolCallId, params) => {
      calls.push(params);
      return "planned";
    },
    approval,
  });
}

/** A Standard Schema of no library. */
function homemade(validate: (value: unknown) => unknown): StandardSchema {
  return { "~standard": { version: 1, vendor: "homemade", validate } };
}

async function answer(host: TurnHost): Promise<string | undefined> {
  await host.run();
  const [message] = await host.toolResults();
  return message && textOf(message);
}

describe("tool with a Standard Schema", () => {
  it("[SDK-010] receives the parsed arguments; hooks, approver and transcript get the original ones", async () => {
    const calls: unknown[] = [];
    const seen: unknown[] = [];
    const person = approver("allow-once");
    const host = await turnHost({
      script: planning({ at: "2026-11-22" }),
      plugins: [
        plugin("planner", (api) => {
          api.registerTool(planner(calls, "always"));
          api.on("before_tool_call", ({ params }) => void seen.push({ ...params }));
          api.on("after_tool_call", ({ params }) => void seen.push({ ...params }));
        }),
      ],
    });
    await host.run({
      approver: person,
    });
    expect(calls).toEqual([{ at: new Date("2026-11-22"), limit: 10 }]);
    expect(seen).toEqual([{ at: "2026-11-22" }, { at: "2026-11-22" }]);
    expect(person.asked.map(({ params }) => params)).toEqual([{ at: "2026-11-22" }]);
    const stored: unknown[] = (await host.transcript()).flatMap((entry) => [...entry.content]);
    expect(stored).toContainEqual(
      expect.objectContaining({ type: "toolCall", params: { at: "2026-11-22" } }),
    );
  });

  it("[SDK-010] parses the arguments again after a hook rewrote them", async () => {
    const calls: unknown[] = [];
    const host = await turnHost({
      script: planning({ at: "2026-11-22", limit: 3 }),
      plugins: [
        plugin("planner", (api) => {
          api.registerTool(planner(calls));
          api.on("before_tool_call", ({ params }) => ({ params: { ...params, at: "2027-01-01" } }));
        }),
      ],
    });
    expect(await answer(host)).toBe("planned");
    expect(calls).toEqual([{ at: new Date("2027-01-01"), limit: 3 }]);
  });

  it("[SDK-010] does not run, and calls no hooks, with arguments that its schema rejects", async () => {
    const calls: unknown[] = [];
    const seen: unknown[] = [];
    const host = await turnHost({
      script: planning({ at: "tomorrow", limit: 21 }),
      plugins: [
        plugin("planner", (api) => {
          api.registerTool(planner(calls));
          api.on("before_tool_call", (event) => void seen.push(event));
        }),
      ],
    });
    expect(await answer(host)).toMatch(
      /^Invalid parameters for plan: \/at Invalid .+; \/limit Too big: .+$/,
    );
    expect([calls, seen]).toEqual([[], []]);
  });

  it("decides about approval from the parsed arguments", async () => {
    const years: number[] = [];
    const parameters = z.object({ at: z.string().transform((text) => new Date(text)) });
    const careful = defineTool({
      name: "plan",
      description: "Plans.",
      parameters,
      approval: ({ at }) => {
        years.push(at.getUTCFullYear());
        return "never";
      },
      execute: () => "planned",
    });
    const host = await turnHost({
      script: planning({ at: "2026-11-22" }),
      plugins: [plugin("planner", (api) => api.registerTool(careful))],
    });
    expect(await answer(host)).toBe("planned");
    expect(years).toEqual([2026]);
  });

  it("is sent to models with the JSON Schema of its input", async () => {
    const host = await turnHost({
      plugins: [plugin("planner", (api) => api.registerTool(planner([])))],
    });
    await host.run();
    await host.run();
    const shown = host.requests.map(({ tools }) => tools?.[0]);
    expect(shown[0]).toMatchObject({
      inputSchema: {
        type: "object",
        properties: { at: { type: "string" }, limit: { type: "number", default: 10 } },
        required: ["at"],
      },
    });
    expect(shown[1]).toEqual(shown[0]);
  });

  it("is sent with the tool's `jsonSchema` if its schema cannot be converted", async () => {
    const jsonSchema = { type: "object", properties: { who: { type: "string" } } };
    const greeter = tool("greet", {
      parameters: homemade((value) => ({ value: { greeted: value } })),
      jsonSchema,
      execute: (_toolCallId, params) => JSON.stringify(params),
    });
    const host = await turnHost({
      script: [{ toolCalls: [{ toolName: "greet", params: { who: "Ada" } }] }, { text: "done" }],
      coreTools: [greeter],
    });
    expect(await answer(host)).toBe('{"greeted":{"who":"Ada"}}');
    expect(host.requests[0]?.tools).toMatchObject([{ inputSchema: jsonSchema }]);
  });

  it("can validate asynchronously", async () => {
    const host = await turnHost({
      script: planning({ at: "x" }),
      coreTools: [
        tool("plan", {
          parameters: homemade(async () => ({ issues: [{ message: "is no date", path: ["at"] }] })),
          jsonSchema: { type: "object" },
        }),
      ],
    });
    expect(await answer(host)).toBe("Invalid parameters for plan: /at is no date");
  });

  it("stops waiting for validation when the turn is interrupted", async () => {
    const begun = deferred();
    const controller = new AbortController();
    const host = await turnHost({
      script: planning({ at: "x" }),
      coreTools: [
        tool("plan", {
          parameters: homemade(() => {
            begun.resolve();
            return new Promise(() => {});
          }),
          jsonSchema: { type: "object" },
        }),
      ],
    });
    const running = host.run({ signal: controller.signal });
    await begun.promise;
    controller.abort();
    await running;
    expect((await host.toolResults()).map(textOf)).toEqual(["Tool aborted"]);
  });

  it.each([
    ["throws", () => Promise.reject(new Error("no database"))],
    ["answers nothing", () => undefined],
  ])("denies the call when its schema %s", async (_what, validate) => {
    const schema = { parameters: homemade(validate), jsonSchema: { type: "object" } };
    const host = await turnHost({ script: planning({}), coreTools: [tool("plan", schema)] });
    expect(await answer(host)).toMatch(
      /^Tool call denied: a call of plan could not be evaluated: /,
    );
  });

  it("[SDK-009] is dropped, with the reason, when it has no JSON Schema", async () => {
    const bare = homemade((value) => ({ value }));
    const failing = {
      "~standard": {
        ...bare["~standard"],
        jsonSchema: {
          input: () => {
            throw new Error("dates are no JSON");
          },
        },
      },
    };
    const host = await turnHost({
      plugins: [
        plugin("maker", (api) => {
          api.registerTool(() => tool("bare", { parameters: bare }));
          api.registerTool(() => tool("failing", { parameters: failing }));
        }),
      ],
    });
    await host.run();
    expect(host.requests[0]?.tools ?? []).toEqual([]);
    const told = host.lines.filter(({ fields }) => fields.code === "TOOL_SCHEMA_INVALID");
    expect(told.map(({ message }) => message)).toEqual([
      'tool "bare" of plugin "maker" is dropped: parameters are a Standard Schema of homemade that cannot be converted to JSON Schema',
      'tool "failing" of plugin "maker" is dropped: parameters of homemade have no JSON Schema: dates are no JSON',
    ]);
  });
});

describe("tool marked as optional", () => {
  it("is offered only when a list names it", async () => {
    const extra = plugin("extra", (api) =>
      api.registerTool(() => tool("rare", { optional: true })),
    );
    const hidden = await turnHost({ plugins: [extra] });
    await hidden.run();
    expect(hidden.requests[0]?.tools ?? []).toEqual([]);
    const named = await turnHost({
      plugins: [extra],
      layers: [{ layer: "global", alsoAllow: ["rare"] }],
    });
    await named.run();
    expect(named.requests[0]?.tools?.map(({ name }) => name)).toEqual(["rare"]);
  });
});
