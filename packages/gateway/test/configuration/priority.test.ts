import { join } from "node:path";
import {
  ENVIRONMENT_SETTINGS,
  explainKey,
  loadConfiguration,
  schemaAt,
} from "@openclaw/configuration";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";
import { withSettings } from "../../src/settings/layer.js";

type Value = string | number | boolean;

/** Three different values of a key, for file, database and environment, in its type. */
function valuesOf(path: readonly string[]): readonly [Value, Value, Value] {
  const key = path.join(".");
  const { type, minimum } = schemaAt(path) ?? {};
  const least = typeof minimum === "number" ? minimum : 1;
  if (key === "channels.http.webhookSecret" || key === "gateway.auth.token") {
    return ["1".repeat(32), "2".repeat(32), "3".repeat(32)];
  }
  if (type === "boolean") return [true, true, false];
  if (type === "integer" || type === "number") return [least + 1, least + 2, least + 3];
  if (key === "agents.defaults.model") return ["demo/file", "demo/database", "openai"];
  if (key.endsWith(".provider")) return ["openai", "ollama", "local"];
  if (key === "agents.defaults.agentRuntime.id") return ["file", "database", "environment"];
  if (/bind|host$/.test(key)) return ["127.0.0.2", "127.0.0.3", "127.0.0.4"];
  return ["file", "database", "environment"];
}

/** Returns a tree with one value. */
function treeOf(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
}

const CASES = ENVIRONMENT_SETTINGS.flatMap(({ path, variables }) =>
  variables.map((variable) => [path.join("."), variable, path] as const),
);

describe("priority of the configuration", () => {
  it.each(CASES)(
    "[GW-004] [HOST-007] [HOST-009] takes %s from %s, then the database, the file, and its default",
    async (key, variable, path) => {
      using folder = temporaryFolder();
      const [inFile, inDatabase, inEnvironment] = valuesOf(path);
      folder.write({ "openclaw.json": JSON.stringify(treeOf(path, inFile)) });
      const file = join(folder.path, "openclaw.json");
      const setting = { path: [...path], value: inDatabase, source: "config set --db" };
      const explained = async (environment: NodeJS.ProcessEnv, isStored: boolean) => {
        const configuration = await loadConfiguration(file, {
          environment,
          overlay: async (loaded) =>
            isStored ? await withSettings(loaded, [setting], { environment }) : loaded,
        });
        const found = explainKey(configuration, path, { environment, reveal: true });
        const all = found === undefined ? [] : [found, ...found.shadowed];
        expect(all.slice(0, -1).map(({ origin }) => origin.layer)).not.toContain("default");
        return all
          .filter(({ origin }) => origin.layer !== "default")
          .map(({ value, origin }) => [origin.layer, value]);
      };
      const environment = { [variable]: String(inEnvironment) };
      const ofFile = ["file", inFile];
      const ofVariable = ["environment", inEnvironment];
      expect(await explained({}, false)).toEqual([ofFile]);
      expect(await explained(environment, false)).toEqual([ofVariable, ofFile]);
      if (key.startsWith("gateway.") || key.endsWith("Secret")) {
        await expect(explained({}, true)).rejects.toThrow(key);
        return;
      }
      const ofDatabase = ["database", inDatabase];
      expect(await explained({}, true)).toEqual([ofDatabase, ofFile]);
      expect(await explained(environment, true)).toEqual([ofVariable, ofDatabase, ofFile]);
    },
  );
});
