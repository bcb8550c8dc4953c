import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { configurationSchema } from "@openclaw/configuration";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const sources = globSync("{packages,apps}/*/src/**/*.ts", { cwd: root }).map((file) => ({
  file,
  text: readFileSync(join(root, file), "utf8"),
}));

/** Returns true if the schema of a section names a default for a key. */
function hasDefault(section: string, key: string): boolean {
  let schema: unknown = configurationSchema;
  for (const name of ["properties", section, "properties", key]) {
    schema =
      schema instanceof Object ? Object.getOwnPropertyDescriptor(schema, name)?.value : undefined;
  }
  return schema instanceof Object && "default" in schema;
}

/** A value that is read from the configuration, with the one that applies without it. */
const READ = /\b(\w+)\??\.(\w+) \?\? ([\w.]+|"[^"]*")/g;
/** A default that a schema names. */
const NAMED = /(?:\bdefault: |^\s*)([A-Z][A-Z_]+(?:\.\w+)*),$/gm;

it("[GW-311] a default of the configuration is written once, as the constant that the schema has", () => {
  const named = new Set(
    sources
      .filter(({ text }) => /\bdescription: /.test(text))
      .flatMap(({ text }) => [...text.matchAll(NAMED)].map(([, constant]) => constant)),
  );
  const found: string[] = [];
  const repeated: string[] = [];
  for (const { file, text } of sources) {
    for (const [, section = "", key = "", fallback = ""] of text.matchAll(READ)) {
      // A stored session has keys of the same names.
      if (fallback === "null" || !hasDefault(section, key)) continue;
      found.push(`${section}.${key}`);
      if (!named.has(fallback)) repeated.push(`${file}: ${section}.${key} ?? ${fallback}`);
    }
  }
  expect(repeated).toEqual([]);
  expect(found).toEqual(
    expect.arrayContaining(["agents.maxConcurrentTurns", "gateway.shutdownTimeoutMs"]),
  );
});
