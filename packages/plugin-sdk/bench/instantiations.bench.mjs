/**
 * Number of types that the compiler instantiates for a plugin of ten lines: what each plugin author's editor pays for the
 * types of the SDK, as they are published. It does not depend on the speed of the machine.
 * usage: node bench/instantiations.bench.mjs [file]   a file measures another plugin
 */
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";

const { resolve } = createRequire(import.meta.url);
const plugin = argv[2] ?? fileURLToPath(new URL("plugins/ten-lines.ts", import.meta.url));
const options = [
  ...["--ignoreConfig", "--noEmit", "--strict", "--skipLibCheck", "--singleThreaded"],
  ...["--target", "esnext", "--module", "nodenext", "--types", "node"],
];
const compiler = join(dirname(resolve("typescript/package.json")), "bin/tsc");
const printed = execFileSync(
  process.execPath,
  [compiler, ...options, "--extendedDiagnostics", plugin],
  { encoding: "utf8" },
);
const counted = /^Instantiations:\s+(\d+)$/m.exec(printed)?.[1];
if (counted === undefined) throw new Error(`the compiler counted no instantiations:\n${printed}`);
const line = {
  package: "plugin-sdk",
  bench: "instantiations",
  metric: "types of a plugin of ten lines",
  value: Number(counted),
  unit: "instantiations",
  n: 1,
  better: "lower",
};
console.log(JSON.stringify(line));
