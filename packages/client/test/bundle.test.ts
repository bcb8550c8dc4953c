import { join } from "node:path";
import { createContext, Script } from "node:vm";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";

const folder = join(import.meta.dirname, "..");

async function bundle(entryPoint: string): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: [entryPoint],
    bundle: true,
    platform: "browser",
    format: "iife",
    globalName: "client",
    conditions: ["openclaw-source"],
    minify: true,
    write: false,
    logLevel: "silent",
  });
  return outputFiles[0]?.text ?? "";
}

describe("bundle for browsers", () => {
  it("[SDK-039] has no module of Node.js, and runs with the globals of a browser only", async () => {
    // A module of Node.js makes the build fail.
    const text = await bundle("src/index.ts");
    const sockets: string[] = [];
    class WebSocket extends EventTarget {
      constructor(url: string) {
        super();
        sockets.push(url);
      }
      close() {}
    }
    const page = createContext(
      {
        ...{ WebSocket, EventTarget, AbortController, TransformStream, TextEncoder, crypto },
        ...{ setTimeout, clearTimeout, queueMicrotask },
      },
      // As under a content security policy without `unsafe-eval`.
      { codeGeneration: { strings: false, wasm: false } },
    );
    new Script(`${text}; globalThis.client = client;`).runInContext(page);
    const state: unknown = new Script(`
      const options = { id: "page", version: "1", mode: "ui" };
      const connection = client.connectGateway({ url: "https://gateway.test", token: "t", client: options });
      const { status } = connection.state;
      connection.close();
      status + " " + connection.state.status;
    `).runInContext(page);
    expect(state).toBe("connecting closed");
    expect(sockets).toEqual(["wss://gateway.test/ws"]);
  });

  it("[SDK-039] has no module of Node.js in the model of a conversation", async () => {
    const text = await bundle("src/conversation.ts");
    expect(text).toContain("UsageTotals");
  });
});
