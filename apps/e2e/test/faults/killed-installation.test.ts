import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { openclawProcess } from "../../src/openclaw-process.js";
import { emptyPlace } from "../../src/place.js";

const repository = (path: string) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
const example = (name: string) => repository(`packages/wasm-host/examples/${name}`);

/** Kills the process before or after a renaming, the n-th one to a path that contains a text. */
const KILL = `const fs = require("node:fs");
const { rename } = fs.promises;
// Of the process itself: the host gives plugins one that does not end it.
const kill = process.kill.bind(process);
const [target, count, moment] = process.env.KILL_AT.split(" ");
let rest = Number(count);
fs.promises.rename = async (from, to) => {
  const isLast = String(to).includes(target) && (rest -= 1) === 0;
  if (isLast && moment === "before") kill(process.pid, "SIGKILL");
  await rename(from, to);
  if (isLast) kill(process.pid, "SIGKILL");
};
require("node:module").syncBuiltinESMExports();
`;

/** Moments of an installation in their order, and what the next process finds. */
const MOMENTS = [
  // The component is transpiled, and then it describes itself.
  ["wasm-cache 1 before", "old"],
  ["wasm-cache 1 after", "old"],
  [".installed.json 1 before", "old"],
  ["weather.wasm 1 before", "interrupted"],
  ["weather.capabilities.json 1 before", "interrupted"],
  [".installed.json 2 before", "interrupted"],
] as const;

it("[WASM-505] [WASM-006] kill -9 of `openclaw tool install` at any step leaves the old version or none, and another installation repairs it", async () => {
  using place = emptyPlace();
  const preload = join(place.workspace, "kill.cjs");
  writeFileSync(preload, KILL);
  const install = (name: string) => [
    "tool",
    "install",
    example(name),
    "--name",
    "weather",
    "--yes",
  ];
  const run = async (...args: readonly string[]) => {
    const { exitCode, stdout, stderr } = await openclaw(args, place);
    expect(exitCode, `${args.join(" ")}: ${stderr}`).toBe(0);
    return stdout;
  };
  const listed = async () => JSON.parse(await run("wasm", "list", "--json"));
  await run("plugins", "install", repository("extensions/wasm"), "--yes");
  await run(...install("unit-converter"));
  const old = {
    name: "weather",
    description: expect.stringContaining("Converts"),
    permissions: [],
  };
  for (const [moment, expected] of MOMENTS) {
    const killed = await openclawProcess(install("open-issues"), {
      ...place,
      environment: { KILL_AT: moment, NODE_OPTIONS: `--require=${preload}` },
    });
    expect(killed.exitCode, `${moment}: ${killed.stdout}${killed.stderr}`).toBe(null);
    const found = await listed();
    if (expected === "old") {
      expect(found, moment).toMatchObject({ components: [old], problems: [] });
      continue;
    }
    const message = expect.stringContaining("was interrupted");
    expect(found, moment).toMatchObject({
      components: [],
      problems: [{ name: "weather", message }],
    });
    await run(...install("unit-converter"));
    expect(await listed(), moment).toMatchObject({ components: [old], problems: [] });
  }
  // What the killed processes left in the cache is not taken for the whole component.
  await run(...install("open-issues"));
  expect(await listed()).toMatchObject({
    components: [
      {
        description: expect.stringContaining("open issues"),
        permissions: ["requests: GET https://api.github.com/repos/", expect.any(String)],
      },
    ],
    problems: [],
  });
});
