// Builds the example components from their sources, with AssemblyScript from npm.
// usage: node build.mjs [--check]   --check fails when a component that is here differs from its sources
// The components are committed because the compiler with its optimizer is 100 MB, of which tests need nothing.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv, exit, stdout } from "node:process";
import { fileURLToPath } from "node:url";
import {
  componentEmbed,
  componentNew,
  parse,
  print,
} from "@bytecodealliance/jco-transpile/wasm-tools";

const COMPILER = "assemblyscript@0.28.20";
const EXAMPLES = [
  { name: "unit-converter", world: "tool" },
  { name: "open-issues", world: "tool" },
  { name: "letterbox", world: "channel" },
];

const here = fileURLToPath(new URL(".", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "wasm-examples-"));
let isDifferent = false;
try {
  for (const { name, world } of EXAMPLES) {
    const bytes = await built(name, world);
    const file = join(here, name, `${name}.wasm`);
    const hash = createHash("sha256").update(bytes).digest("hex");
    if (argv.includes("--check")) {
      const isSame = readFileSync(file).equals(bytes);
      isDifferent ||= !isSame;
      stdout.write(
        `${hash}  ${name}.wasm ${isSame ? "is up to date" : "differs from its sources"}\n`,
      );
    } else {
      writeFileSync(file, bytes);
      stdout.write(`${hash}  ${name}.wasm (${bytes.length} bytes)\n`);
    }
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
exit(isDifferent ? 1 : 0);

async function built(name, world) {
  const module = join(work, `${name}.wasm`);
  const options = ["--runtime", "stub", "--use", "abort=", "-O", "--noAssert", "-o", module];
  const compiler = ["-y", "-p", COMPILER, "asc", join(name, `${world}.ts`), ...options];
  const { status } = spawnSync("npx", compiler, { cwd: here, stdio: ["ignore", 2, 2] });
  if (status !== 0) throw new Error(`${name} was not compiled`);
  const text = named(await print(readFileSync(module)), world);
  const witSource = readFileSync(join(here, "..", "wit", `${world}.wit`), "utf8");
  const binary = await parse(text);
  return Buffer.from(
    await componentNew(
      await componentEmbed({ binary, witSource, world: `sandboxed-${world}` }),
      [],
    ),
  );
}

/** Gives the imports and exports of the compiler the names of the canonical ABI. */
function named(text, world) {
  const host = world === "tool" ? "host" : "channel-host";
  const kebab = (name) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return text
    .replaceAll(
      /\(import "[^"]*" "([^"]*)"/g,
      (_, name) => `(import "near:agent/${host}" "${kebab(name.split(".").at(-1))}"`,
    )
    .replaceAll(/\(export "([^"]*)"/g, (whole, name) => {
      if (name === "memory") return whole;
      if (name === "realloc") return '(export "cabi_realloc"';
      return `(export "near:agent/${world}#${kebab(name)}"`;
    });
}
