import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";
import { loadConfiguration } from "../src/configuration.js";
import { explainKey, readableConfiguration } from "../src/explanation.js";

const TEXT = `{
  gateway: { port: 1, auth: { token: "0123456789abcdef01234567" } },
  agents: { $include: "agents.json5", defaults: { maxIterations: 7 } },
  plugins: { entries: { x: {
    config: { apiKey: "\${KEY}", url: "\${secret:URL}", other: "$\${x}" },
    env: { A: "b" },
  } } },
}`;

async function load(environment: NodeJS.ProcessEnv) {
  using folder = temporaryFolder();
  folder.write({
    "openclaw.json": TEXT,
    "agents.json5": "{\n  defaults: { maxIterations: 3, model: 'demo/echo' },\n}",
  });
  const configuration = await loadConfiguration(join(folder.path, "openclaw.json"), {
    environment,
  });
  const explain = (key: string, reveal = false) =>
    explainKey(configuration, key.split("."), { environment, reveal });
  return { configuration, explain, path: folder.path };
}

describe("explainKey", () => {
  it("[GW-004] [HOST-007] takes environment before file before default, and names each origin", async () => {
    const environment = { KEY: "k", GATEWAY_PORT: "2", AGENT_MAX_TOOL_ITERATIONS: "9" };
    const { explain, path } = await load(environment);
    expect(explain("gateway.port")).toEqual({
      key: "gateway.port",
      path: ["gateway", "port"],
      value: 2,
      origin: { layer: "environment", variable: "GATEWAY_PORT" },
      applies: "listener",
      shadowed: [
        {
          value: 1,
          origin: { layer: "file", file: join(path, "openclaw.json"), line: 2, column: 14 },
        },
        { value: 18_789, origin: { layer: "default" } },
      ],
    });
    expect(explain("agents.defaults.maxIterations")).toMatchObject({
      value: 9,
      origin: { layer: "environment", variable: "AGENT_MAX_TOOL_ITERATIONS" },
      applies: "hot",
      shadowed: [
        { value: 7, origin: { file: join(path, "openclaw.json"), line: 3, column: 51 } },
        { value: 3, origin: { file: join(path, "agents.json5"), line: 2, column: 15 } },
        { value: 50, origin: { layer: "default" } },
      ],
    });
    expect(explain("logging.level")).toMatchObject({ value: "info", origin: { layer: "default" } });
    expect(explain("tools.profile")).toBeUndefined();
  });

  it("[HOST-009] prefers a variable with the prefix of the product", async () => {
    const { explain } = await load({ KEY: "k", GATEWAY_PORT: "2", OPENCLAW_PORT: "3" });
    expect(explain("gateway.port")).toMatchObject({
      value: 3,
      origin: { variable: "OPENCLAW_PORT" },
    });
  });

  it("[GW-003] [HOST-012] hides secrets and values of variables unless they are revealed", async () => {
    const { configuration, explain } = await load({ KEY: "sk-1" });
    const shown = JSON.stringify(
      readableConfiguration(configuration, { environment: { KEY: "sk-1" } }),
    );
    expect(shown).not.toMatch(/sk-1|0123456789abcdef/);
    expect(explain("gateway.auth.token")?.value).toBe("[redacted]");
    expect(explain("plugins.entries.x.env")?.value).toEqual({ A: "[redacted]" });
    expect(explain("plugins.entries.x.config")?.value).toEqual({
      apiKey: "${KEY}",
      url: "${secret:URL}",
      other: "${x}",
    });
    expect(explain("plugins.entries.x.config", true)?.value).toEqual({
      apiKey: "sk-1",
      url: "${secret:URL}",
      other: "${x}",
    });
  });
});
