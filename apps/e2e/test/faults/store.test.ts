import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { openclaw } from "../../src/command-line.js";
import {
  canMount,
  failWritesBehind,
  ON_SMALL_DISK,
  onSmallDisk,
  withSmallDisk,
} from "../../src/faulty-disk.js";
import { type GatewayProcess, openclawProcess } from "../../src/openclaw-process.js";
import { emptyPlace } from "../../src/place.js";
import { startGateway } from "../../src/warm-process.js";

/** Sends a message; the same key again is the same message. */
async function say({ url, token }: GatewayProcess, key: string) {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "idempotency-key": key,
    },
    body: JSON.stringify({ model: "openclaw", messages: [{ role: "user", content: "hello" }] }),
  });
  const body = (await response.json()) as {
    error?: { code: string; message: string };
    choices?: [{ message: { content: string } }];
  };
  return { status: response.status, ...body };
}

async function readiness({ url, token }: GatewayProcess) {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/readyz`, { headers });
  return { status: response.status, text: await response.text() };
}

/** While the fault lasts nothing is acknowledged or kept; when it is over, all is as before. */
async function expectOutage(
  gateway: GatewayProcess,
  reason: string,
  fault: { begin(): void; end(): void },
): Promise<void> {
  expect(await say(gateway, randomUUID())).toMatchObject({ status: 200 });
  const key = randomUUID();
  fault.begin();
  const refused = await say(gateway, key);
  expect(refused).toMatchObject({ status: 503, error: { code: "store_unavailable" } });
  expect(refused.error?.message).toContain(`(${reason}); nothing was accepted`);
  const notReady = await readiness(gateway);
  expect(notReady.status).toBe(503);
  expect(notReady.text).toMatch(
    /"name":"store","ok":false,"detail":"(?:store .+openclaw\.db: |the operation did not settle)/,
  );
  expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
  fault.end();
  expect((await readiness(gateway)).status).toBe(200);
  // If any part had been stored, this message would be a duplicate without a reply.
  expect(await say(gateway, key)).toMatchObject({
    status: 200,
    choices: [{ message: { content: expect.stringContaining("hello") } }],
  });
}

// Together, because one of them waits ten seconds for a lock.
describe.concurrent("database of a gateway", () => {
  it.skipIf(!canMount())(
    "[SCALE-031] rejects writes on a full disk and continues when there is space",
    async () => {
      using place = emptyPlace();
      place.writeState(ON_SMALL_DISK);
      const small = withSmallDisk(place);
      await using gateway = await startGateway(small);
      await expectOutage(gateway, "full", {
        begin: () => onSmallDisk(gateway, small, "head -c 32m /dev/zero > filler"),
        end: () => onSmallDisk(gateway, small, "rm filler"),
      });
    },
  );

  it("[SCALE-031] rejects writes beyond a file size limit and continues without the limit", async () => {
    using place = emptyPlace();
    await using gateway = await startGateway(place);
    await expectOutage(gateway, "input-output", {
      begin: () => failWritesBehind(gateway, 4096),
      end: () => failWritesBehind(gateway, "unlimited"),
    });
    expect(await gateway.end("SIGTERM")).toBe(0);
  });

  it("[SCALE-031] rejects writes while another process holds the lock and continues afterwards", async () => {
    using place = emptyPlace();
    await using gateway = await startGateway(place);
    using other = new DatabaseSync(join(place.state, "openclaw.db"));
    await expectOutage(gateway, "busy", {
      begin: () => other.exec("begin immediate"),
      end: () => other.exec("rollback"),
    });
  });

  it.skipIf(!canMount())(
    "[SCALE-031] keeps the gateway from starting on a read-only file system",
    async () => {
      using place = emptyPlace();
      place.writeState(ON_SMALL_DISK);
      const small = withSmallDisk(place, 'mount -o remount,ro "$PWD"');
      const { exitCode, stderr } = await openclawProcess(["gateway", "run", "--port", "0"], small);
      expect(exitCode).toBe(1);
      expect(stderr).toContain("openclaw.db");
      expect(stderr).toContain("or mount the file system writable (EROFS)");
    },
  );

  it("[SCALE-031] does not start when it is damaged, and starts after a backup is restored", async () => {
    using place = emptyPlace();
    const session = "agent:main:main";
    await openclaw(["chat", "-m", "remember this"], place);
    const backup = join(place.workspace, "backup.db");
    expect(await openclaw(["db", "backup", backup], place)).toMatchObject({ exitCode: 0 });
    const file = join(place.state, "openclaw.db");
    const bytes = readFileSync(file);
    bytes.fill(0x5a, 0, 8192);
    writeFileSync(file, bytes);

    const failed = await openclawProcess(["chat", "-m", "hello"], place);
    expect(failed).toMatchObject({ exitCode: 1, stdout: "" });
    expect(failed.stderr).toContain("the file is damaged or is not a database; restore a backup");

    const restored = await openclaw(["db", "restore", backup, "--yes", "--json"], place);
    expect(restored.exitCode).toBe(0);
    const { kept } = JSON.parse(restored.stdout) as { kept: string };
    expect(readFileSync(kept)).toEqual(bytes);
    const shown = await openclaw(["sessions", "show", session, "--json"], place);
    expect(JSON.parse(shown.stdout)).toMatchObject({
      session: { sessionKey: session, messageCount: 2 },
      messages: [{ message: { role: "user" } }, { message: { role: "assistant" } }],
    });
  });
});
