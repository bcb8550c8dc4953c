import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, inject, it } from "vitest";
import { openStoredSessions } from "../../src/methods/stored/sessions.js";
import { openStateFolder } from "../../src/state/folder.js";
import { type DatabaseOwner, moveHostDatabase } from "../../src/upkeep/database.js";
import { startTestGateway } from "../support/gateway.js";
import { message, SESSION } from "../support/host.js";

async function exportOf(owner: DatabaseOwner): Promise<object> {
  const sessions = await openStoredSessions(owner);
  const archive = await sessions.export(SESSION);
  await sessions.close();
  return archive;
}

describe("moveHostDatabase", () => {
  it("[SCALE-026] keeps the sessions when it moves to PostgreSQL and back", async () => {
    using folder = temporaryFolder();
    const state = openStateFolder(join(folder.path, "state"));
    const first = await startTestGateway(folder);
    await first.receive(message("remember this"));
    await first.stop("command");

    const onFile = { state, configuration: undefined };
    const url = `${inject("postgresUrl")}?schema=moved_${randomUUID()}`;
    const there = await moveHostDatabase(onFile, { url, batch: 3 });
    expect(there.tables.every(({ isEqual }) => isEqual)).toBe(true);
    const onServer = { state, configuration: { url } };
    expect(await exportOf(onServer)).toEqual(await exportOf(onFile));

    folder.write({ "openclaw.json": JSON.stringify({ store: { url } }) });
    const second = await startTestGateway(folder);
    expect(second.database.dialect).toBe("postgres");
    expect(await second.receive(message("hello"))).toMatchObject({ status: "replied" });
    await second.stop("command");

    const back = await moveHostDatabase(onServer, { url: `file:${join(folder.path, "back.db")}` });
    expect(back.tables.every(({ isEqual }) => isEqual)).toBe(true);
    const onCopy = { state, configuration: { url: `file:${join(folder.path, "back.db")}` } };
    expect(await exportOf(onCopy)).toEqual(await exportOf(onServer));
  });
});
