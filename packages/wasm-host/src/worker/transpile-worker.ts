import { parentPort } from "node:worker_threads";
import { $init, generate } from "@bytecodealliance/jco-transpile/component";

/** Files that a transpilation makes, or the reason why it failed. */
export type TranspileResult =
  | { readonly files: readonly (readonly [string, Uint8Array])[] }
  | { readonly problem: string };

async function transpile(bytes: Uint8Array): Promise<TranspileResult> {
  await $init;
  try {
    const { files } = generate(bytes, {
      name: "component",
      map: [],
      instantiation: { tag: "sync" },
      noTypescript: true,
      noNodejsCompat: true,
      noComponentErrorWrapping: true,
      base64Cutoff: 0,
    });
    return { files };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on("message", async (bytes: Uint8Array) => {
  parentPort?.postMessage(await transpile(bytes));
});
