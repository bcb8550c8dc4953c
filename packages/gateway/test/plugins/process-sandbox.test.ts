import { execPath } from "node:process";
import { describe, expect, it } from "vitest";
import { enclosed, ProcessSandboxError } from "../../src/plugins/ports/process-sandbox.js";

const { signal } = new AbortController();

describe("a program that must run in a sandbox", () => {
  it("[EXT-914] is not started where no sandbox works", async () => {
    const host = { stateDir: "/nonexistent", path: "/usr/bin", candidates: ["/nonexistent/bwrap"] };
    const start = enclosed({ command: [execPath], cwd: "/", signal }, { folders: ["/tmp"] }, host);
    await expect(start).rejects.toThrow(ProcessSandboxError);
    await expect(start).rejects.toThrow(/must run in a sandbox: (?:bubblewrap is not|it needs)/);
  });

  it("[EXT-914] is not started when one of its folders does not exist, which the error names", async () => {
    const host = { stateDir: "/nonexistent", path: "/usr/bin" };
    const folders = ["/tmp", "/nonexistent/data"];
    await expect(
      enclosed({ command: [execPath], cwd: "/", signal }, { folders }, host),
    ).rejects.toThrow(
      /its folder \/nonexistent\/data does not exist; create it, or correct sandbox\.folders/,
    );
  });
});
