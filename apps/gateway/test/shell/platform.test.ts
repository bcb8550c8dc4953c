import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { openStateFolder } from "@openclaw/gateway";
import { describe, expect, it, vi } from "vitest";
import { EXIT_OF_SIGNAL } from "../../src/host/stop-signal.js";
import { serviceManager } from "../../src/service/platform-manager.js";
import { notePlatform, platformNotice } from "../../src/shell/platform.js";

function notesOn(platform: string): string[] {
  const notes: string[] = [];
  notePlatform({ note: (line) => notes.push(line) }, platform);
  return notes;
}

describe("notePlatform", () => {
  it("[HOST-040] prints once that a platform is not supported, with the alternative", () => {
    expect(notesOn("linux")).toEqual([]);
    expect(notesOn("darwin")).toEqual([]);
    expect(notesOn("win32")).toEqual([expect.stringMatching(/win32 is not a supported.*WSL/)]);
  });

  it("[HOST-040] [HOST-740] documents the differences between platforms as the code has them", async () => {
    const rows = platformTable();
    const cells = (label: string) => {
      const row = rows.get(label);
      if (row === undefined) throw new Error(`docs/operate/platforms.md has no row "${label}"`);
      return row;
    };
    const platforms = ["linux", "darwin", "win32"] as const;
    for (const [index, platform] of platforms.entries()) {
      const notice = platformNotice(platform);
      const [, alternative = ""] = /run OpenClaw in (\w+)/.exec(notice ?? "") ?? [];
      expect(cells("supported")[index]).toMatch(
        notice === undefined ? /^yes\b/ : new RegExp(`through ${alternative}`),
      );
      const manager = await serviceManager({ HOME: "/home/me" }, platform).catch(() => undefined);
      expect(cells("service")[index]).toContain(manager?.name ?? "as on Linux");
      const needed = await sandboxPrograms(platform);
      if (needed === undefined) expect(cells("sandbox")[index]).toContain("as on Linux");
      else expect(programsIn(cells("sandbox")[index])).toEqual(needed);
      const signals = cells("stopping")[index] ?? "";
      if (notice === undefined) expect(signals.split(", ")).toEqual(Object.keys(EXIT_OF_SIGNAL));
      else expect(signals).toBe("as on Linux");
    }
    using folder = temporaryFolder();
    const { dir } = openStateFolder(join(folder.path, "state"));
    const mode = (statSync(dir).mode & 0o777).toString(8).padStart(4, "0");
    expect(cells("state folder").slice(0, 2)).toEqual([`mode ${mode}`, `mode ${mode}`]);
    const keychain = readFileSync(root("packages/gateway/src/secrets/keychain.ts"), "utf8");
    const [, store = ""] = /linux: \{ store: "([\w-]+)" \}/.exec(keychain) ?? [];
    expect(cells("keychain")[0]?.toLowerCase()).toBe(store.replace("-", " "));
  });

  it("[HOST-740] documents the versions of Node.js of the package", () => {
    const { engines } = JSON.parse(readFileSync(root("apps/gateway/package.json"), "utf8"));
    expect(readFileSync(root("docs/operate/platforms.md"), "utf8")).toContain(
      `OpenClaw needs Node.js \`${engines.node}\`.`,
    );
  });
});

function root(path: string): string {
  return fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
}

/** Returns the cells of the table by the first words of their row, without links. */
function platformTable(): ReadonlyMap<string, readonly string[]> {
  const page = readFileSync(root("docs/operate/platforms.md"), "utf8");
  const rows = page.split("\n").flatMap((line) => {
    const [label = "", ...cells] = line.split("|").slice(1, -1);
    const name = /\[(\w+)\]/.exec(label)?.[1] ?? label;
    return label === "" ? [] : [[name.trim(), cells.map((cell) => cell.trim())] as const];
  });
  return new Map(rows);
}

/** Returns the programs that the runtime of the sandbox lacks on an empty PATH; undefined where it does not run. */
async function sandboxPrograms(platform: NodeJS.Platform): Promise<readonly string[] | undefined> {
  const { SandboxManager } = await import("@anthropic-ai/sandbox-runtime");
  const system = vi.spyOn(process, "platform", "get").mockReturnValue(platform);
  vi.stubEnv("PATH", "/nowhere");
  try {
    if (platform === "win32") return undefined;
    const { errors } = SandboxManager.checkDependencies();
    return programsIn(errors.join(" "));
  } finally {
    vi.unstubAllEnvs();
    system.mockRestore();
  }
}

function programsIn(text = ""): readonly string[] {
  return ["bubblewrap", "ripgrep", "socat"].filter((program) => text.includes(program));
}
