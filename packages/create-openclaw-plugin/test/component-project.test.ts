import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { runCommandLine } from "../src/main.js";
import { temporaryFolder } from "./temporary-folder.js";

async function run(...args: string[]) {
  const folder = temporaryFolder();
  const [output, errors] = [new PassThrough(), new PassThrough()];
  const code = await runCommandLine(args, { folder, input: new PassThrough(), output, errors });
  return { folder, code, text: String(output.read() ?? errors.read()) };
}

const wit = readFileSync(join(import.meta.dirname, "../../wasm-host/wit/tool-0.4.wit"), "utf8");

describe("created component", () => {
  it("[WASM-514] in TypeScript passes its test, and has the WIT file of the host", async () => {
    const { folder, code, text } = await run("word-count", "--wasm");
    expect([code, text]).toEqual([0, expect.stringContaining("npm run build")]);
    const project = join(folder, "word-count");
    const read = (file: string) => readFileSync(join(project, file), "utf8");
    expect(read("wit/tool.wit")).toBe(wit);
    expect(JSON.parse(read("word-count.capabilities.json"))).toEqual({});
    expect(read("build.mjs")).toContain('writeFile("word-count.wasm"');
    expect(
      execFileSync(process.execPath, ["--test"], { cwd: project, env: {} }).toString(),
    ).toMatch(/pass 3/);
  });

  it("[WASM-514] in Rust has its commands", async () => {
    const { folder, code, text } = await run("--wasm", "--language", "rust", "--id", "count");
    expect([code, text]).toEqual([0, expect.stringContaining("--target wasm32-wasip2")]);
    expect(readFileSync(join(folder, "count/wit/tool.wit"), "utf8")).toBe(wit);
    expect(readFileSync(join(folder, "count/Cargo.toml"), "utf8")).toContain('name = "count"');
  });

  it.each([
    [["--wasm", "--language", "python"], "--language takes typescript, rust"],
    [["--wasm", "--template", "hook"], "--template is not for --wasm"],
    [["--language", "rust", "--yes"], "--language takes typescript, javascript"],
    [["--wasm", "--id", "a.b"], "cannot have the id"],
  ])("[WASM-514] refuses %j", async (args, problem) => {
    const { code, text } = await run(...args);
    expect(code).not.toBe(0);
    expect(text).toContain(problem);
  });
});
