import { describe, expect, it } from "vitest";
import type { SessionArchive, Store } from "../../src/index.js";
import { openTestStore } from "../support/open-store.js";

const KEY = 'session "one"\\ \u0000';

/** Stores a session of two conversations with all of its data. */
async function storedSession(store: Store): Promise<SessionArchive> {
  const created = { agentId: "agent", channel: "test", label: "A label" };
  const { session: first } = await store.sessions.open(KEY, created);
  const say = (sessionId: string, words: string) =>
    store.messages.transcript.append({
      sessionId,
      runId: "run",
      message: { role: "user", content: [{ type: "text", text: words }], timestamp: 1 },
    });
  await say(first.sessionId, "\ud800 odd \u0000 text");
  await say(first.sessionId, "second");
  await store.messages.compactions.record({
    sessionId: first.sessionId,
    upToSeq: 1,
    strategy: "summarise",
    summary: "A summary",
    compactedCount: 1,
  });
  await store.sessions.tokenTotals.add({ agentId: "agent", sessionId: first.sessionId }, 42);
  await store.sessions.end(first.sessionId, "reset");
  const second = await store.sessions.renew(KEY);
  await say(second.sessionId, "third");
  const place = { pluginId: "guard", sessionKey: KEY, namespace: "state" };
  await store.sessions.extensions.patch(place, { level: 3 });
  const archive = await store.sessions.archives.export(KEY);
  if (archive === undefined) throw new Error("there is a session");
  return archive;
}

describe("session archive", () => {
  it("restores the same session in another database, with an equal archive", async () => {
    const from = await openTestStore();
    const archive = await storedSession(from);
    const to = await openTestStore();
    const document: unknown = JSON.parse(JSON.stringify(archive));
    expect(await to.sessions.archives.import(document)).toEqual({ sessionKey: KEY });
    expect(await to.sessions.archives.export(KEY)).toEqual(archive);
    const session = await to.sessions.get(KEY);
    expect(session).toEqual(await from.sessions.get(KEY));
    const [first] = archive.incarnations;
    const { sessionId = "" } = first ?? {};
    expect(await to.messages.transcript.load(sessionId)).toEqual(
      await from.messages.transcript.load(sessionId),
    );
    expect(await to.messages.compactions.latest(sessionId)).toEqual(
      await from.messages.compactions.latest(sessionId),
    );
    expect(await to.sessions.tokenTotals.of({ sessionId })).toBe(42);
    const next = {
      sessionId: session?.sessionId ?? "",
      message: { role: "user" as const, content: [], timestamp: 1 },
    };
    expect(await to.messages.transcript.append(next)).toMatchObject({ seq: 2 });
  });

  it("is imported under another key with new ids, next to the first session", async () => {
    const store = await openTestStore();
    const archive = await storedSession(store);
    expect(await store.sessions.archives.import(archive, { as: "copy" })).toEqual({
      sessionKey: "copy",
    });
    const copy = await store.sessions.archives.export("copy");
    const texts = (each?: SessionArchive) =>
      each?.incarnations.map(({ transcript }) => transcript.map(({ message }) => message));
    expect(texts(copy)).toEqual(texts(archive));
    const ids = (each?: SessionArchive) => each?.incarnations.map(({ sessionId }) => sessionId);
    expect(ids(copy)).not.toEqual(ids(archive));
    expect(await store.sessions.archives.export(KEY)).toEqual(archive);
  });

  it("is not imported over an existing session, or twice", async () => {
    const store = await openTestStore();
    const archive = await storedSession(store);
    const again = store.sessions.archives.import(archive);
    await expect(again).rejects.toMatchObject({ code: "SESSION_ARCHIVE_REFUSED" });
    await expect(again).rejects.toThrow(`session ${KEY} already exists`);
    const renamed = { ...archive, session: { ...archive.session, sessionKey: "other" } };
    await expect(store.sessions.archives.import(renamed)).rejects.toThrow(
      "conversations already exist",
    );
    expect(await store.sessions.get("other")).toBeUndefined();
  });

  it.each<[string, (archive: SessionArchive) => unknown, string]>([
    ["text", () => "hello", "the document must be object"],
    ["another object", () => ({ format: "other" }), "the document must have required properties"],
    [
      "an archive without conversations",
      (each) => ({ ...each, incarnations: [] }),
      "/incarnations",
    ],
    [
      "one of a newer version",
      (each) => ({ ...each, version: 2 }),
      "it has version 2, but this version of OpenClaw reads only versions up to 1",
    ],
    [
      "one with a field too many",
      (each) => ({ ...each, more: 1 }),
      "/more is not a field of an archive",
    ],
    [
      "one whose messages stand in another order",
      (each) => ({
        ...each,
        incarnations: each.incarnations.map((incarnation) => ({
          ...incarnation,
          transcript: incarnation.transcript.toReversed(),
        })),
      }),
      "/incarnations/0/transcript has message 1 after message 2",
    ],
    [
      "one whose numbers do not add up",
      (each) => ({
        ...each,
        incarnations: each.incarnations.map((incarnation) => ({ ...incarnation, lastSeq: 0 })),
      }),
      "continues after lastSeq 0",
    ],
  ])("is rejected when it is %s", async (_, damage, problem) => {
    const store = await openTestStore();
    const archive = await storedSession(store);
    const empty = await openTestStore();
    await expect(empty.sessions.archives.import(damage(archive))).rejects.toThrow(problem);
    expect(await empty.sessions.list({ limit: 1 })).toEqual([]);
  });

  it("is undefined for an unknown session", async () => {
    const store = await openTestStore();
    expect(await store.sessions.archives.export("nobody")).toBeUndefined();
  });
});
