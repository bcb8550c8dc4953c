import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { priorityOf } from "../src/definition/priority.js";
import { HookConfigurationError } from "../src/errors.js";
import { POINT_NAMES, POINTS } from "../src/points/point.js";
import { openReader, type Reader } from "./support/reader.js";
import vectors from "./vectors/hooks.json" with { type: "json" };

let reader: Reader;
beforeAll(async () => {
  reader = await openReader();
});
afterAll(() => reader[Symbol.asyncDispose]());

const shell = { type: "shell", command: "true" };
const hook = (fields: object = {}) => ({
  name: "h",
  points: ["beforeInbound"],
  action: shell,
  ...fields,
});
const webhook = (fields: object = {}) => ({
  outbound_webhooks: [{ name: "w", points: ["*"], url: "https://example.com/hook", ...fields }],
});

describe("points", () => {
  it.each(Object.entries(POINTS))("[DHOOK-001] %s and %s are the same point", (point, name) => {
    const [first] = reader.read([hook({ points: [point] })]);
    const [second] = reader.read([hook({ points: [name] })]);
    expect(first?.points).toEqual([point]);
    expect(second?.points).toEqual([point]);
  });

  it("[DHOOK-008] an unknown point is an error with the seven names and the nearest", () => {
    const text = reader.message([hook({ points: ["beforeInbuond"] })]);
    for (const name of POINT_NAMES) expect(text).toContain(name);
    expect(POINT_NAMES).toHaveLength(7);
    expect(text).toContain('did you mean "beforeInbound"');
  });

  it("[DHOOK-011] no points is MissingHookPoints", () => {
    expect(reader.problems([hook({ points: [] })])).toEqual(["MissingHookPoints [0].points"]);
    expect(reader.problems([{ name: "h", action: shell }])).toEqual([
      "MissingHookPoints [0].points",
    ]);
  });

  it("[DHOOK-035] webhooks subscribe to points or to all of them", () => {
    const points = (value: unknown) => reader.read(webhook({ points: value }))[0]?.points;
    expect(points(["*"])).toEqual(POINT_NAMES);
    expect(points("*")).toEqual(POINT_NAMES);
    expect(points(["onSessionEnd", "before_tool_call"])).toEqual([
      "onSessionEnd",
      "beforeToolCall",
    ]);
  });
});

