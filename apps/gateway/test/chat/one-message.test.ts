import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { startGateway } from "@openclaw/gateway";
import { expect, it, onTestFinished, vi } from "vitest";
import { loadOperatorConfiguration } from "../../src/configuration.js";
import { runJson } from "../support/command-run.js";

/** A folder with a state folder, in which commands run until the end of the test. */
function placeOfTest() {
  const folder = temporaryFolder();
  folder.write({ "workspace/a.txt": "", "other/b.txt": "" });
  const before = process.cwd();
  onTestFinished(() => {
    process.chdir(before);
    folder[Symbol.dispose]();
  });
  const stateDir = join(folder.path, "state");
  const environment = { OPENCLAW_STATE_DIR: stateDir, OPENCLAW_KEYCHAIN: "off", HOME: stateDir };
  const chatIn = (name: string, ...args: string[]) => {
    process.chdir(join(folder.path, name));
    return runJson(["chat", ...args], environment);
  };
  return { folder, stateDir, environment, chatIn };
}

it("[GW-047] [CHAN-020] sends one message to the last conversation of its folder, in process and to a running gateway", async () => {
  const { folder, stateDir, environment, chatIn } = placeOfTest();
  const first = await chatIn("workspace", "--new", "-m", "hello");
  expect(first).toMatchObject({ exitCode: 0, values: [{ ok: true }] });
  const { session } = first.values[0];
  const second = await chatIn("workspace", "-m", "again");
  expect(second.values[0].session).toBe(session);
  const elsewhere = await chatIn("other", "-m", "from another folder");
  expect(elsewhere.values[0].session).not.toBe(session);

  const gateway = await startGateway({
    version: "1.0.0",
    stateDir,
    configuration: await loadOperatorConfiguration(environment),
    configurationFile: join(stateDir, "openclaw.json"),
    workspaceDir: join(folder.path, "workspace"),
    bundledExtensions: [],
    environment,
    port: 0,
  });
  onTestFinished(() => gateway.stop("command"));
  const third = await chatIn("workspace", "-m", "over the wire");
  expect(third).toMatchObject({ exitCode: 0, values: [{ ok: true, session }] });
  const { messages } = await (await gateway.methods()).call("chat.history", {
    sessionKey: session,
    limit: 200,
  });
  const sent = JSON.stringify(messages.filter(({ role }) => role === "user"));
  for (const text of ["hello", "again", "over the wire"]) expect(sent).toContain(text);
});

it("[GW-047] [CHAN-020] ends with 1 when the agent fails", async () => {
  const { environment, chatIn } = placeOfTest();
  const server = createServer((_request, response) => {
    response.writeHead(401, { "content-type": "application/json" });
    response.end('{"error":{"message":"the key is wrong"}}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.address() as AddressInfo;
  const model = {
    LLM_BASE_URL: `http://127.0.0.1:${port}/v1`,
    LLM_MODEL: "fake",
    LLM_API_KEY: "fake-openai-key",
  };
  Object.assign(environment, model);
  // Extensions read the environment of the process.
  for (const [name, value] of Object.entries(model)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const failed = await chatIn("workspace", "-m", "hello");
  expect(failed).toMatchObject({ exitCode: 1, values: [{ ok: false }] });
});
