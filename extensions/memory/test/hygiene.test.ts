import { openTestStore } from "@openclaw/plugin-testkit";
import { expect, it, onTestFinished } from "vitest";
import { removeOldNotes, runHygiene } from "../src/documents/hygiene.js";
import { fill, OWNER, openTestMemory, START } from "./support/open-memory.js";

const HOUR = 3_600_000;

it("[MEM-041] removes old daily notes only, at most every 12 hours", async () => {
  const { store, close } = await openTestStore();
  onTestFinished(close);
  const clock = { now: START };
  const memory = await openTestMemory({ store }, { clock });
  const { documents, notes, now } = memory;
  const paths = async () => (await documents.list(OWNER)).map(({ path }) => path);
  const kept = {
    "MEMORY.md": "old but kept",
    "SOUL.md": "kept",
    "daily/2026-02-07.md": "30 days old",
    "daily/plan.md": "not a note of a day",
    "projects/daily/2020-01-01.md": "elsewhere",
  };
  await fill(memory, {
    ...kept,
    "daily/2026-02-06.md": "31 days old",
    "daily/2020-01-01.md": "old",
  });
  await fill(
    memory,
    { "daily/2020-01-01.md": "of another user" },
    { user: "telegram:7", agent: "main" },
  );
  const today = () => notes.today();
  const old = ["daily/2020-01-01.md", "daily/2026-02-06.md", "daily/2020-01-01.md"];
  expect(await removeOldNotes({ documents, today }, { keepDays: 30, dryRun: true })).toEqual({
    removed: old,
    dryRun: true,
  });
  expect(await paths()).toHaveLength(7);
  const run = () => runHygiene({ documents, kv: store.kv, now, today }, { keepDays: 30 });
  expect(await run()).toEqual({ removed: old, dryRun: false });
  expect(await paths()).toEqual(Object.keys(kept).sort());
  await fill(memory, { "daily/2020-01-02.md": "old" });
  clock.now += 12 * HOUR - 1;
  expect(await run()).toBeUndefined();
  clock.now += 1;
  expect(await run()).toMatchObject({
    // Midnight has passed.
    removed: ["daily/2020-01-02.md", "daily/2026-02-07.md"],
  });
});
