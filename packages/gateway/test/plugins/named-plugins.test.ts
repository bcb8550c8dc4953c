import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { writePlugin } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";
import { assertNamedPlugins } from "../../src/plugins/named-plugins.js";
import { createPluginHost } from "../support/plugin-host.js";

/** Loads plugins of given paths, and returns the message of the check. */
async function problemsOf(
  write: (folder: string) => readonly string[],
  configuration?: string,
): Promise<string | undefined> {
  let paths: readonly string[] = [];
  const { plugins } = await createPluginHost({
    ...(configuration === undefined ? {} : { configuration }),
    named: ({ path }) => {
      paths = write(path);
      return paths;
    },
  });
  try {
    assertNamedPlugins(paths, plugins.current);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

describe("plugins that the operator names for a process", () => {
  it("[PLUG-086] are accepted when all of them run, as a folder, a file, or a folder of plugins", async () => {
    const problem = await problemsOf((folder) => {
      const one = writePlugin(join(folder, "one"), { manifest: { id: "one" } });
      const two = writePlugin(join(folder, "two"), { manifest: { id: "two" } });
      writePlugin(join(folder, "more/three"), { manifest: { id: "three" } });
      return [one, join(two, "index.mjs"), join(folder, "more")];
    });
    expect(problem).toBeUndefined();
  });

  it("[PLUG-086] are all named when several do not run, each with its reason and the next step", async () => {
    const problem = await problemsOf((folder) => {
      mkdirSync(join(folder, "empty"));
      return [
        writePlugin(join(folder, "failing"), {
          manifest: { id: "failing" },
          register: 'throw new Error("no luck");',
        }),
        writePlugin(join(folder, "off"), { manifest: { id: "off" } }),
        writePlugin(join(folder, "fine"), { manifest: { id: "fine" } }),
        join(folder, "empty"),
        join(folder, "missing"),
      ];
    }, "{ plugins: { entries: { off: { enabled: false } } } }");
    const lines = problem?.split("\n") ?? [];
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(/^--plugin .*failing: .*no luck; correct its register/);
    expect(lines[1]).toMatch(
      /^--plugin .*off: plugin "off" is off \(entry-disabled\); plugins\.entries\.off\.enabled: true$/,
    );
    expect(lines[2]).toMatch(
      /^--plugin .*empty: .*has no plugin manifest.*; write .*openclaw\.plugin\.json/,
    );
    expect(lines[3]).toMatch(/^--plugin .*missing: .*does not exist.*; correct or remove the path/);
  });
});
