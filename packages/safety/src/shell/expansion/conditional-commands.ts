import type { AndOr, If, Statement, SyntaxNode } from "unbash";
import { cannotFail, negatedPipeline, withoutNegation } from "./conditions.js";
import type { After, Emission } from "./emission.js";
import { NotExpandable } from "./expanded-command.js";
import type { ShellState } from "./shell-state.js";

/** Expansion of the parts of a command that may run under a condition. */
export interface ConditionalExpansion {
  readonly state: ShellState;
  readonly emission: Emission;
  node(node: SyntaxNode, after: After): Promise<void>;
  /** Expands statements in their order. */
  run(statements: readonly Statement[]): Promise<void>;
}

/** Expands `a && b || c`; a part whose condition is known is left out or kept as it is. */
export async function expandChain(
  { commands: nodes, operators }: AndOr,
  start: After,
  { state, emission, ...expansion }: ConditionalExpansion,
): Promise<void> {
  let after = start;
  const [first, second] = nodes;
  const negated = first?.type === "Pipeline" ? withoutNegation(first) : undefined;
  if (negated !== undefined && second !== undefined && nodes.length === 2) {
    await expansion.node(negated, start);
    const isAnd = operators[0] === "&&";
    if (state.status === undefined) {
      await expansion.node(second, isAnd ? "||" : "&&");
      state.status = undefined;
      return;
    }
    state.status = !state.status;
    if (state.status === isAnd) await expansion.node(second, start);
    return;
  }
  let status: boolean | undefined;
  for (const [index, node] of nodes.entries()) {
    const operator = operators[index - 1];
    const isAnd = operator === "&&";
    if (operator !== undefined && status !== undefined && status !== isAnd) continue;
    const before = emission.count;
    const isOpen = operator !== undefined && status === undefined;
    await expansion.node(node, isOpen ? operator : after);
    const own = state.status;
    if (isOpen) {
      // Of a certain part only the outcome that decides alone is certain.
      status = emission.count === before && own === !isAnd ? own : undefined;
      if (emission.count === before && own === undefined) throw new NotExpandable("a part");
    } else status = own;
    if (emission.count > before) after = ";";
  }
  state.status = status;
}

/** Expands `if`; a branch whose condition is known is left out or kept as it is. */
export async function expandBranch(
  node: Pick<If, "clause" | "then" | "else" | "elif">,
  expansion: ConditionalExpansion,
): Promise<void> {
  const { state, emission } = expansion;
  const [elif, ...more] = node.elif;
  const isNegated = await expandCondition(node.clause.commands, expansion);
  const then = () => expansion.run(node.then.commands);
  const otherwise =
    elif === undefined
      ? node.else && (() => expansion.run(node.else?.commands ?? []))
      : () => expandBranch({ ...elif, elif: more, else: node.else }, expansion);
  const [first, second] = isNegated ? [otherwise, then] : [then, otherwise];
  const { status } = state;
  if (status !== undefined) {
    state.status = true;
    await (status ? first : second)?.();
    return;
  }
  // Known only at run time: then `a && b || c` means the same if b does not fail.
  const start = emission.count;
  if (first !== undefined) await emission.nested("&&", first);
  const isSafe = first === undefined || cannotFail(emission.pipelines.slice(start));
  if (second !== undefined) {
    if (!isSafe) throw new NotExpandable("a branch");
    await emission.nested("||", second);
  } else if (isSafe) {
    emission.add([{ program: "true", arguments: [], redirections: [] }], "||");
  }
  state.status = undefined;
}

/** Expands a condition, and returns whether its outcome counts as the opposite. */
async function expandCondition(
  statements: readonly Statement[],
  expansion: ConditionalExpansion,
): Promise<boolean> {
  const negated = negatedPipeline(statements);
  if (negated === undefined) await expansion.run(statements);
  else await expansion.node(negated, ";");
  return negated !== undefined;
}
