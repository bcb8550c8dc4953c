import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestHost, type TestHost } from "@openclaw/plugin-testkit";
import {
  buildChannel,
  buildTool,
  type ChannelText,
  type ToolText,
} from "@openclaw/wasm-host/testing";
import { afterAll, onTestFinished } from "vitest";
import { createWasmPlugin, type WasmPluginOptions } from "../../src/index.js";

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

  /** Writes a tool and its capabilities. */
  async add(name: string, text: ToolText = {}, capabilities?: object): Promise<string> {
    return this.#write(name, await buildTool(text), capabilities);
  }

  /** Writes a channel and its capabilities; by default it may have the endpoint of its name. */
  async addChannel(
    name: string,
    text: ChannelText = {},
    channel: object = {},
    others: object = {},
  ): Promise<string> {
    const allowed = (text.endpoints ?? []).map(({ path }) => path);
    const capabilities = { channel: { allowed_paths: allowed, ...channel }, ...others };
    return this.#write(name, await buildChannel(text), capabilities);
  }

  #write(name: string, bytes: Uint8Array, capabilities?: object): string {
    const file = join(this.path, `${name}.wasm`);
    writeFileSync(file, bytes);
    if (capabilities !== undefined) {
      writeFileSync(join(this.path, `${name}.capabilities.json`), JSON.stringify(capabilities));
    }
    return file;
  }

  /** Starts a host with the components of the folder. */
  async host(
    options: HostOptions = {},
    environment: Record<string, string> = {},
    plugin: Omit<WasmPluginOptions, "environment"> = {},
  ): Promise<TestHost> {
    const host = await this.#host("WASM_TOOLS_DIR", options, environment, plugin);
    // On a busy machine a component is transpiled for longer than a turn waits for its tools.
    await method(host, "wasm.list");
    return host;
  }

  /** Starts a host with the channels of the folder. */
  async channelHost(
    options: HostOptions = {},
    environment: Record<string, string> = {},
    plugin: Omit<WasmPluginOptions, "environment"> = {},
  ): Promise<TestHost> {
    return await this.#host("WASM_CHANNELS_DIR", options, environment, plugin);
  }

  async #host(
    variable: string,
    options: HostOptions,
    environment: Record<string, string>,
    pluginOptions: Omit<WasmPluginOptions, "environment">,
  ): Promise<TestHost> {
    const plugin = createWasmPlugin({
      ...pluginOptions,
      environment: { [variable]: this.path, WASM_CACHE_DIR: cache, ...environment },
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
    headers: { "idempotency-key": randomUUID() },
    body: JSON.stringify(params),
  });
  return { status: response.status, body: await response.json() };
}
