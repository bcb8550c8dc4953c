import type { ReadExpression } from "./expressions.js";

/**
 * Words that the program gets before its own: they exclude files other than the database, changes of it, and settings of
 * the user. `-safe` alone does not cover all commands with a dot.
 */
const BOUNDS = ["-safe", "-readonly", "-init", "/dev/null"];
const FLAG =
  /^--?(?:header|noheader|column|csv|json|line|list|table|box|markdown|quote|tabs|ascii|readonly|batch|bail)$/;
const VALUED = /^--?(?:separator|nullvalue)$/;
const DOT_COMMAND =
  /^\s*\.(?:tables?|schema|indexes|indices|fullschema|databases)(?:\s+[\w%]+)?\s*$|^\s*\.(?:headers?\s+(?:on|off)|mode\s+(?:csv|column|json|line|list|table|box|markdown|quote|tabs|ascii))\s*$/;
const READING =
  /^(?:(?:select|values|with|explain(?:\s+query\s+plan)?\s+(?:select|with))\b|pragma\s+(?:\w+\.)?(?:table_info|table_xinfo|table_list|index_list|index_info|foreign_key_list|database_list|user_version|schema_version|page_count|page_size|encoding|compile_options)\s*(?:\([\w"']+\)\s*)?$)/i;
/** Tables and functions that read files, and queries that may not end; also within quotation marks. */
const REFUSED =
  /fsdir|readfile|writefile|zipfile|load_extension|fts3_tokenizer|edit\s*\(|sqlite_dbpage|recursive|randomblob|zeroblob|generate_series/i;
const STRINGS = /'(?:[^']|'')*'|--[^\n]*|\/\*[\s\S]*?\*\//g;

/**
 * Reads the words of `sqlite3` that only print what queries of one database return.
 * @param words - words after the program
 */
export function readSqlite(words: readonly string[]): ReadExpression {
  let at = 0;
  for (; words[at]?.startsWith("-") === true; at += 1) {
    const word = words[at] ?? "";
    if (VALUED.test(word) && words[at + 1] !== undefined) at += 1;
    else if (!FLAG.test(word)) return { unknown: word };
  }
  const [database = "", ...queries] = words.slice(at);
  // A colon begins a URL or the name of a database in memory.
  if (database === "" || database.includes(":")) return { unknown: database };
  const [first] = queries;
  if (first === undefined) return { unknown: "a missing query" };
  const unknown = queries.find((query) => !isReading(query));
  if (unknown !== undefined) return { unknown };
  return { paths: [database], words: [...BOUNDS, ...words] };
}

/** The bounds prevent what a statement would change, so that a misread quotation mark has no effect. */
function isReading(query: string): boolean {
  if (DOT_COMMAND.test(query)) return true;
  if (REFUSED.test(query)) return false;
  const statements = query
    .replace(STRINGS, "''")
    .split(";")
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
  return statements.length > 0 && statements.every((statement) => READING.test(statement));
}
