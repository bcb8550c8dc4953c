import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { expect, it } from "vitest";

const PROGRAM = join(import.meta.dirname, "../children/two-gateways.mjs");

/** A plugin whose failures are triggered from outside, through a timer that it made. */
function plugin(id: string): Record<string, string> {
  return {
    "openclaw.plugin.json": JSON.stringify({ id, version: "1.0.0", entry: "index.mjs" }),
    "index.mjs": `
      export function register(api) {
        setTimeout(() => { void Promise.reject("bare"); }, 0);
        globalThis.failures.set(api.id, {
          throwLater: (message) => setTimeout(() => { throw new Error(message); }, 0),
          exit: () => process.exit(7),
        });
      }`,
  };
}

function under(folder: string, files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).map(([name, content]) => [`${folder}/${name}`, content]),
  );
}

it("[PLUG-071] gives two gateways of one process the faults of their own plugins, until each stops", async () => {
  using folder = temporaryFolder("two-gateways");
  folder.write({
    ...under("first/plugin", plugin("of-first")),
    ...under("second/plugin", plugin("of-second")),
    ...under("shared", plugin("shared")),
  });
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, folder.path]);
  expect(JSON.parse(stdout)).toEqual({
    refused: ["of-first", "of-second", "of-second"].map((id) => [id, "PLUGIN_EXIT_REFUSED"]),
    exitIsRestored: true,
  });
  const faultsIn = (name: string) =>
    readFileSync(join(folder.path, name, "logs/gateway.log"), "utf8")
      .split("\n")
      .flatMap(
        (line) => /plugin \\"([\w-]+)\\" caused an unhandled (.*)"/.exec(line)?.slice(1) ?? [],
      )
      .filter((_, index) => index % 2 === 0);
  expect(faultsIn("first").toSorted()).toEqual(["of-first", "of-first", "shared"]);
  expect(faultsIn("second").toSorted()).toEqual(["of-second", "of-second", "of-second", "shared"]);
});
