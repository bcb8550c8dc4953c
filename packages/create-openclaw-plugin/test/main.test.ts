import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { runCommandLine } from "../src/main.js";
import { temporaryFolder } from "./temporary-folder.js";

const ENTER = "\r";
const DOWN = "\u001b[B";
const BACKSPACE = "\u007f";
const GIVE_UP = "\u0003";

/** Keys to press for each prompt. */
type Answers = readonly (readonly [question: string, ...keys: string[]])[];

/** Runs the command in an empty folder; with answers at a terminal, else without one. */
async function run(args: readonly string[], answers?: Answers) {
  const folder = temporaryFolder();
  const terminal = { isTTY: answers !== undefined, setRawMode: () => undefined };
  const input = Object.assign(new PassThrough(), terminal);
  const [output, errors] = [new PassThrough(), new PassThrough()];
  const [shown, complaint] = [output, errors].map(collect);
  const left = [...(answers ?? [])];
  output.on("data", () => {
    const [next] = left;
    if (next === undefined || shown?.().includes(next[0]) !== true) return;
    const [, ...keys] = next;
    left.shift();
    // A prompt accepts input as soon as it is displayed.
    setImmediate(() => {
      for (const key of keys) input.write(key);
    });
  });
  const exitCode = await runCommandLine(args, { folder, input, output, errors });
  return { folder, exitCode, output: shown?.() ?? "", errors: complaint?.() ?? "" };
}

function collect(stream: PassThrough): () => string {
  let text = "";
  stream.setEncoding("utf8").on("data", (part: string) => {
    text += part;
  });
  return () => text;
}

const manifest = (folder: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(folder, "openclaw.plugin.json"), "utf8")) as Record<string, unknown>;

describe("npm create openclaw-plugin", () => {
  it("[SDK-033] takes every choice from its arguments without prompting", async () => {
    const args = ["guard", "--template", "hook", "--language", "javascript", "--id", "my-guard"];
    const { folder, exitCode, output, errors } = await run([...args, "--yes"]);
    expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: "" });
    expect(output).toContain("guard/src/index.js\n");
    expect(output).toMatch(/Next:\n {2}cd guard\n {2}npm install\n {2}npm test\n/);
    expect(manifest(join(folder, "guard"))).toMatchObject({ id: "my-guard" });
  });

  it.each([
    ["my plugins/words", "'my plugins/words'"],
    ["l'été", "'l'\\''été'"],
    ["wörter", "wörter"],
  ])("[SDK-033] prints a command for the folder %s that a shell can run", async (folder, word) => {
    const { output } = await run([folder, "--id", "words", "--yes"]);
    expect(output).toContain(`Next:\n  cd ${word}\n`);
  });

  it("[SDK-033] uses defaults for everything with --yes", async () => {
    const named = await run(["Word Count", "-y"]);
    expect(named.exitCode).toBe(0);
    expect(manifest(join(named.folder, "Word Count"))).toMatchObject({ id: "word-count" });
    const scoped = await run(["--id", "@acme/news", "-y"]);
    expect(manifest(join(scoped.folder, "news"))).toMatchObject({ id: "@acme/news" });
    const bare = await run(["-y"]);
    expect(readdirSync(bare.folder)).toEqual(["my-plugin"]);
    expect(existsSync(join(bare.folder, "my-plugin/src/index.ts"))).toBe(true);
  });

  it("[SDK-033] prompts for id, kind and language at a terminal", async () => {
    const { folder, exitCode, output } = await run(
      [],
      [
        ["Plugin ID?", ..."No Id", ENTER],
        ["Use lower-case letters", ...Array<string>(5).fill(BACKSPACE), ..."doorman", ENTER],
        ["Plugin kind?", DOWN, ENTER],
        ["Language?", DOWN, ENTER],
      ],
    );
    expect(exitCode).toBe(0);
    for (const offer of ["tool", "hook", "provider", "channel", "service"]) {
      expect(output).toContain(offer);
    }
    expect(manifest(join(folder, "doorman"))).toMatchObject({
      id: "doorman",
      entry: "src/index.js",
      contracts: { hooks: ["after_tool_call", "before_tool_call"] },
    });
  });

  it("[SDK-033] prompts only for missing arguments, and suggests an id", async () => {
    const { folder, output } = await run(
      ["Front Door", "--template", "service"],
      [
        ["Plugin ID?", ENTER],
        ["Language?", ENTER],
      ],
    );
    expect(output).not.toContain("Plugin kind?");
    expect(manifest(join(folder, "Front Door"))).toMatchObject({
      id: "front-door",
      entry: "src/index.ts",
      contracts: { services: ["front-door"] },
    });
  });

  it("writes nothing when the user cancels", async () => {
    const { folder, exitCode, output } = await run([], [["Plugin ID?", GIVE_UP]]);
    expect(exitCode).toBe(130);
    expect(output).toContain("Nothing was written.");
    expect(readdirSync(folder)).toEqual([]);
  });

  it("fails without a terminal instead of waiting for input", async () => {
    const { folder, exitCode, errors } = await run(["guard"]);
    expect(exitCode).toBe(2);
    expect(errors).toMatch(/^create-openclaw-plugin: .*--template and --id, or --yes/);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    [["--template", "robot"], /--template takes tool, hook, .*; got "robot"/],
    [["--language", "cobol"], /--language takes typescript, javascript; got "cobol"/],
    [["--template", "constructor"], /got "constructor"/],
    [["--colour"], /--colour/],
    [["a", "b"], /expected one folder, got a and b/],
  ])("reports the problem with %j", async (args, message) => {
    const { exitCode, errors } = await run([...args, "--yes"]);
    expect(exitCode).toBe(2);
    expect(errors).toMatch(message);
  });

  it("reports an invalid id and existing files", async () => {
    const refused = await run(["--id", "No Id", "--yes"]);
    expect(refused).toMatchObject({ exitCode: 2, output: "" });
    expect(refused.errors).toContain('cannot have the id "No Id"');
    const first = await run(["one", "--yes"]);
    const again = await run([join(first.folder, "one"), "--yes"]);
    expect(again.exitCode).toBe(3);
    expect(again.errors).toMatch(/already has .*package\.json.*nothing was written/);
  });

  it("prints its help", async () => {
    const { exitCode, output } = await run(["--help"]);
    expect(exitCode).toBe(0);
    expect(output).toMatch(/^usage: npm create openclaw-plugin \[folder\]/);
  });
});
