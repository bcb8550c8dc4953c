import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { loadAdapter } from "../../src/adapter/package.js";

function folderWith(name: string, manifest: object, code: string): string {
  const folder = mkdtempSync(join(tmpdir(), "bridge-adapters-"));
  const place = join(folder, "node_modules", name);
  mkdirSync(join(place, "lib"), { recursive: true });
  writeFileSync(join(place, "package.json"), JSON.stringify({ name, type: "module", ...manifest }));
  writeFileSync(join(place, "lib", "index.js"), code);
  return folder;
}

const exported = { exports: { ".": { types: "./x.d.ts", import: { default: "./lib/index.js" } } } };
const code = 'export const createAcmeAdapter = (options) => ({ name: "acme", ...options });';

it("finds the function of a package by its name or as configured", async () => {
  const folder = folderWith(
    "acme-adapter",
    exported,
    `${code} export const make = createAcmeAdapter;`,
  );
  const inside = join(folder, "below");
  const { create } = await loadAdapter("acme", { name: "acme-adapter" }, ["/nowhere", inside]);
  expect(create({ userName: "bot" })).toEqual({ name: "acme", userName: "bot" });
  const named = { name: "acme-adapter", factory: "make" };
  expect((await loadAdapter("acme", named, [folder])).create({}).name).toBe("acme");
});

it("[EXT-019] says what is wrong with a package, and how to correct it", async () => {
  const load = (name: string, folder: string, factory?: string) =>
    loadAdapter("acme", { name, factory }, [folder]).catch((error: unknown) => String(error));
  expect(await load("acme-adapter", "/nowhere")).toContain(
    'is not installed; run: npm install --prefix "/nowhere" acme-adapter',
  );
  expect(await load("../escape", "/nowhere")).toContain("is not a name of a package");
  const broken = folderWith("acme-adapter", { main: "lib/index.js" }, "throw new Error('boom');");
  expect(await load("acme-adapter", broken)).toContain("cannot be loaded: boom");
  const other = folderWith("acme-adapter", { main: "lib/index.js" }, "export function start() {}");
  expect(await load("acme-adapter", other)).toContain("set channels.acme.factory to one of start");
});