describe("definitions", () => {
  it("[DHOOK-009] have defaults for everything but name, points and action", () => {
    expect(reader.read([hook()])[0]).toMatchObject({
      ...{ name: "test::h", enabled: true, priority: 0, filter: undefined, timeoutMs: 5000 },
      mode: undefined,
    });
    const [full] = reader.read([
      hook({ enabled: false, priority: 7, filter: { sender: "a" }, timeoutMs: 10, mode: "closed" }),
    ]);
    expect(full).toMatchObject({ enabled: false, priority: 7, timeoutMs: 10, mode: "closed" });
    expect(reader.read([hook({ mode: "open" })])[0]?.mode).toBe("open");
    expect(reader.problems([hook({ mode: "ajar" })])).toEqual(["InvalidField [0].mode"]);
  });

  it("[DHOOK-010] run named priorities in the order system, high, normal, low; normal is the default", () => {
    const priority = (value: unknown) =>
      reader.read([hook({ priority: value })])[0]?.priority ?? Number.NaN;
    const order = ["system", "high", "normal", "low"].map(priority);
    expect(order.toSorted((one, other) => other - one)).toEqual(order);
    expect(new Set(order).size).toBe(4);
    expect(priority(undefined)).toBe(priority("normal"));
    expect(priority(12)).toBe(12);
  });

  it("[DHOOK-010] read the numbers of IronClaw as its names", () => {
    expect(vectors.hook_priority_order).toHaveLength(4);
    for (const each of vectors.hook_priority_order) {
      const [, name = "", number] = /^(\w+)\((\d+)\)$/.exec(each) ?? [];
      const rule = { name: "r", points: ["beforeInbound"], append: "!", priority: Number(number) };
      expect(reader.read([rule])[0]?.priority).toBe(priorityOf(name, false));
    }
    const odd = { name: "r", points: ["beforeInbound"], append: "!", priority: 5 };
    expect(reader.problems([odd])).toEqual(["InvalidField [0].priority"]);
  });

  it.each([0, -1, 30_001, "10", Number.NaN])(
    "[DHOOK-011] the timeout %s is InvalidTimeout",
    (timeoutMs) => {
      expect(reader.problems([hook({ timeoutMs })])).toEqual(["InvalidTimeout [0].timeoutMs"]);
    },
  );

  it("[DHOOK-011] timeouts of 1 and 30,000 milliseconds are valid", () => {
    expect(reader.problems([hook({ timeoutMs: 1 }), hook({ timeoutMs: 30_000 })])).toEqual([]);
  });

  it("[DHOOK-013] an invalid pattern names the hook and the position of the mistake", () => {
    const text = reader.message({
      rules: [
        { name: "good", points: ["beforeInbound"], append: "!" },
        {
          name: "bad",
          points: ["beforeInbound"],
          replacements: [{ pattern: "ab(c", replacement: "" }],
        },
      ],
    });
    expect(text).toContain('rules[1].replacements[0].pattern (hook "bad")');
    expect(text).toMatch(/missing closing \).* at character \d+/);
    for (const pattern of ["a(?=b)", "(.)\\1"]) {
      expect(reader.problems([hook({ filter: { pattern } })])).toEqual([
        "InvalidPattern [0].filter.pattern",
      ]);
    }
  });

  it("[DHOOK-013] patterns take linear time", () => {
    const [definition] = reader.read([hook({ filter: { pattern: "(a+)+$" } })]);
    expect(definition?.filter?.pattern?.test(`${"a".repeat(50_000)}!`)).toBe(false);
  });

  it("[DHOOK-014] are read from an object with three lists, or from a list of rules", () => {
    const rule = { name: "r", points: ["beforeInbound"], append: "!" };
    const all = { rules: [rule], ...webhook(), hooks: [hook()] };
    expect(reader.read(all).map(({ name }) => name)).toEqual(["test::r", "test::w", "test::h"]);
    expect(reader.read([rule, hook()]).map(({ action }) => action.type)).toEqual([
      "inline",
      "shell",
    ]);
  });

  it("report every mistake, with the nearest field", () => {
    const text = reader.message({
      rule: [],
      hooks: [hook({ pionts: [], name: "two words" }), "x", hook({ action: { type: "shel" } })],
    });
    expect(text).toContain('rule: unknown field; did you mean "rules"?');
    expect(text).toContain('unknown field; did you mean "points"?');
    expect(text).toContain("expected a name of 1 to 100 characters");
    expect(text).toContain("hooks[1]: expected an object, got a string");
    expect(text).toContain('expected inline, shell, http, webhook; did you mean "shell"?');
  });

  it("accept names with underscores and in camel case", () => {
    const [definition] = reader.read({
      rules: [
        {
          name: "r",
          points: ["beforeInbound"],
          when_regex: "x",
          reject_reason: "no",
          timeout_ms: 7,
          failure_mode: "fail_closed",
        },
      ],
    });
    expect(definition).toMatchObject({
      timeoutMs: 7,
      mode: "closed",
      action: { rejectReason: "no" },
    });
  });

  it.each([
    [{ type: "shell" }],
    [{ type: "shell", command: "a", argv: ["a"] }],
    [{ type: "shell", command: " " }],
    [{ type: "http" }],
    [{ type: "http", url: "https://example.com", method: "DELETE" }],
    [{ type: "webhook" }],
    [{ type: "inline", template: "x", append: "y" }],
    [{}],
  ])("reject the action %j", (action) => {
    expect(reader.problems([hook({ action })])).not.toEqual([]);
  });
});

