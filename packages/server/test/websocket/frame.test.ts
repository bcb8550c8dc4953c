import { OpenClawError } from "@openclaw/foundation";
import { anyText, generatedCases, generatedTimeout } from "@openclaw/foundation/testing";
import { gatewayMethods, METHOD_SCOPES } from "@openclaw/protocol";
import { parameterIssues } from "@openclaw/protocol/registry";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_ACCESS_LIMITS } from "../../src/access/limits.js";
import { readFrame } from "../../src/websocket/frame.js";
import { acceptClient } from "../../src/websocket/handshake.js";

const DEPTH = 64;

/** JSON of every depth. */
const json = fc.oneof(
  fc.jsonValue({ maxDepth: 6 }),
  fc
    .integer({ min: 0, max: 100 })
    .map((depth) => JSON.parse("[".repeat(depth) + "]".repeat(depth) || "0")),
);

const frame = fc.record(
  {
    type: fc.oneof(fc.constant("req"), fc.constantFrom("res", "event", "", 1, null)),
    id: fc.oneof(fc.string(), fc.string({ minLength: 60, maxLength: 70 }), fc.jsonValue()),
    method: fc.oneof(fc.constantFrom(...Object.keys(gatewayMethods)), fc.string(), fc.jsonValue()),
    params: json,
    __proto__: fc.jsonValue(),
    constructor: fc.jsonValue(),
    extra: fc.jsonValue(),
  },
  { requiredKeys: [] },
);

/** Frames as strings: valid ones, damaged ones, and anything else. */
const text = fc.oneof(
  anyText({ maxLength: 200 }),
  frame.map((value) => JSON.stringify(value)),
  fc.tuple(frame, fc.nat(), anyText({ maxLength: 3 })).map(([value, position, damage]) => {
    const whole = JSON.stringify(value);
    const at = position % (whole.length + 1);
    return whole.slice(0, at) + damage + whole.slice(at + damage.length);
  }),
  fc
    .tuple(fc.constantFrom("[", '{"a":', '["', '{"\\'), fc.integer({ min: 0, max: 100_000 }))
    .map(([part, count]) => part.repeat(count)),
);

/** Depth of parsed JSON, measured without the code under test. */
function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe("parsers of input from clients", () => {
  it("[GW-019] read any text as a frame, an error for its ID, or a reason to close, and never throw", {
    timeout: generatedTimeout(60_000),
  }, () => {
    fc.assert(
      fc.property(text, (input) => {
        const read = readFrame(input, DEPTH);
        if ("frame" in read) {
          expect(read.frame).toEqual(JSON.parse(input));
          expect(read.frame.type).toBe("req");
          expect(read.frame.id.length).toBeGreaterThanOrEqual(1);
          expect(read.frame.id.length).toBeLessThanOrEqual(64);
          expect(depthOf(read.frame)).toBeLessThanOrEqual(DEPTH);
        } else if ("fatal" in read) {
          expect(["INVALID_FRAME", "PAYLOAD_TOO_LARGE"]).toContain(read.fatal.code);
        } else {
          expect(read.id).toBe(JSON.parse(input).id);
          expect(read.error.code).toBe("INVALID_REQUEST");
        }
      }),
      generatedCases(3_000),
    );
  });

  it("[GW-020] accept the parameters of connect or reject them with a documented error", {
    timeout: generatedTimeout(60_000),
  }, async () => {
    const caller = { id: "gateway", scopes: METHOD_SCOPES, via: "websocket" } as const;
    const dependencies = {
      access: { authenticate: async () => caller, limits: DEFAULT_ACCESS_LIMITS },
      calls: { names: async () => [] },
    };
    const device = { deviceId: undefined, authenticate: async () => caller };
    const client = { address: "127.0.0.1", device };
    const version = fc.oneof(fc.integer({ min: -1, max: 3 }), fc.jsonValue());
    const params = fc.oneof(
      json,
      fc.record(
        {
          minProtocol: version,
          maxProtocol: version,
          client: fc.oneof(fc.constant({ id: "a", version: "1", mode: "cli" }), fc.jsonValue()),
          auth: fc.oneof(fc.record({ token: fc.string() }), fc.jsonValue()),
          resume: fc.oneof(fc.record({ cursor: fc.string() }), fc.jsonValue()),
          subscribe: fc.oneof(fc.array(fc.string()), fc.jsonValue()),
          approver: fc.oneof(fc.boolean(), fc.jsonValue()),
        },
        { requiredKeys: ["minProtocol", "maxProtocol", "client", "auth"] },
      ),
    );
    await fc.assert(
      fc.asyncProperty(params, async (input) => {
        const accepted = await acceptClient(input, client, dependencies).catch(
          (error: unknown) => error,
        );
        if (OpenClawError.isInstance(accepted)) {
          expect(["INVALID_REQUEST", "UNSUPPORTED_PROTOCOL"]).toContain(accepted.code);
        } else {
          expect(accepted).toMatchObject({ caller, reply: { protocol: 1 } });
        }
      }),
      generatedCases(2000),
    );
  });

  it("[GW-021] name at most five issues of any parameters of any method, and never throw", {
    timeout: generatedTimeout(60_000),
  }, () => {
    const definitions = fc.constantFrom(...Object.values(gatewayMethods));
    fc.assert(
      fc.property(definitions, json, ({ params }, input) => {
        const issues = parameterIssues(params, input);
        expect(issues.length).toBeLessThanOrEqual(5);
        for (const { path, message } of issues) expect(typeof `${path}${message}`).toBe("string");
      }),
      generatedCases(3_000),
    );
  });
});
