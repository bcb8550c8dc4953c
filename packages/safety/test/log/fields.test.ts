import { describe, expect, it } from "vitest";
import { redactLogFields } from "../../src/index.js";

const KEY = "AKIAIOSFODNN7EXAMPLE";

describe("redactLogFields", () => {
  it("[SAFE-056] redacts fields by their name, in any spelling", () => {
    const fields = Object.fromEntries(
      [
        "password",
        "userPassword",
        "DB_PASSWD",
        "api-key",
        "apiKey",
        "accessToken",
        "Authorization",
        "set-cookie",
        "client_secret",
        "credentials",
        "privateKey",
      ].map((name) => [name, "hunter2"]),
    );
    const redacted = redactLogFields({ ...fields, session: { otp: 123456, jwt: ["x"] } });
    expect(JSON.stringify(redacted)).not.toMatch(/hunter2|123456|"x"/);
    expect(redacted).toMatchObject({
      password: "[REDACTED]",
      session: { otp: "[REDACTED]", jwt: "[REDACTED]" },
    });
  });

  it("[SAFE-056] covers errors, with message, stack and cause", () => {
    const error = new Error(`no access for ${KEY}`, {
      cause: new TypeError(`mail a.b@example.com`),
    });
    Object.assign(error, { token: "abc", status: 401 });
    const redacted = redactLogFields({ error });
    expect(JSON.stringify(redacted)).not.toMatch(/AKIAIOS|example\.com|abc/);
    expect(redacted).toMatchObject({
      error: {
        name: "Error",
        message: "no access for [REDACTED_AWS_KEY]",
        status: 401,
        token: "[REDACTED]",
        cause: { name: "TypeError" },
      },
    });
  });

  it("[SAFE-056] keeps a field for each of several keys with secrets", () => {
    const other = KEY.replace("IOS", "IOT");
    expect(redactLogFields({ [KEY]: 1, [other]: 2 })).toEqual({
      "[REDACTED_AWS_KEY]": 1,
      "[REDACTED_AWS_KEY] (2)": 2,
    });
  });

  it("keeps counts, flags and empty values of fields with secret names", () => {
    const fields = {
      maxTokens: 4096,
      tokens: 12,
      hasPassword: true,
      password: "",
      token: null,
      secret: undefined,
      tokenCount: 3,
    };
    expect(redactLogFields(fields)).toBe(fields);
  });

  it("returns a clean value unchanged", () => {
    const clean = {
      text: "fine",
      list: [1, "two", { three: 3 }],
      map: new Map([["a", 1]]),
      set: new Set(["x"]),
      date: new Date(0),
      bytes: new Uint8Array(3),
      error: new Error("plain"),
      nothing: null,
    };
    expect(redactLogFields(clean)).toBe(clean);
    expect(redactLogFields(42)).toBe(42);
    expect(redactLogFields(KEY)).toBe("[REDACTED_AWS_KEY]");
  });

  it("redacts in maps, sets, lists, keys and objects with toJSON", () => {
    expect(
      redactLogFields({
        map: new Map<unknown, unknown>([
          ["token", "x"],
          [1, KEY],
        ]),
        set: new Set([KEY]),
        list: [KEY],
        url: new URL("https://me:pw12@example.com/"),
        "a.b@example.com": 1,
      }),
    ).toEqual({
      map: { token: "[REDACTED]", 1: "[REDACTED_AWS_KEY]" },
      set: ["[REDACTED_AWS_KEY]"],
      list: ["[REDACTED_AWS_KEY]"],
      url: "https://[REDACTED_BASIC_AUTH]@example.com/",
      "[REDACTED_EMAIL]": 1,
    });
  });

  it("stops at circular references and at the maximum depth", () => {
    const circle: Record<string, unknown> = { key: KEY };
    circle.self = circle;
    expect(redactLogFields(circle)).toEqual({ key: "[REDACTED_AWS_KEY]", self: "[CIRCULAR]" });
    let deep: unknown = "end";
    for (let level = 0; level < 40; level += 1) deep = { deep };
    expect(JSON.stringify(redactLogFields(deep))).toContain("[TOO DEEP]");
  });
});
