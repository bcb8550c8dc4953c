import { randomUUID } from "node:crypto";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { openStore } from "@openclaw/store";
import { Client } from "pg";
import { expect, inject, it, onTestFinished, vi } from "vitest";
import { startTestGateway } from "./support/gateway.js";
import { message } from "./support/host.js";
import { asked, launchingGateway, PASSWORD, TOKEN } from "./support/launching-gateway.js";

declare module "vitest" {
  interface ProvidedContext {
    /** URL of the server of the test run. */
    postgresUrl?: string;
  }
}

// Processes and files take longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

function newFolder() {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  return folder;
}

/** Returns the URL of a new schema, and a function that returns the tables of it that contain one of the strings. */
function newSchema() {
  const schema = `private_${randomUUID().replaceAll("-", "_")}`;
  const server = inject("postgresUrl");
  const tablesWith = async (...texts: string[]) => {
    const client = new Client({ connectionString: server });
    await client.connect();
    try {
      const { rows: tables } = await client.query<{ table_name: string }>(
        "select table_name from information_schema.tables where table_schema = $1",
        [schema],
      );
      const found: string[] = [];
      for (const { table_name } of tables) {
        const { rows } = await client.query(`select * from "${schema}"."${table_name}"`);
        const content = JSON.stringify(rows);
        if (texts.some((text) => content.includes(text))) found.push(table_name);
      }
      return found;
    } finally {
      await client.end();
    }
  };
  return { url: `${server}?schema=${schema}`, tablesWith };
}

it("[APPR-011] parameters of a tool call are in no row of a database on a server", async () => {
  const { url, tablesWith } = newSchema();
  const running = await launchingGateway(newFolder(), [], url);
  await asked(running);
  expect(await tablesWith("launch it")).toContain("transcript");
  expect(await tablesWith(TOKEN, PASSWORD)).toEqual([]);
});

it("[TURN-024] text that a host must not keep is in no row of a database on a server, also after a restart", async () => {
  const folder = newFolder();
  const { url, tablesWith } = newSchema();
  folder.write({ "openclaw.json": JSON.stringify({ store: { url } }) });
  const start = async () => {
    const gateway = await startTestGateway(folder, {
      inlinePlugins: [
        {
          id: "guard",
          register(api) {
            api.on("before_agent_run", ({ prompt }) =>
              prompt.includes("the merger")
                ? { outcome: "block", reason: "the insider list", message: "Not a word." }
                : { outcome: "pass" },
            );
          },
        },
      ],
    });
    let isRunning = true;
    const stop = async () => {
      if (isRunning) await gateway.stop("command");
      isRunning = false;
    };
    onTestFinished(stop);
    return { gateway, stop };
  };
  const { gateway, stop } = await start();
  expect(await gateway.receive(message("the merger is on friday"))).toMatchObject({
    status: "withheld",
  });
  expect(await tablesWith("the merger", "the insider list")).toEqual([]);

  await gateway.receive(message("text of a cleared conversation"));
  expect(await tablesWith("cleared conversation")).not.toEqual([]);
  await gateway.receive(message("/clear"));
  expect(await tablesWith("cleared conversation")).toEqual([]);

  const sessionKey = "agent:main:gone";
  await gateway.receive(message("text of a deleted session", { sessionKey }));
  expect(await tablesWith("a deleted session")).not.toEqual([]);
  await (await gateway.methods()).call("sessions.delete", { sessionKey });
  expect(await tablesWith("a deleted session")).toEqual([]);

  await stop();
  const texts = ["the merger", "the insider list", "cleared conversation", "a deleted session"];
  expect(await tablesWith(...texts)).toEqual([]);
  const second = await start();
  await second.gateway.receive(message("are you there?"));
  expect(await tablesWith(...texts)).toEqual([]);
  await second.stop();

  const later = Date.now() + 100 * 24 * 60 * 60 * 1000;
  const store = await openStore({ url, now: () => later, databaseClock: () => later });
  onTestFinished(() => store.close());
  expect(await tablesWith("are you there")).not.toEqual([]);
  await store.retention.sweep({ transcript: 30, messageContent: 30, journal: 30 });
  expect(await tablesWith("are you there")).toEqual([]);
});
