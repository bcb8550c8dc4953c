// Runs the shell commands of every page of the documentation as a reader would: one page after the other in a separate home,
// with a gateway of the demo model, and with nothing but the programs that every reader has. What a page assumes, such as a
// service or an ID, is made by its scene in rehearsal/scenes.mjs. Commands that need more
// are listed with a reason in rehearsal/commands-not-run.json; the list can only shrink.
// usage: node scripts/rehearse-documentation.mjs [--all] [page ...]   --all also runs what is listed, and says what works
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { argv, exit, stdout } from "node:process";
import { isRunByCi } from "../apps/e2e/src/documentation/ci-steps.ts";
import { quickStartCommands } from "../apps/e2e/src/documentation/quick-start.ts";
import { shellFences } from "../apps/e2e/src/documentation/shell-fences.ts";
import { Reader } from "./rehearsal/reader.mjs";
import { EXIT_CODES, SCENES } from "./rehearsal/scenes.mjs";

const root = resolve(import.meta.dirname, "..");
const args = argv.slice(2);
const runsAll = args.includes("--all");
const wanted = args.filter((each) => !each.startsWith("--"));
const listed = JSON.parse(
  readFileSync(join(import.meta.dirname, "rehearsal/commands-not-run.json"), "utf8"),
);
const quickStart = quickStartCommands(root, "installed");
/** A line without the comment at its end. */
const commandOf = (line) => line.replace(/\s+#\s.*$/, "").trim();

const fences = shellFences(root).map((fence) => ({
  lines: fence.commands.trim().split("\n"),
  place: fence.place,
  page: fence.place.slice(0, fence.place.lastIndexOf(":")),
}));
const isListed = (page, line) =>
  isRunByCi(root, page, commandOf(line), quickStart) ||
  listed.some((each) => each.page === page && each.command === commandOf(line));
const gone = listed.filter(
  ({ page, command }) =>
    !fences.some(
      (each) => each.page === page && each.lines.some((one) => commandOf(one) === command),
    ),
);
for (const { page, command } of gone) {
  stdout.write(`${page}: the list names a command that is gone; remove it: ${command}\n`);
}
const pages = [...Map.groupBy(fences, ({ page }) => page)].filter(
  ([page]) => wanted.length === 0 || wanted.includes(page),
);
const count = { run: 0, listed: 0, failed: 0 };
await Promise.all(Array.from({ length: availableParallelism() }, nextPage));
stdout.write(`commands: ${count.run} run, ${count.listed} listed, ${count.failed} failed\n`);
exit(count.failed + gone.length === 0 ? 0 : 1);

async function nextPage() {
  for (let page = pages.shift(); page !== undefined; page = pages.shift()) await runPage(...page);
}

async function runPage(page, some) {
  await using reader = await Reader.open(root, SCENES[page]);
  for (const { place, lines } of some) {
    const kept = lines.map((line) => (isListed(page, line) ? "" : line));
    const written = (runsAll ? lines : kept).filter((line) => commandOf(line) !== "");
    count.listed += lines.length - kept.filter((line, index) => line === lines[index]).length;
    if (written.length === 0) continue;
    const { failed, output } = await reader.run(runsAll ? lines : kept);
    count.run += written.length;
    for (const [index, line] of lines.entries()) {
      const code = EXIT_CODES[page]?.[commandOf(line)];
      if (code === undefined) continue;
      // A command that succeeds although the page says that it does not has failed.
      if (failed.get(index) === code) failed.delete(index);
      else failed.set(index, failed.get(index));
    }
    for (const index of failed.keys()) {
      const line = lines[index] ?? "";
      if (isListed(page, line)) continue;
      count.failed += 1;
      stdout.write(`${place}: failed: ${JSON.stringify({ page, command: commandOf(line) })}\n`);
    }
    if (failed.size > 0 && !runsAll) stdout.write(`${output}\n\n`);
    if (!runsAll) continue;
    for (const [index, line] of lines.entries()) {
      if (isListed(page, line) && !failed.has(index)) {
        stdout.write(`${place}: works; remove it from the list: ${commandOf(line)}\n`);
      }
    }
  }
}
