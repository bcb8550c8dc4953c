import type { Redirection } from "unbash";
import type { LiteralRedirection } from "../literal/literal-command.js";
import { NotExpandable } from "./expanded-command.js";
import { isLate } from "./late-words.js";
import { fieldsOf, quotedText, textOf, type WordMeans } from "./words.js";

/**
 * Returns the redirections of a command with their targets.
 * @param redirects - as parsed by the grammar
 * @param means - variables and files
 * @throws NotExpandable when a host cannot apply one
 */
export async function redirectionsOf(
  redirects: readonly Redirection[],
  means: WordMeans,
): Promise<LiteralRedirection[]> {
  const all: LiteralRedirection[] = [];
  for (const redirect of redirects) all.push(...(await redirectionOf(redirect, means)));
  if (all.some(({ target }) => isLate(target))) throw new NotExpandable("a late target");
  return all;
}

/**
 * Separates the redirections of a group into its input and the others, which may only merge outputs or drop them.
 * @param redirections - redirections of the group
 * @param isLoop - true when it is a loop, which may have an input
 * @throws NotExpandable when it has more
 */
export function groupRedirections(
  redirections: readonly LiteralRedirection[],
  isLoop: boolean,
): { readonly input: LiteralRedirection | undefined; readonly others: LiteralRedirection[] } {
  const [input, ...more] = redirections.filter(({ descriptor }) => descriptor === 0);
  const others = redirections.filter(({ descriptor }) => descriptor !== 0);
  if (others.some(({ operator, target }) => operator !== ">&" && target !== "/dev/null")) {
    throw new NotExpandable("a redirected group");
  }
  if (input !== undefined && (!isLoop || more.length > 0)) throw new NotExpandable("an input");
  return { input, others };
}

async function redirectionOf(
  redirect: Redirection,
  means: WordMeans,
): Promise<LiteralRedirection[]> {
  const { descriptor: given } = redirect;
  if (given?.type === "FileDescriptorVariable") throw new NotExpandable("a descriptor");
  const descriptor = numberOf(given?.value);
  if (redirect.type === "HereDoc") {
    const { body, delimiter, operator } = redirect;
    if (operator !== "<<" || (descriptor ?? 0) !== 0) throw new NotExpandable(operator);
    const isQuoted = delimiter?.quoted === true || body.parts === undefined;
    const target = isQuoted ? body.text : await quotedText(body.parts ?? [], means);
    return [{ descriptor: 0, operator: "<<", target }];
  }
  if (redirect.target === undefined) throw new NotExpandable("a redirection");
  if (redirect.type === "HereString") {
    if ((descriptor ?? 0) !== 0) throw new NotExpandable("a descriptor");
    return [{ descriptor: 0, operator: "<<", target: `${await textOf(redirect.target, means)}\n` }];
  }
  const [substitution, ...others] = redirect.target.parts ?? [];
  if (substitution?.type === "ProcessSubstitution" && others.length === 0) {
    if (redirect.operator !== "<" || (descriptor ?? 0) !== 0) throw new NotExpandable("a file");
    return [{ descriptor: 0, operator: "<<", target: await means.contentOf(substitution) }];
  }
  const [target, ...more] = await fieldsOf(redirect.target, means);
  if (target === undefined || more.length > 0) throw new NotExpandable("a redirection");
  const { operator } = redirect;
  switch (operator) {
    case "<":
    case ">":
    case ">>":
      return [
        { descriptor: descriptor ?? (operator === "<" ? 0 : 1), operator, target: file(target) },
      ];
    case ">|":
      return [{ descriptor: descriptor ?? 1, operator: ">", target: file(target) }];
    case "&>":
    case "&>>":
      return [
        { descriptor: 1, operator: operator === "&>" ? ">" : ">>", target: file(target) },
        { descriptor: 2, operator: ">&", target: "1" },
      ];
    case ">&": {
      const from = descriptor ?? 1;
      if (from === 0 || !/^[12]$/.test(target)) throw new NotExpandable(operator);
      return [{ descriptor: from, operator, target }];
    }
    default:
      throw new NotExpandable(operator);
  }
}

function numberOf(value: number | undefined): 0 | 1 | 2 | undefined {
  if (value === undefined || value === 0 || value === 1 || value === 2) return value;
  throw new NotExpandable("a descriptor");
}

/** Bash gives paths of devices another meaning. */
function file(target: string): string {
  if (target === "" || (/^\/+dev(?:\/|$)/.test(target) && target !== "/dev/null")) {
    throw new NotExpandable(target);
  }
  return target;
}
