// Builds {{id}}.wasm of src/tool.ts: the types are removed, and the JavaScript becomes a component with its engine.
import { readFile, writeFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { componentize } from "@bytecodealliance/componentize-js";

const source = stripTypeScriptTypes(await readFile("src/tool.ts", "utf8"));
const { component } = await componentize(source, {
  witPath: "wit/tool.wit",
  worldName: "sandboxed-tool",
  // What the tool does not use: without it the same input consumes the same fuel.
  disableFeatures: ["stdio", "random", "clocks", "http", "fetch-event"],
});
await writeFile("{{id}}.wasm", component);
console.log(`{{id}}.wasm: ${component.length} bytes`);
