/**
 * Reads a file of LongMemEval: a JSON list of queries, each with its own conversations.
 *
 * | field | content |
 * |---|---|
 * | `question_id` | ends with `_abs` when the conversations have no answer |
 * | `question_type` | for example `multi-session` or `knowledge-update` |
 * | `question` | the query |
 * | `haystack_session_ids`, `haystack_dates`, `haystack_sessions` | conversations in the same order: ID, date such as `2023/05/20 (Sat) 02:21`, and a list of `{ role, content }` |
 * | `answer_session_ids` | conversations with the answer |
 */
import { readFileSync } from "node:fs";
import { Type } from "typebox";
import { Value } from "typebox/value";

const strings = Type.Array(Type.String());
const entries = Type.Array(
  Type.Object({
    question_id: Type.String(),
    question_type: Type.String(),
    question: Type.String({ minLength: 1 }),
    haystack_session_ids: strings,
    haystack_dates: strings,
    haystack_sessions: Type.Array(
      Type.Array(Type.Object({ role: Type.String(), content: Type.String() })),
    ),
    answer_session_ids: strings,
  }),
  { minItems: 1 },
);

/**
 * Returns the queries of a file.
 * @param {string} file - path of a file of LongMemEval
 * @throws {Error} when it cannot be read, or has another form
 */
export function readQueries(file) {
  const value = parsed(file);
  if (!Value.Check(entries, value)) {
    const [problem] = Value.Errors(entries, value);
    throw new Error(
      `${file} at ${problem?.instancePath || "/"}: ${problem?.message}; expected a list of queries as in longmemeval_s_cleaned.json`,
    );
  }
  return value.map((each) => {
    const counts = [each.haystack_dates, each.haystack_session_ids].map(({ length }) => length);
    if (counts.some((count) => count !== each.haystack_sessions.length)) {
      throw new Error(
        `${file}, question ${each.question_id}: expected a date and an ID for each of ${each.haystack_sessions.length} conversations, got ${counts.join(" and ")}`,
      );
    }
    return {
      id: each.question_id,
      type: each.question_type,
      text: each.question,
      hasAnswer: !each.question_id.endsWith("_abs"),
      relevant: each.answer_session_ids,
      sessions: each.haystack_sessions.map((messages, index) => ({
        id: each.haystack_session_ids[index],
        day: dayOf(each.haystack_dates[index]),
        text: messages.map(({ role, content }) => `${role}: ${content}`).join("\n\n"),
      })),
    };
  });
}

function parsed(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Error(`${file} cannot be read as JSON: ${error.message}`);
  }
}

function dayOf(date) {
  return /^\d{4}\/\d{2}\/\d{2}/.exec(date)?.[0].replaceAll("/", "-");
}