/** Reference to a secret, as files write it. */
const reference = (name: string) => `$\{secrets.${name}}`;

describe("receivers", () => {
  it.each(vectors.vectors.filter(({ suite }) => suite === "hook_webhook_config"))(
    "[DHOOK-011] [DHOOK-031] [DHOOK-032] [DHOOK-033] vector $id",
    ({ input, expected }) => {
      const { result } = expected as { result: string };
      const found = reader
        .problems({ outbound_webhooks: [input] })
        .map((each) => each.split(" ")[0]);
      expect(found).toEqual(result === "ok" ? [] : [result]);
    },
  );

  it.each(vectors.vectors.filter(({ suite }) => suite === "ssrf_ip"))(
    "[DHOOK-033] vector $id",
    ({ input, expected }) => {
      const address = String(input);
      const host = address.includes(":") ? `[${address}]` : address;
      const found = reader.problems(webhook({ url: `https://${host}/` }));
      const isPrivate = (expected as { private: boolean }).private;
      expect(found).toEqual(isPrivate ? ["ForbiddenWebhookHost outbound_webhooks[0].url"] : []);
    },
  );

  it.each([
    ...[
      "10.0.0.1",
      "192.168.1.1",
      "0.0.0.0",
      "2130706433",
      "0x7f.1",
      "[fd00::1]",
      "[::ffff:8.8.8.8]",
    ],
    ...[
      "localhost",
      "a.localhost",
      "host.docker.internal",
      "metadata.google.internal",
      "169.254.169.254",
    ],
  ])("[DHOOK-033] the host %s is ForbiddenWebhookHost, for webhooks and HTTP actions", (host) => {
    const url = `https://${host}/hook`;
    expect(reader.problems(webhook({ url }))).toEqual([
      "ForbiddenWebhookHost outbound_webhooks[0].url",
    ]);
    expect(reader.problems([hook({ action: { type: "http", url } })])).toEqual([
      "ForbiddenWebhookHost [0].action.url",
    ]);
  });

  it.each([
    ["x-team", "销售"],
    ["x-team", "a\r\nb"],
    ["x team", "a"],
  ])("[GW-240] a header that HTTP cannot carry is rejected: %j %j", (name, value) => {
    const action = { type: "http", url: "https://example.com", headers: { [name]: value } };
    expect(reader.problems([hook({ action })])).toEqual([
      "InvalidWebhookHeader [0].action.headers",
    ]);
  });

  it("[DHOOK-032] plain http and a user name are rejected", () => {
    expect(reader.problems(webhook({ url: "http://example.com/" }))).toEqual([
      "InvalidWebhookScheme outbound_webhooks[0].url",
    ]);
    expect(reader.problems(webhook({ url: "https://user:pass@example.com/" }))).toEqual([
      "InvalidWebhookUrl outbound_webhooks[0].url",
    ]);
    expect(reader.problems(webhook({ url: "ftp://example.com/" }))).toEqual([
      "InvalidWebhookScheme outbound_webhooks[0].url",
    ]);
  });

  it.each([
    ...["host", "authorization", "cookie", "proxy-authorization", "forwarded", "x-real-ip"],
    ...["X-Forwarded-For", "transfer-encoding", "connection"],
  ])("[DHOOK-034] the header %s is ForbiddenWebhookHeader", (header) => {
    expect(reader.problems(webhook({ headers: { [header]: "x" } }))).toEqual([
      "ForbiddenWebhookHeader outbound_webhooks[0].headers",
    ]);
  });

  it("[DHOOK-034] secrets are references, and an unknown one is an error", () => {
    const fields = {
      secret: reference("deploy"),
      headers: { "X-Api-Key": `key ${reference("deploy")}` },
    };
    const [definition] = reader.read(webhook(fields), { secrets: { deploy: "abc" } });
    expect(definition?.action).toMatchObject({
      settings: { secret: "abc", headers: { "X-Api-Key": "key abc" } },
    });
    expect(JSON.stringify(definition?.written)).not.toContain("abc");
    expect(reader.message(webhook(fields), { secrets: { deply: "abc" } })).toContain(
      'the secret "deploy" is not set',
    );
  });

  it("[DHOOK-031] the maximum in flight is 1 or more", () => {
    expect(reader.problems(webhook({ max_in_flight: 0 }))).toEqual([
      "InvalidWebhookMaxInFlight outbound_webhooks[0].maxInFlight",
    ]);
    expect(reader.problems(webhook({ max_in_flight: 1 }))).toEqual([]);
  });
});

