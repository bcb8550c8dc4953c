import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";
import { loadConfiguration } from "../src/configuration.js";
import { ConfigurationError } from "../src/errors.js";

describe("loadConfiguration", () => {
  it("uses defaults when the file is missing", async () => {
    using folder = temporaryFolder();
    folder.write({ file: "" });
    for (const missing of ["openclaw.json", "missing/openclaw.json", "file/openclaw.json"]) {
      const configuration = await loadConfiguration(join(folder.path, missing));
      expect(configuration).toMatchObject({ value: {}, file: undefined, warnings: [] });
      expect(configuration.locate(["gateway"])).toBeUndefined();
    }
  });

  it("returns the value, and the location of each value in the file", async () => {
    using folder = temporaryFolder();
    folder.write({ "openclaw.json": "{\n  gateway: { port: 1 },\n  plugins: { enabeld: 1 },\n}" });
    const file = join(folder.path, "openclaw.json");
    const configuration = await loadConfiguration(file);
    expect(configuration.value.gateway).toEqual({ port: 1 });
    expect(configuration.file).toBe(file);
    expect(configuration.locate(["gateway", "port"])).toMatchObject({ file, line: 2, column: 14 });
    expect(configuration.locate(["gateway", "auth"])).toBeUndefined();
    expect(configuration.warnings).toMatchObject([{ key: "plugins.enabeld", line: 3 }]);
  });

  it("reports every problem of an invalid file", async () => {
    using folder = temporaryFolder();
    folder.write({ "openclaw.json": '{ gatway: {},\n  gateway: { port: "x" } }' });
    const loading = loadConfiguration(join(folder.path, "openclaw.json"));
    const error = await loading.catch((thrown: unknown) => thrown);
    expect(ConfigurationError.isInstance(error) && error.problems).toMatchObject([
      { key: "gatway", line: 1, column: 3 },
      { key: "gateway.port", line: 2, column: 14 },
    ]);
    expect(String(error)).toContain("the configuration has 2 errors");
    expect(String(error)).toContain("openclaw config validate");
  });

  it("reports a file that cannot be read", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "openclaw.json");
    mkdirSync(file);
    await expect(loadConfiguration(file)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      problems: [{ file, message: expect.stringContaining("cannot read the file") }],
    });
  });
});
