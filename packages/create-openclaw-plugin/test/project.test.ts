import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  createProject,
  PLUGIN_KINDS,
  PLUGIN_LANGUAGES,
  type PluginKind,
  type PluginLanguage,
} from "../src/index.js";
import { temporaryFolder } from "./temporary-folder.js";

const every = (Object.keys(PLUGIN_KINDS) as PluginKind[]).flatMap((kind) =>
  (Object.keys(PLUGIN_LANGUAGES) as PluginLanguage[]).map((language) => ({ kind, language })),
);

const readJson = (folder: string, file: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(folder, file), "utf8")) as Record<string, unknown>;

describe("created project", () => {
  it.each(every)("[SDK-033] is complete: a $kind in $language", ({ kind, language }) => {
    const folder = join(temporaryFolder(), "deep", "word-count");
    const created = createProject({ folder, id: "word-count", kind, language });
    const ending = language === "typescript" ? "ts" : "js";
    expect(created).toEqual({
      folder,
      files: [
        ".github/workflows/ci.yml",
        ".gitignore",
        "README.md",
        "biome.json",
        "openclaw.plugin.json",
        "package.json",
        `src/index.${ending}`,
        `test/plugin.test.${ending}`,
        "tsconfig.json",
      ],
    });
    for (const file of created.files) {
      expect(readFileSync(join(folder, file), "utf8"), file).not.toMatch(/\{\{|\}\}\}/);
    }
    expect(readJson(folder, "openclaw.plugin.json")).toMatchObject({
      $schema: "./node_modules/@openclaw/plugin-sdk/manifest.schema.json",
      id: "word-count",
      name: "Word count",
      entry: `src/index.${ending}`,
    });
    expect(readFileSync(join(folder, `test/plugin.test.${ending}`), "utf8")).toContain(
      'from "@openclaw/plugin-testkit"',
    );
  });

  it("[SDK-033] declares its dependencies in ranges of the tested versions", () => {
    const versions = readJson(join(import.meta.dirname, "../templates"), "versions.json");
    const folder = temporaryFolder();
    createProject({ folder, id: "models", kind: "provider", language: "typescript" });
    expect(readJson(folder, "package.json")).toMatchObject({
      name: "openclaw-models",
      type: "module",
      files: ["src", "openclaw.plugin.json"],
      dependencies: { "@ai-sdk/openai-compatible": `^${versions["@ai-sdk/openai-compatible"]}` },
      peerDependencies: { "@openclaw/plugin-sdk": `^${versions["@openclaw/plugin-sdk"]}` },
      devDependencies: {
        "@openclaw/plugin-testkit": `^${versions["@openclaw/plugin-testkit"]}`,
        openclaw: `^${versions.openclaw}`,
      },
    });
  });

  it("[SDK-643] links the packages of a checkout, and no step of its CI installs them from a registry", () => {
    const root = temporaryFolder();
    const folder = join(root, "plugins", "word-count");
    const checkout = join(root, "openclaw");
    createProject({ folder, id: "word-count", kind: "tool", language: "typescript", checkout });
    expect(readJson(folder, "package.json")).toMatchObject({
      devDependencies: {
        "@openclaw/plugin-sdk": "link:../../openclaw/packages/plugin-sdk",
        "@openclaw/plugin-testkit": "link:../../openclaw/packages/plugin-testkit",
        openclaw: "link:../../openclaw/apps/gateway",
        vitest: expect.stringMatching(/^\^/),
      },
    });
    const ci = readFileSync(join(folder, ".github/workflows/ci.yml"), "utf8");
    expect(ci).not.toMatch(/npm (install|ci)\b/);
    expect(ci).toContain("openclaw plugins link ../plugin");
    const readme = readFileSync(join(folder, "README.md"), "utf8");
    expect(readme).toMatch(/## Until OpenClaw is published[\s\S]*After the publication:/);
  });

  it("[SDK-033] overwrites nothing: writes no file when one of them exists", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "README.md"), "mine");
    symlinkSync("nowhere", join(folder, "tsconfig.json"));
    const create = () =>
      createProject({ folder, id: "word-count", kind: "tool", language: "typescript" });
    expect(create).toThrow(
      expect.objectContaining({
        code: "CREATE_PLUGIN_FILES_IN_THE_WAY",
        folder,
        files: ["README.md", "tsconfig.json"],
      }),
    );
    expect(readdirSync(folder).sort()).toEqual(["README.md", "tsconfig.json"]);
    expect(readFileSync(join(folder, "README.md"), "utf8")).toBe("mine");
  });

  it("[SDK-033] is written into an existing repository", () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, ".git"));
    writeFileSync(join(folder, "LICENSE"), "mine");
    createProject({ folder, id: "word-count", kind: "hook", language: "javascript" });
    expect(readdirSync(folder)).toEqual(
      expect.arrayContaining([".git", "LICENSE", "package.json"]),
    );
  });

  it("reports the reason when it cannot be written", () => {
    const file = join(temporaryFolder(), "taken");
    writeFileSync(file, "");
    const create = () =>
      createProject({ folder: file, id: "word-count", kind: "tool", language: "typescript" });
    expect(create).toThrow(
      expect.objectContaining({ code: "CREATE_PLUGIN_NOT_WRITTEN", folder: file }),
    );
  });
});