describe("the reader", () => {
  const keys = [
    ...["rules", "outbound_webhooks", "hooks", "name", "points", "action", "type", "url", "filter"],
    ...[
      "pattern",
      "when_regex",
      "replacements",
      "replacement",
      "priority",
      "timeout_ms",
      "headers",
    ],
    ...["__proto__", "constructor"],
  ];
  const words = fc.constantFrom(
    ...[
      "beforeInbound",
      "*",
      "inline",
      "shell",
      "http",
      "webhook",
      "(a",
      "https://[::1]/",
      "low",
      "",
      "\0",
    ],
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      words,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.string(),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom(...keys), tie("value"), { maxKeys: 6 }),
    ),
  }));

  const valid = {
    rules: [
      {
        ...{ name: "rule", points: ["beforeInbound", "*"], when: "(?i)a+", priority: 50 },
        ...{ filter: { sender: ["a*"], pattern: "b" }, mode: "closed", silent: true },
        replacements: [{ pattern: "(x)(y)?", replacement: "$2$1" }],
      },
    ],
    outbound_webhooks: [
      {
        ...{ name: "hook", points: ["*"], url: "https://example.com/", headers: { "X-A": "b" } },
        ...{ max_in_flight: 4, include_content: true, durable: true, timeout_ms: 500 },
      },
    ],
    hooks: [
      { name: "program", points: ["beforeToolCall"], action: { type: "shell", argv: ["true"] } },
      {
        ...{ name: "server", points: ["onSessionEnd"], timeoutMs: 30_000, enabled: false },
        action: { type: "http", url: "https://example.com/", method: "PUT", idempotent: true },
      },
    ],
  };
  /** Replaces the part of a copy of the valid definitions at which some steps end. */
  const changedAt = (steps: readonly number[], replacement: unknown): unknown => {
    const root: { part: unknown } = { part: structuredClone(valid) };
    let holder: object = root;
    let key = "part";
    for (const step of steps) {
      const inner: unknown = Reflect.get(holder, key);
      if (typeof inner !== "object" || inner === null) break;
      const keys = Object.keys(inner);
      if (keys.length === 0) break;
      holder = inner;
      key = keys[step % keys.length] ?? "part";
    }
    Reflect.set(holder, key, replacement);
    return root.part;
  };

  it("reads valid definitions, and any change of one part is read or listed as a mistake", () => {
    expect(reader.read(valid)).toHaveLength(4);
    const steps = fc.array(fc.nat({ max: 30 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(steps, value, (places, replacement) => {
        const given = changedAt(places, replacement);
        try {
          expect(reader.read(given).length).toBeLessThanOrEqual(4);
        } catch (error) {
          if (!HookConfigurationError.isInstance(error)) throw error;
          for (const { message, path } of error.problems) {
            expect(`${path} ${message}`).toMatch(/^(?:rules|outbound_webhooks|hooks|\[|$| ).* \S/s);
          }
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("either reads a value or lists its mistakes, and changes no built-in object", () => {
    fc.assert(
      fc.property(value, (given) => {
        try {
          for (const { name, points } of reader.read(given)) {
            expect(name).toMatch(/^test::\S+$/);
            expect(points.length).toBeGreaterThan(0);
          }
        } catch (error) {
          if (!HookConfigurationError.isInstance(error)) throw error;
          expect(error.problems.length).toBeGreaterThan(0);
        }
        expect(Object.keys(Object.prototype)).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });
});
