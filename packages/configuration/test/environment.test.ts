import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";
import { loadConfiguration } from "../src/configuration.js";
import {
  ENVIRONMENT_SETTINGS,
  environmentProblems,
  flagFromEnvironment,
  numberFromEnvironment,
  variableOf,
} from "../src/environment.js";
import { ConfigurationError, formatProblem } from "../src/errors.js";

const FLAG = "safety.injectionCheck";

describe("settings of the environment", () => {
  it.each([
    ["true", true],
    ["TRUE", true],
    ["1", true],
    ["false", false],
    ["0", false],
  ])("[HOST-008] reads the boolean %s", (text, value) => {
    expect(flagFromEnvironment(FLAG, { SAFETY_INJECTION_CHECK_ENABLED: text })).toBe(value);
  });

  it.each(["", " "])("[HOST-008] takes the empty value %j for unset", (text) => {
    expect(flagFromEnvironment(FLAG, { SAFETY_INJECTION_CHECK_ENABLED: text })).toBeUndefined();
    expect(numberFromEnvironment("gateway.port", { OPENCLAW_PORT: text, GATEWAY_PORT: "7" })).toBe(
      7,
    );
  });

  it.each([
    ["SAFETY_INJECTION_CHECK_ENABLED", "yes", "true, false, 1 or 0"],
    ["OPENCLAW_PORT", "65536", "a whole number from 0 to 65535"],
    ["GATEWAY_PORT", "1e", "a whole number from 0 to 65535"],
    ["SESSION_IDLE_TIMEOUT_SECS", "1", "a whole number from 60 to 10000000"],
    ["AGENT_MAX_TOOL_ITERATIONS", "0", "a whole number from 1 to 1000"],
    ["OPENCLAW_SAFETY_MAX_OUTPUT_LENGTH", "12.5", "a whole number of at least 256"],
  ])(
    "[HOST-008] rejects %s=%s, and names the variable and the expected form",
    (name, text, expected) => {
      const [problem, ...others] = environmentProblems({ [name]: text });
      expect(others).toEqual([]);
      expect(problem && formatProblem(problem)).toContain(
        `${name}: expected ${expected}, got "${text}"`,
      );
    },
  );

  it("[HOST-008] reports variables together with the errors of the file, and without a file", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "openclaw.json");
    const environment = { OPENCLAW_PORT: "many" };
    const problems = async () => {
      const error: unknown = await loadConfiguration(file, { environment }).catch(
        (thrown) => thrown,
      );
      return ConfigurationError.isInstance(error) ? error.problems.map(({ key }) => key) : error;
    };
    expect(await problems()).toEqual(["OPENCLAW_PORT"]);
    folder.write({ "openclaw.json": "{ tolls: {} }" });
    expect(await problems()).toEqual(["tolls", "OPENCLAW_PORT"]);
  });

  it("[HOST-009] reads each variable of the original with the prefix OPENCLAW_ too, which wins", () => {
    const originals = ENVIRONMENT_SETTINGS.flatMap(({ path, variables }) =>
      variables
        .filter((name) => !name.startsWith("OPENCLAW_") && name !== "GATEWAY_PORT")
        .map((name) => ({ key: path.join("."), name })),
    );
    expect(originals.map(({ name }) => name)).toEqual([
      "GATEWAY_ENABLED",
      "GATEWAY_HOST",
      "GATEWAY_AUTH_TOKEN",
      "SAFETY_MAX_OUTPUT_LENGTH",
      "SAFETY_INJECTION_CHECK_ENABLED",
      "AGENT_MAX_TOOL_ITERATIONS",
      "MAX_COST_PER_DAY_CENTS",
      "MAX_ACTIONS_PER_HOUR",
      "LLM_BACKEND",
      "SESSION_IDLE_TIMEOUT_SECS",
      "AGENT_MAX_PARALLEL_JOBS",
      "AGENT_JOB_TIMEOUT_SECS",
      "AGENT_STUCK_THRESHOLD_SECS",
      "SELF_REPAIR_CHECK_INTERVAL_SECS",
      "SELF_REPAIR_MAX_ATTEMPTS",
      "AGENT_USE_PLANNING",
      "ROUTINES_CRON_INTERVAL",
      "ROUTINES_DEFAULT_COOLDOWN",
      "ROUTINES_MAX_CONCURRENT",
      "HEARTBEAT_ENABLED",
      "HEARTBEAT_INTERVAL_SECS",
      "HEARTBEAT_NOTIFY_CHANNEL",
      "HEARTBEAT_NOTIFY_USER",
      "EMBEDDING_ENABLED",
      "EMBEDDING_PROVIDER",
      "EMBEDDING_MODEL",
      "HTTP_WEBHOOK_SECRET",
      "HTTP_USER_ID",
      "HTTP_HOST",
      "HTTP_PORT",
    ]);
    for (const { key, name } of originals) {
      expect(variableOf(key, { [name]: "1" })?.name).toBe(name);
      expect(variableOf(key, { [name]: "1", [`OPENCLAW_${name}`]: "2" })).toEqual({
        name: `OPENCLAW_${name}`,
        value: "2",
      });
    }
    expect(
      variableOf("gateway.port", { GATEWAY_PORT: "1", OPENCLAW_GATEWAY_PORT: "2" })?.value,
    ).toBe("2");
  });

  it("[CHAN-027] reads the listener of the gateway, over the file, and names a wrong variable without a token", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "openclaw.json");
    const load = async (environment: NodeJS.ProcessEnv) =>
      (await loadConfiguration(file, { environment })).value.gateway;
    expect(await load({})).toBeUndefined();
    const token = "a-token-of-24-characters";
    const environment = { GATEWAY_HOST: "0.0.0.0", GATEWAY_AUTH_TOKEN: token };
    expect(await load(environment)).toEqual({ bind: "0.0.0.0", auth: { token } });
    const section = { enabled: true, bind: "lan", auth: { chatSendsPerMinute: 5 } };
    writeFileSync(file, JSON.stringify({ gateway: section }));
    expect(await load({ ...environment, GATEWAY_ENABLED: "0" })).toEqual({
      ...{ enabled: false, bind: "0.0.0.0", auth: { chatSendsPerMinute: 5, token } },
    });
    expect(await load({ OPENCLAW_GATEWAY_ENABLED: "true", GATEWAY_ENABLED: "0" })).toEqual(section);
    const wrong: readonly (readonly [string, string, string])[] = [
      ["GATEWAY_ENABLED", "maybe", 'expected true, false, 1 or 0, got "maybe"'],
      ["GATEWAY_HOST", "gateway.example", "expected loopback, lan or an IP address"],
      ["GATEWAY_HOST", "1.2.3", "expected loopback, lan or an IP address"],
      ["GATEWAY_AUTH_TOKEN", "too-short-secret", "expected at least 24 ASCII characters"],
    ];
    for (const [name, value, message] of wrong) {
      const error: unknown = await load({ [name]: value }).catch((thrown) => thrown);
      expect(String(error)).toContain(name);
      expect(String(error)).toContain(message);
      expect(String(error)).not.toContain("too-short-secret");
    }
  });

  it("[CHAN-023] enables the channel http by its secret, and only then reads its other variables", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "openclaw.json");
    const load = async (environment: NodeJS.ProcessEnv) =>
      (await loadConfiguration(file, { environment })).value.channels?.http;
    expect(await load({ HTTP_PORT: "8080", HTTP_HOST: "0.0.0.0" })).toBeUndefined();
    const HTTP_WEBHOOK_SECRET = "a-secret-of-24-characters";
    expect(await load({ HTTP_WEBHOOK_SECRET })).toEqual({ webhookSecret: HTTP_WEBHOOK_SECRET });
    const environment = { HTTP_PORT: "8080", HTTP_HOST: "::1", HTTP_USER_ID: "shop" };
    expect(await load({ HTTP_WEBHOOK_SECRET, ...environment })).toEqual({
      ...{ webhookSecret: HTTP_WEBHOOK_SECRET, port: "8080", host: "::1", userId: "shop" },
    });
    writeFileSync(file, JSON.stringify({ channels: { http: { userId: "file" } } }));
    expect(await load({ OPENCLAW_HTTP_USER_ID: "prefixed", HTTP_USER_ID: "x" })).toEqual({
      userId: "prefixed",
    });
  });
});
