import type { DemoResult, DemoStep } from "./step.js";

/** Request for a table of the TODO comments. */
const REQUEST =
  /^\s*(?:please )?(?:collect|gather|list|find|show)(?: me)?(?: all)?(?: (?:of )?the)? TODO(?:s| comments?)(?: (?:in|of|from)(?: the files (?:in|of))? (?:this|the|my) (?:folder|directory|project|workspace|repository))?(?: (?:in|into|as|to) a table)?[\s.!]*$/i;
const PLAN_TOOL = "update_plan";
const PLANNED = ["search the files", "save the table in TODO.md"];
const FILE = "TODO.md";
/** A line of the results of `grep`. */
const FOUND = /^(?<file>[^\s].*?):(?<line>\d+): (?<text>.*)$/;
const COMMENT = /TODO\b[:\s]*(?<comment>.*?)(?:\*\/|-->)?\s*$/;

/**
 * Returns true for a request to collect the TODO comments of a folder.
 * @param request - text of the user
 */
export function isTodoRequest(request: string): boolean {
  const lastParagraph =
    request
      .trim()
      .split(/\n\s*\n/)
      .at(-1) ?? "";
  return REQUEST.test(lastParagraph);
}

/**
 * Returns the next step towards a table of the TODO comments: a plan, where plans are kept; the search; the table, as a
 * file; and the table as the answer, also when the file could not be written.
 * @param results - results of tools since the request, oldest first
 * @param isOffered - returns true for a tool that can be called
 * @returns undefined when the search failed
 */
export function nextTodoStep(
  results: readonly DemoResult[],
  isOffered: (toolName: string) => boolean,
): DemoStep | undefined {
  const plans = results.filter(({ toolName }) => toolName === PLAN_TOOL).length;
  const searched = results.find(({ toolName }) => toolName === "grep");
  const written = results.find(({ toolName }) => toolName === "write");
  const isPlanned = isOffered(PLAN_TOOL);
  if (isPlanned && plans === 0) return planWith(0);
  if (searched === undefined) return callOf("grep", { pattern: "TODO" });
  if (searched.text === undefined) return undefined;
  const rows = rowsOf(searched.text);
  if (rows.length === 0) return { kind: "answer", text: "No file here has a TODO comment." };
  if (isPlanned && plans === 1) return planWith(1);
  const table = ["| file | line | comment |", "|---|--:|---|", ...rows].join("\n");
  if (written === undefined) return callOf("write", { path: FILE, content: `${table}\n` });
  if (isPlanned && plans === 2 && written.text !== undefined) return planWith(PLANNED.length);
  const saved =
    written.text === undefined
      ? `${FILE} could not be written; this is its content.`
      : `${FILE} has it too.`;
  return { kind: "answer", text: `${table}\n\n${saved}` };
}

function planWith(done: number): DemoStep {
  const steps = PLANNED.map((text, index) => {
    const state = index < done ? "done" : index === done ? "active" : "pending";
    return { text, state };
  });
  return callOf(PLAN_TOOL, { steps });
}

function callOf(toolName: string, params: Extract<DemoStep, { kind: "call" }>["params"]): DemoStep {
  return { kind: "call", toolName, params };
}

function rowsOf(found: string): readonly string[] {
  return found.split("\n").flatMap((each) => {
    const { file = "", line = "", text = "" } = FOUND.exec(each)?.groups ?? {};
    const comment = COMMENT.exec(text)?.groups?.comment;
    if (file === FILE || comment === undefined) return [];
    const cells = [`\`${file}\``, line, comment].map((cell) => cell.replaceAll("|", "\\|"));
    return [`| ${cells.join(" | ")} |`];
  });
}
