import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";

interface Load {
  readonly tools: readonly string[];
  readonly errors: readonly string[];
}

let loads: readonly Load[];

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), "plugin-reload-"));
  try {
    const runner = join(import.meta.dirname, "../support/run-reload.mjs");
    const { stdout } = await promisify(execFile)(process.execPath, [runner, folder]);
    loads = JSON.parse(stdout);
  } finally {
    await rm(folder, { recursive: true });
  }
}, 30_000);

describe("repeated loading", () => {
  it.each([0, 1, 2])(
    "[PLUG-049] evaluates changed files and the helpers they import, load %i",
    (index) => {
      const version = index + 1;
      expect(loads[index]).toEqual({
        tools: ["commonjs", "jiti", "module", "typescript"].map((id) => `${id}-${version}`),
        errors: [],
      });
    },
  );

  it("[PLUG-049] keeps the previous version when a file is now invalid, and names the place", () => {
    expect(loads[3]?.tools.toSorted()).toEqual([
      "commonjs-3",
      "jiti-3",
      "module-3",
      "typescript-3",
    ]);
    expect(loads[3]?.errors).toEqual([expect.stringMatching(/module\/part\.mjs:1: Unexpected/)]);
  });
});
