import { spawn } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { expect, it } from "vitest";
import { codeFences } from "../../src/code-fences.js";
import { emptyPlace } from "../../src/place.js";
import { startGateway } from "../../src/warm-process.js";

const CLIENTS = ["@anthropic-ai/sdk", "openai", "ai", "@ai-sdk/openai", "@langchain/openai"];

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const fences = codeFences(root).filter(({ place }) =>
  /^docs\/use\/(?:openai|anthropic)\.md/.test(place),
);

/** A project of a reader who has installed the clients. */
function readersProject() {
  const project = temporaryFolder("openai-page");
  for (const name of CLIENTS) {
    const path = join(project.path, "node_modules", name);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(join(root, "apps/e2e/node_modules", name), path);
  }
  project.write({
    "package.json": JSON.stringify({ type: "module" }),
    ...Object.fromEntries(fences.map(({ file, code }) => [file, code])),
  });
  return project;
}

it("[GW-035] [GW-036] [GW-037] [GW-095] [GW-540] [CHAN-033] runs the examples of both pages against a gateway", async () => {
  using project = readersProject();
  using place = emptyPlace();
  await using gateway = await startGateway(place);
  const env = {
    PATH: process.env.PATH,
    OPENAI_BASE_URL: `${gateway.url}/v1`,
    OPENAI_API_KEY: gateway.token,
    ANTHROPIC_BASE_URL: gateway.url,
    ANTHROPIC_API_KEY: gateway.token,
  };
  const runs = fences.map(async ({ file }) => {
    const child = spawn(process.execPath, [file], { cwd: project.path, env });
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { example: file.split("/")[1], output: output.trim() !== "", errors };
  });
  const examples = [
    ...["anthropic-sdk.ts"],
    ...["openai-sdk.ts", "ai-sdk.ts", "langchain.ts", "tools.ts", "embeddings.ts"],
  ];
  expect(await Promise.all(runs)).toEqual(
    examples.map((example) => ({ example, output: true, errors: "" })),
  );
});
