import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execPath } from "node:process";
import { fileURLToPath } from "node:url";
import { createTestHost, type TestHost } from "@openclaw/plugin-testkit";
import { onTestFinished, vi } from "vitest";
import { createMcpPlugin } from "../../src/index.js";

const SERVER = fileURLToPath(new URL("./stdio-server.mjs", import.meta.url));

/** Fake server for a test, with the notes that it writes. */
export class FakeServer {
  readonly #folder = mkdtempSync(join(tmpdir(), "mcp-"));

  constructor(readonly faults: string = "") {
    onTestFinished(() => rmSync(this.#folder, { recursive: true, force: true }));
  }

  /** Entry of the configuration. */
  get entry() {
    const env = {
      ...{ FAULTS: this.faults, NOTES: join(this.#folder, "notes"), TOOLS: this.#toolsFile },
    };
    return { command: execPath, args: [SERVER], env };
  }

  get #toolsFile() {
    return join(this.#folder, "tools.json");
  }

  /** Replaces the tools that the server lists. */
  setTools(tools: readonly object[]): void {
    writeFileSync(this.#toolsFile, JSON.stringify(tools));
  }

  get notes(): readonly string[] {
    try {
      return readFileSync(join(this.#folder, "notes"), "utf8").split("\n").filter(Boolean);
    } catch {
      return [];
    }
  }

  /** Process IDs of the starts of the server, and of its children. */
  pids(kind = "start"): readonly number[] {
    const lines = this.notes.filter((line) => line.startsWith(`${kind} `));
    return lines.map((line) => Number(line.split(" ")[1]));
  }
}

/** Restarts in tests come at once. */
export const NO_DELAY = [0];
/** Restarts do not come during a test. */
export const NEVER = [3_600_000];

type HostOptions = Omit<Parameters<typeof createTestHost>[0], "plugin">;

/** Starts a host with MCP servers. */
export async function mcpHost(
  mcpServers: Record<string, object>,
  {
    restartDelaysMs = NEVER,
    config,
    ...rest
  }: HostOptions & { readonly restartDelaysMs?: readonly number[] } = {},
): Promise<TestHost> {
  const plugin = createMcpPlugin({ restartDelaysMs });
  const host = await createTestHost({ ...rest, plugin, config: { ...config, mcpServers } });
  onTestFinished(() => host.dispose());
  return host;
}

/** Waits until a condition holds. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  await vi.waitFor(async () => {
    if (!(await condition())) throw new Error("the condition does not hold");
  }, 20_000);
}

/** Returns true while a process runs. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A process that has ended and was not collected is a zombie.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
