import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ComponentCache } from "../../src/component/cache.js";
import { WasmComponentError, WasmFormatError } from "../../src/errors.js";
import {
  buildTool,
  coreModule,
  hostImportsOf,
  witOf,
} from "../../src/testing/component-builder.js";
import { TestComponents } from "../support/components.js";

let components: TestComponents;
beforeAll(async () => {
  components = await TestComponents.open();
});
afterAll(() => components.close());

describe("components", () => {
  it.each([
    ["tool.wit", undefined, { output: "{}", error: undefined }],
    ["tool-0.3.wit", "0.3.0", { output: "{}", error: undefined }],
    ["tool-0.4.wit", "0.4.1", { tag: "success", val: "{}" }],
  ] as const)(
    "[WASM-001] [WASM-002] runs a tool of the world of %s",
    async (wit, version, value) => {
      const tool = await components.tool({ wit, description: " Counts words. " });
      expect(tool.world).toMatchObject({ kind: "tool", version });
      expect(tool.tool).toMatchObject({ description: "Counts words.", schema: { type: "object" } });
      expect((await components.execute(tool)).value).toEqual(value);
      const failing = await components.tool({
        wit,
        execute: "(call $fail (local.get $params) (local.get $length))",
      });
      const failure = (await components.execute(failing, "no")).value;
      expect(failure).toEqual(
        wit === "tool-0.4.wit"
          ? { tag: "failure", val: { kind: "network-denied", code: undefined, message: "no" } }
          : { output: undefined, error: "no" },
      );
    },
  );

  it("[WASM-003] rejects another version with the versions that are supported", async () => {
    const source = witOf("tool-0.3.wit").replace("near:agent@0.3.0", "near:agent@0.9.2");
    const bytes = await buildTool({ wit: { source } });
    await expect(components.prepare(bytes, "weather")).rejects.toThrow(
      'component "weather" is built for near:agent/tool@0.9.2, but this host supports unversioned, 0.3.x and 0.4.x',
    );
  });

  it("[WASM-003] rejects imports that the host does not offer", async () => {
    const source = witOf("tool.wit").replace(
      "import host;",
      "import host; import extra: interface { read: func(); }",
    );
    const imports = '(import "extra" "read" (func))';
    const bytes = await buildTool({ wit: { source }, imports });
    await expect(components.prepare(bytes)).rejects.toThrow(
      /imports extra, which this host does not offer/,
    );
  });

  it("[WASM-005] rejects a core module, and says how a component is built", async () => {
    const bytes = await coreModule("(module)");
    const refused = components.prepare(bytes);
    await expect(refused).rejects.toBeInstanceOf(WasmComponentError);
    await expect(refused).rejects.toThrow(
      /core module and not a component; build it as a component/,
    );
  });

  it("[WASM-502] rejects each cut component", async () => {
    const bytes = await buildTool();
    for (const length of [0, 4, 8, 9, 100, bytes.length >> 1, bytes.length - 1]) {
      await expect(components.prepare(bytes.slice(0, length)), `${length}`).rejects.toSatisfy(
        (error) => error instanceof WasmFormatError || error instanceof WasmComponentError,
      );
    }
  });

  it.each([
    ["no JSON", "{", /is not JSON/],
    ["a list", "[]", /is not an object/],
    ["the schema of a text", '{"type":"string"}', /has the type "string" instead of "object"/],
    [
      "a wrong schema",
      '{"type":"object","properties":{"a":{"type":"strng"}}}',
      /at \/properties\/a\/type/,
    ],
  ])("[WASM-007] rejects a schema that is %s", async (_, schema, message) => {
    await expect(components.tool({ schema })).rejects.toThrow(message);
    expect((await readdir(components.folder)).filter((name) => name.includes("tmp"))).toEqual([]);
  });

  it("[WASM-007] keeps the references of joined schemas", async () => {
    const branch = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: { size: { $ref: "#/$defs/size" } },
      $defs: { size: { type: "integer" } },
    };
    const { tool } = await components.tool({ schema: JSON.stringify({ oneOf: [branch] }) });
    expect(tool?.schema).toMatchObject({
      type: "object",
      oneOf: [{ properties: { size: { $ref: "#/oneOf/0/$defs/size" } } }],
    });
  });

  it("[WASM-006] reads a component from the cache, and makes a damaged entry again", async () => {
    const bytes = await buildTool({ description: "Is kept." });
    const first = await components.prepare(bytes);
    const glue = first.component.glue;
    expect(await components.cache.read(first.hash)).toEqual(first);
    await writeFile(glue, "damaged");
    expect(await components.cache.read(first.hash)).toBeUndefined();
    expect(await components.prepare(bytes)).toEqual(first);
    await rm(join(glue, "../manifest.json"));
    expect(await components.prepare(bytes)).toEqual(first);
    // Another version of the host has entries of its own.
    const other = new ComponentCache(components.folder, "2.0.0");
    expect(await other.read(first.hash)).toBeUndefined();
  });

  it("[WASM-026] passes values to functions of the host and back", async () => {
    const tool = await components.tool({
      imports: hostImportsOf(["secret-exists", "workspace-read"]),
      execute: `(call $workspace-read (local.get $params) (local.get $length) (i32.const 128))
        (if (result i32) (call $secret-exists (local.get $params) (local.get $length))
          (then (call $ok (i32.load (i32.const 132)) (i32.load (i32.const 136))))
          (else (call $fail (local.get $params) (local.get $length))))`,
    });
    const calls: unknown[] = [];
    const { value } = await components.execute(tool, "notes.md", {
      host: async (name, args) => {
        calls.push([name, ...args]);
        return { value: name === "secretExists" ? true : "content" };
      },
    });
    expect(value).toEqual({ output: "content", error: undefined });
    expect(calls).toEqual([
      ["workspaceRead", "notes.md"],
      ["secretExists", "notes.md"],
    ]);
  });
});
