// Checks on this machine what OpenClaw expects of a platform, and prints a report to paste into an issue. It changes
// nothing outside a temporary folder. Build first: `npx -y pnpm@12.21.0 build`.
// usage: pnpm check-platform [--only PROBE]...
import { mkdtempSync, rmSync } from "node:fs";
import { arch, cpus, release, tmpdir, totalmem, type } from "node:os";
import { join, resolve } from "node:path";
import { argv, exit, stdout, version } from "node:process";
import { parseArgs } from "node:util";
import { PROBES } from "./platform/probes.mjs";

const root = resolve(import.meta.dirname, "..");
const { values } = parseArgs({
  args: argv.slice(2),
  options: { only: { type: "string", multiple: true, default: [] } },
});
const unknown = values.only.filter((name) => !Object.hasOwn(PROBES, name));
if (unknown.length > 0) {
  stdout.write(
    `no probe is named ${unknown.join(", ")}; there are ${Object.keys(PROBES).join(", ")}\n`,
  );
  exit(2);
}
const folder = mkdtempSync(join(tmpdir(), "openclaw-platform-"));
const rows = [];
let failed = 0;
try {
  for (const [name, probe] of Object.entries(PROBES)) {
    if (values.only.length > 0 && !values.only.includes(name)) continue;
    try {
      rows.push(`| ${name} | ok | ${cell(await probe({ root, folder }))} |`);
    } catch (error) {
      failed += 1;
      rows.push(`| ${name} | **failed** | ${cell(error.message)} |`);
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
stdout.write(`### OpenClaw on ${type()} ${release()}, ${arch()}

Node ${version}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB

| probe | | observation |
|---|---|---|
${rows.join("\n")}

${rows.length} probes, ${failed} failed
`);
exit(failed === 0 ? 0 : 1);

/** Text of a cell: one line, without the temporary folder of this machine. */
function cell(text) {
  return String(text).replaceAll(folder, "…").replaceAll(/\s+/g, " ").replaceAll("|", "\\|");
}
