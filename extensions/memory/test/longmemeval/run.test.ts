import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.js";

const RUN = fileURLToPath(new URL("../../bench/longmemeval/run.mjs", import.meta.url));

const session = (content: string) => [
  { role: "user", content },
  { role: "assistant", content: "I will remember that." },
];

/** Queries in the format of LongMemEval. */
const QUERIES = [
  {
    question_id: "q1",
    question_type: "single-session-user",
    question: "What colour did I paint the kitchen?",
    answer: "yellow",
    question_date: "2023/05/30 (Tue) 23:40",
    haystack_session_ids: ["s1", "s2"],
    haystack_dates: ["2023/05/20 (Sat) 02:21", "2023/05/21 (Sun) 10:00"],
    haystack_sessions: [
      session("I repaired the bicycle today."),
      session("I painted the kitchen yellow on Sunday."),
    ],
    answer_session_ids: ["s2"],
  },
  {
    question_id: "q2_abs",
    question_type: "single-session-user",
    question: "How many moons does Neptune have?",
    answer: "not mentioned",
    question_date: "2023/05/30 (Tue) 23:40",
    haystack_session_ids: ["s1"],
    haystack_dates: ["2023/05/20 (Sat) 02:21"],
    haystack_sessions: [session("The invoice was paid by the baker.")],
    answer_session_ids: ["s1"],
  },
];

async function run(content: string, ...words: readonly string[]) {
  const file = join(temporaryFolder({}), "queries.json");
  writeFileSync(file, content);
  return await promisify(execFile)(process.execPath, [RUN, file, ...words]);
}

it("runs LongMemEval with a file that the user gives", async () => {
  const { stdout } = await run(JSON.stringify(QUERIES));
  const values = Object.fromEntries(
    stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
      .map(({ metric, value, n }) => [metric, [value, n]]),
  );
  expect(values).toMatchObject({
    "all any of 5": [1, 1],
    "all all of 10": [1, 1],
    "single-session-user MRR": [1, 1],
    "false answers": [0, 1],
  });
});

it("reports the field of a file that has another form", async () => {
  const [first] = QUERIES;
  const wrong = JSON.stringify([{ ...first, haystack_sessions: "none" }]);
  await expect(run(wrong)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("/0/haystack_sessions"),
  });
  const short = JSON.stringify([{ ...first, haystack_dates: [] }]);
  await expect(run(short)).rejects.toMatchObject({
    stderr: expect.stringContaining("a date and an ID for each of 2 conversations, got 0 and 2"),
  });
});
