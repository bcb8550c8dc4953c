import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestHost, type TestHost } from "@openclaw/plugin-testkit";
import { buildTool, type ToolText } from "@openclaw/wasm-host/testing";
import { afterAll, onTestFinished } from "vitest";
import { createWasmPlugin } from "../../src/index.js";

type HostOptions = Omit<Parameters<typeof createTestHost>[0], "plugin">;

/** Transpiled components of all tests of a file: transpiling takes most of their time. */
const cache = mkdtempSync(join(tmpdir(), "wasm-cache-"));
afterAll(() => rmSync(cache, { recursive: true, force: true }));

/** Folder of components of one test. */
export class ComponentFolder {
  readonly path = mkdtempSync(join(tmpdir(), "wasm-tools-"));

  constructor() {
    onTestFinished(() => rmSync(this.path, { recursive: true, force: true }));
  }

  /** Writes a component and its capabilities. */
  async add(name: string, text: ToolText = {}, capabilities?: object): Promise<string> {
    const file = join(this.path, `${name}.wasm`);
    writeFileSync(file, await buildTool(text));
    if (capabilities !== undefined) {
      writeFileSync(join(this.path, `${name}.capabilities.json`), JSON.stringify(capabilities));
    }
    return file;
  }

  /** Starts a host with the components of the folder. */
  async host(
    options: HostOptions = {},
    environment: Record<string, string> = {},
  ): Promise<TestHost> {
    const plugin = createWasmPlugin({
      environment: { WASM_TOOLS_DIR: this.path, WASM_CACHE_DIR: cache, ...environment },
    });
    const host = await createTestHost({ answer: "allow-once", ...options, plugin });
    onTestFinished(() => host.dispose());
    return host;
  }
}

/** Calls a method of the plugin as the operator. */
export async function method(
  host: TestHost,
  name: string,
  params: object = {},
  // biome-ignore lint/suspicious/noExplicitAny: the tests compare each part of what came back.
): Promise<{ readonly status: number; readonly body: any }> {
  const response = await host.request(`/api/v1/${name}`, {
    method: "POST",
    body: JSON.stringify(params),
  });
  return { status: response.status, body: await response.json() };
}
